import { timestamp } from "../../kernel/clock.ts";
import type { Runtime } from "../../runtime/context.ts";
import { countEvent, DEPLOYMENT, keyOf, readTotal, type Subject } from "../../runtime/stats/series.ts";

/** Memories that the model read, and messages of READ_QUEUE that failed, in the whole deployment. */
const READINGS: Subject = { scope: DEPLOYMENT, name: "readings" };

/** `failing` and `absent`: rules alone read facts, because the model fails or hangs, or because there is none. */
export const READER_STATES = ["working", "failing", "absent"] as const;
export type ReaderState = (typeof READER_STATES)[number];

/** Counts the memories of a message that were read, or its failure, and stores when that was. */
export function countReadings(
  { rollups, clock }: Pick<Runtime, "rollups" | "clock">,
  counts: { read: number } | { failed: number },
): void {
  const now = clock();
  countEvent(rollups, READINGS, now, counts);
  const set = { ["read" in counts ? "last_read_at" : "last_failed_at"]: timestamp(now) };
  rollups.count(keyOf(READINGS, "total", now), { add: {}, set: { kind: "rollup", ...set } });
}

/** Returns whether the model reads facts, by its last reading in any process. */
export async function readerState({ ports, rollups }: Pick<Runtime, "ports" | "rollups">): Promise<ReaderState> {
  if (ports.reader === undefined) return "absent";
  await rollups.flush();
  const record = await ports.records.get(keyOf(READINGS, "total", 0));
  const [read, failed] = [record?.last_read_at, record?.last_failed_at].map((at) => (typeof at === "string" ? at : ""));
  return (failed ?? "") > (read ?? "") ? "failing" : "working";
}

/** Returns the readings since the first start. */
export async function countedReadings({ ports }: Pick<Runtime, "ports">) {
  const { read = 0, failed = 0 } = await readTotal(ports.records, READINGS);
  return { read, failed };
}
