import * as z from "zod";
import { inBatches } from "../../kernel/parallel.ts";
import { mergedDrafts } from "../../language/facts/mentions.ts";
import type { FactDraft } from "../../language/slots/fact.ts";
import type { FactReader } from "../../ports/fact-reader.ts";
import { READ_QUEUE } from "../../ports/queues.ts";
import type { MemoryScope, Runtime } from "../../runtime/context.ts";
import { isTooComplex } from "../../runtime/text-work/task.ts";
import { factKey, NOT_TO_READ, toStoredFact, withoutCorrections } from "./facts/records.ts";
import type { Memory, Observed } from "./memory.ts";
import { findMemories } from "./records.ts";
import { storeObserved } from "./store-observed.ts";
import { observeBy } from "./understand.ts";
import { isByUser } from "./writer.ts";

/** Memories of an organization to read, as a message of READ_QUEUE. */
export const ReadMessage = z.object({ org: z.string(), ids: z.array(z.string()).min(1) });

/** Memories of one message: a worker that ends meanwhile repeats only these. */
const BATCH = 20;
/** Maximum attempts per memory in case of concurrent changes. */
const MAX_ATTEMPTS = 5;
const SOURCE_TYPE = "source";

/** Asks the workers to read the memories that the model has not read in their present words. */
export async function requestReading({ ports }: Pick<Runtime, "ports">, memories: Memory[]): Promise<void> {
  const { reader } = ports;
  if (reader === undefined) return;
  const unread = Map.groupBy(
    memories.filter((memory) => awaitsReading(memory, reader)),
    ({ org }) => org,
  );
  const messages = [...unread].flatMap(([org, own]) =>
    inBatches(own, BATCH).map((batch) => ({ body: { org, ids: batch.map(({ id }) => id) } })),
  );
  if (messages.length > 0) await ports.queue.send(READ_QUEUE, messages);
}

/** Whether a memory has words of the user that the model has not read; sources and queued memories have none yet. */
function awaitsReading(memory: Memory, { id }: Pick<FactReader, "id">): boolean {
  const { observations, facts_reader, processing, type } = memory;
  const isDone = facts_reader === id || facts_reader === NOT_TO_READ;
  if (observations === undefined || isDone || processing.status === "queued") return false;
  return type !== SOURCE_TYPE && isByUser(memory);
}

/** Reads memories with the model and stores their facts beside those of the rules. Repeating it changes nothing. */
export async function readByModel(runtime: MemoryScope, reader: FactReader, ids: string[]): Promise<void> {
  let unread = ids;
  for (let attempt = 1; unread.length > 0 && attempt <= MAX_ATTEMPTS; attempt++) {
    const found = await findMemories(runtime, unread);
    const memories = found.filter((memory) => !memory.content_missing && awaitsReading(memory, reader));
    const texts = memories.map((memory) => ({ ...memory, stored_at: memory.created_at }));
    const observed = await observeEach(reader, runtime, texts);
    const changed: string[] = [];
    for (const [index, memory] of memories.entries()) {
      const read = observed[index];
      if (read !== undefined && !(await storeRead(runtime, memory, read, reader.id))) changed.push(memory.id);
    }
    unread = changed;
  }
}

type Texts = Parameters<typeof observeBy>[2];

/** Reads texts together, or one by one if one of them is too complex: that one has no facts of the model. */
async function observeEach(reader: FactReader, runtime: MemoryScope, texts: Texts): Promise<Observed[]> {
  if (texts.length === 0) return [];
  try {
    return await observeBy(reader, runtime, texts);
  } catch (error) {
    if (!isTooComplex(error)) throw error;
    if (texts.length === 1) return texts.map(({ stored_at }) => ({ at: stored_at, drafts: [] }));
    const each: Observed[] = [];
    for (const text of texts) each.push(...(await observeEach(reader, runtime, [text])));
    return each;
  }
}

async function storeRead(runtime: MemoryScope, memory: Memory, read: Observed, reader: string): Promise<boolean> {
  const rules = await draftsOfRules(runtime, memory);
  const observed = { at: read.at, drafts: mergedDrafts(rules, read.drafts) };
  return storeObserved(runtime, memory, observed, reader);
}

/** Returns what the rules read of a memory when it was stored, possibly as a part of its message. */
async function draftsOfRules({ ports, org }: MemoryScope, { id, observations = [] }: Memory): Promise<FactDraft[]> {
  const keys = observations.map((reference) => factKey(org, id, reference.id));
  const stored = keys.length === 0 ? [] : (await ports.records.getMany(keys)).map(toStoredFact);
  return stored.filter(({ read_by }) => read_by === undefined).map(withoutCorrections);
}
