import { setTimeout as sleep } from "node:timers/promises";
import type { FactReader } from "../../ports/fact-reader.ts";
import type { MemoryScope } from "../../runtime/context.ts";
import { BY_LANGUAGE_MODEL, NOT_TO_READ } from "./facts/records.ts";
import type { Memory } from "./memory.ts";
import { findMemories } from "./records.ts";
import { isByUser } from "./writer.ts";

const SOURCE_TYPE = "source";
/** Maximum time that a request waits for the model; it is then answered without its facts. */
const MAX_WAIT_MS = 5_000;
/** Pauses between looks, the last one repeated. */
const PAUSES_MS = [25, 50, 100, 200];

/** Whether a memory has words of the user that the model has not read; sources and queued memories have none yet. */
export function awaitsReading(memory: Memory, { id }: Pick<FactReader, "id">): boolean {
  const { observations, facts_reader, processing, type } = memory;
  const isDone = [id, NOT_TO_READ, BY_LANGUAGE_MODEL].some((done) => facts_reader === done);
  if (observations === undefined || isDone || processing.status === "queued") return false;
  return type !== SOURCE_TYPE && isByUser(memory);
}

/**
 * Waits until the memories of some ids are processed and read by the model, at most MAX_WAIT_MS. Returns at once if
 * rules alone read facts.
 */
export async function waitForReading(ctx: MemoryScope, ids: string[]): Promise<void> {
  const { reader } = ctx.ports;
  if (reader === undefined) return;
  const deadline = performance.now() + MAX_WAIT_MS;
  let unread = ids;
  for (let look = 0; ; look++) {
    const memories = await findMemories(ctx, unread);
    unread = memories
      .filter((memory) => memory.processing.status === "queued" || awaitsReading(memory, reader))
      .map(({ id }) => id);
    if (unread.length === 0 || performance.now() >= deadline) return;
    await sleep(PAUSES_MS[look] ?? PAUSES_MS.at(-1));
  }
}
