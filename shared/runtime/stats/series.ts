import { timestamp } from "../../kernel/clock.ts";
import { DAY_SECONDS } from "../../kernel/durations.ts";
import { fromItem } from "../../ports/item.ts";
import { AFTER_ANY_ID } from "../../ports/listing.ts";
import type { RecordKey, RecordStore } from "../../ports/record-store.ts";
import { bucketOf, sumCounters } from "./histogram.ts";
import type { Rollups } from "./rollups.ts";

/** Scope of counts over all organizations. */
export const DEPLOYMENT = "deployment";

/** A counted subject, e.g. `compression`, within an organization or (DEPLOYMENT) across all. */
export interface Subject {
  scope: string;
  name: string;
}

export type Granularity = "hour" | "day";

/** Minutes are for live views and kept only briefly. */
type Period = Granularity | "minute";

/** Length of the prefix of an ISO timestamp that names its minute, hour or day. */
const PREFIX_LENGTH: Record<Period, number> = { minute: 16, hour: 13, day: 10 };
/** The rest of an ISO timestamp at the start of its minute, hour or day. */
const START_SUFFIX: Record<Period, string> = { minute: ":00.000Z", hour: ":00:00.000Z", day: "T00:00:00.000Z" };
const MAX_POINTS = 1000;
const pkOf = ({ scope, name }: Subject): string => `${scope}#rollup#${name}`;

/** Returns the key of a subject's counters for one minute, hour or day, or in total. */
export function keyOf(subject: Subject, granularity: Period | "total", now: number): RecordKey {
  const sk =
    granularity === "total" ? "total" : `${granularity}#${timestamp(now).slice(0, PREFIX_LENGTH[granularity])}`;
  return { pk: pkOf(subject), sk };
}

/** Counts an event, with its duration if any, by hour, by day (kept `keptDays` after their last count) and in total. */
export function countEvent(
  rollups: Pick<Rollups, "count">,
  subject: Subject,
  now: number,
  counts: Record<string, number>,
  durationMs?: number,
  keptDays?: number,
): void {
  const duration: Record<string, number> =
    durationMs === undefined ? {} : { [bucketOf(durationMs)]: 1, duration_ms: durationMs };
  const add = { ...counts, ...duration };
  const kept: Record<string, number> =
    keptDays === undefined ? {} : { ttl: Math.ceil(now / 1000) + keptDays * DAY_SECONDS };
  for (const granularity of ["hour", "day"] as const) {
    rollups.count(keyOf(subject, granularity, now), { add, set: { kind: "rollup", ...kept } });
  }
  rollups.count(keyOf(subject, "total", now), { add, set: { kind: "rollup" } });
}

/** Counters of one minute, hour or day; `at` is its start, ISO 8601. */
export interface Point {
  at: string;
  counters: Record<string, number>;
}

/** Returns the total counts of a subject. */
export async function readTotal(records: RecordStore, subject: Subject): Promise<Record<string, number>> {
  const record = await records.get(keyOf(subject, "total", 0));
  return sumCounters(record ? [fromItem(record)] : []);
}

/** Returns the minutes, hours or days with counts since `from` (epoch milliseconds), oldest first. */
export async function readSeries(
  records: RecordStore,
  subject: Subject,
  granularity: Period,
  from: number,
): Promise<Point[]> {
  const sk = { atLeast: keyOf(subject, granularity, from).sk, atMost: granularity + AFTER_ANY_ID };
  const { items } = await records.query({ pk: pkOf(subject), sk, limit: MAX_POINTS });
  return items.map((record) => {
    const at = record.sk.slice(granularity.length + 1) + START_SUFFIX[granularity];
    return { at, counters: sumCounters([fromItem(record)]) };
  });
}
