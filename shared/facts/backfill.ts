import type { JobHandler } from "../jobs/handler.ts";
import type { Memory } from "../memory/memory.ts";
import { MEMORY_KIND, memoryKey, toMemory } from "../memory/records.ts";
import { observe } from "../memory/understand.ts";
import type { Home, OrgHome } from "../platform/context.ts";
import type { Json, StoredRecord } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { isChunk } from "../sources/chunk-ids.ts";
import { isTooComplex } from "../text-work/task.ts";
import { changeFacts } from "./records.ts";

/** Which memories the job looks for; none that has facts, or was looked at, is read again. */
export interface BackfillInput {
  /** The format that calls for it: see FACTS_FORMAT. */
  format: number;
}

/** How far the job is. */
export interface BackfillCheckpoint {
  /** Leads on through all records; absent at the beginning. */
  cursor?: string;
  checked: number;
  read: number;
}

const PAGE = 50;
/** How often a memory is read anew that others change meanwhile; who changes its content reads its facts. */
const MAX_ATTEMPTS = 5;
const SOURCE_TYPE = "source";

/**
 * Reads the facts of memories that were stored before there were any, a page of the inventory at a time. A memory's facts
 * raise no revision of it: it is neither indexed again nor told to webhooks.
 */
export const factsBackfill: JobHandler<"read_facts"> = {
  kind: "read_facts",

  async step(home, { job: { checkpoint } }) {
    const { cursor: after } = checkpoint;
    const request = { kinds: [MEMORY_KIND], limit: PAGE, ...(after !== undefined && { after }) };
    const { items, cursor } = await home.ports.inventory.list(request);
    let read = 0;
    for (const record of items) if (await readFactsOf(home, record)) read++;
    const reached = { checked: checkpoint.checked + items.length, read: checkpoint.read + read };
    if (cursor === undefined) return { end: "completed", checkpoint: reached };
    return { checkpoint: { ...reached, cursor } };
  },

  onEnded({ logger }, { id, state, checkpoint: { checked, read } }) {
    logger.info("FACTS_READ", { job: id, state, checked, read });
  },
};

async function readFactsOf(home: Home, found: StoredRecord): Promise<boolean> {
  let record: StoredRecord | undefined = found;
  for (let attempt = 1; record !== undefined && isUnread(record) && attempt <= MAX_ATTEMPTS; attempt++) {
    const memory = await toMemory(home, record);
    if (memory === undefined || memory.content_missing) return false;
    if (await nameFacts({ ...home, org: memory.org }, memory)) return true;
    record = await home.ports.records.get(memoryKey(memory.org, memory.id));
  }
  return false;
}

/** Memories that the workers are yet to read get their facts by that; sources and their chunks state nobody's facts. */
function isUnread({ id, type, observations, processing }: StoredRecord): boolean {
  const { status } = (processing ?? {}) as { status?: string };
  return observations === undefined && status !== "queued" && type !== SOURCE_TYPE && !isChunk(String(id));
}

async function nameFacts(home: OrgHome, memory: Memory): Promise<boolean> {
  const observed = await observe(home, { ...memory, stored_at: memory.created_at }).catch(nothingOf(memory));
  const { references = [], writes } = changeFacts(undefined, { ...memory, observed });
  const naming = {
    update: memoryKey(memory.org, memory.id),
    set: { observations: references.map((reference): Json => ({ ...reference })) },
    condition: { revision: memory.revision, observations: { absent: true } },
  };
  return writeUnlessChanged(home, naming, ...writes);
}

/** A text that is too complex to read states nothing; another attempt would end likewise. */
function nothingOf({ created_at }: Memory) {
  return (error: unknown) => {
    if (!isTooComplex(error)) throw error;
    return { at: created_at, drafts: [] };
  };
}
