import { SEGMENTS } from "../../ports/pages.ts";
import type { StoredRecord } from "../../ports/record-store.ts";
import type { OrgRuntime, Runtime } from "../../runtime/context.ts";
import type { JobHandler } from "../../runtime/jobs/handler.ts";
import { isTooComplex } from "../../runtime/text-work/task.ts";
import { isChunk } from "./chunk-ids.ts";
import { FACTS_FORMAT } from "./facts/records.ts";
import { READ_FACTS_JOB } from "./job-kinds.ts";
import type { Memory } from "./memory.ts";
import { MEMORY_KIND, memoryKey } from "./memory-keys.ts";
import { requestReading } from "./read-by-model.ts";
import { toMemory } from "./records.ts";
import { storeObserved } from "./store-observed.ts";
import { observe } from "./understand.ts";

/** The input of the job; memories that have facts, or were already checked for them, are not read again. */
export interface BackfillInput {
  /** The format that requires the job: see FACTS_FORMAT. */
  format: number;
}

export interface BackfillCheckpoint {
  /** Cursor of the next inventory page; absent at the beginning. */
  cursor?: string;
  checked: number;
  read: number;
}

const PAGE_SIZE = 50;
/** Maximum attempts per memory in case of concurrent changes; a change of the content extracts the facts anyway. */
const MAX_ATTEMPTS = 5;
const SOURCE_TYPE = "source";

/**
 * Extracts the facts of memories that an earlier release stored, one page of the inventory per step. Facts that people
 * decided about stay. Storing facts does not increase a memory's revision, so it is neither indexed again nor sent to
 * webhooks.
 */
export const factsBackfill: JobHandler<"read_facts"> = {
  job: READ_FACTS_JOB,

  async step(runtime, { job: { checkpoint } }) {
    const { cursor: after } = checkpoint;
    const request = {
      kinds: [MEMORY_KIND],
      limit: PAGE_SIZE,
      segments: SEGMENTS,
      ...(after !== undefined && { after }),
    };
    const { items, cursor } = await runtime.ports.inventory.list(request);
    let read = 0;
    for (const record of items) if (await readFactsOf(runtime, record)) read++;
    await requestReadingOf(runtime, items);
    const progress = { checked: checkpoint.checked + items.length, read: checkpoint.read + read };
    if (cursor === undefined) return { end: "completed", checkpoint: progress };
    return { checkpoint: { ...progress, cursor } };
  },

  onEnded({ logger }, { id, state, checkpoint: { checked, read } }) {
    logger.info("FACTS_READ", { job: id, state, checked, read });
  },
};

/** Asks for the model's reading of memories, whose facts by the rules may just have been stored. */
async function requestReadingOf(runtime: Runtime, items: StoredRecord[]): Promise<void> {
  if (runtime.ports.reader === undefined) return;
  const stored = await runtime.ports.records.getMany(items.map(({ pk, sk }) => ({ pk, sk })));
  const memories = await Promise.all(stored.map((record) => toMemory(runtime, record)));
  await requestReading(
    runtime,
    memories.flatMap((memory) => memory ?? []),
  );
}

async function readFactsOf(runtime: Runtime, found: StoredRecord): Promise<boolean> {
  let record: StoredRecord | undefined = found;
  for (let attempt = 1; record !== undefined && isUnread(record) && attempt <= MAX_ATTEMPTS; attempt++) {
    const memory = await toMemory(runtime, record);
    if (memory === undefined || memory.content_missing) return false;
    if (await storeFacts({ ...runtime, org: memory.org }, memory)) return true;
    record = await runtime.ports.records.get(memoryKey(memory.org, memory.id));
  }
  return false;
}

/**
 * Memories queued for the workers get their facts there; sources and their chunks have none. A memory without statements
 * and facts may have been stored without extraction.
 */
function isUnread({ id, type, observations, facts, facts_format, processing }: StoredRecord): boolean {
  const { status } = (processing ?? {}) as { status?: string };
  if (Number(facts_format ?? 0) >= FACTS_FORMAT || status === "queued") return false;
  const isOmitted = [observations ?? ["unread"], facts].every((list) => Array.isArray(list) && list.length === 0);
  return !isOmitted && type !== SOURCE_TYPE && !isChunk(String(id));
}

async function storeFacts(runtime: OrgRuntime, memory: Memory): Promise<boolean> {
  const observed = await observe(runtime, { ...memory, stored_at: memory.created_at }).catch((error: unknown) => {
    // A text that is too complex has no facts, because another attempt would fail too.
    if (!isTooComplex(error)) throw error;
    return { at: memory.created_at, drafts: [] };
  });
  return storeObserved(runtime, memory, observed);
}
