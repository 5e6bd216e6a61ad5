import * as z from "zod";
import { inBatches } from "../../kernel/parallel.ts";
import { mergedDrafts } from "../../language/facts/merged-drafts.ts";
import type { FactDraft } from "../../language/slots/fact.ts";
import type { FactReader } from "../../ports/fact-reader.ts";
import { READ_QUEUE } from "../../ports/queues.ts";
import type { MemoryScope, Runtime } from "../../runtime/context.ts";
import { isTooComplex } from "../../runtime/text-work/task.ts";
import { awaitsReading } from "./awaiting-reading.ts";
import { factKey, toStoredFact, withoutCorrections } from "./facts/records.ts";
import type { Memory, Observed } from "./memory.ts";
import { findMemories } from "./records.ts";
import { storeObserved } from "./store-observed.ts";
import { type ModelReading, observe, observeBy, observeWhenUnsure, type TextToUnderstand } from "./understand.ts";

/** Memories of an organization to read, as a message of READ_QUEUE. */
export const ReadMessage = z.object({
  org: z.string(),
  ids: z.array(z.string()).min(1),
  /** How often others changed these memories while they were read. */
  conflicts: z.int().default(0),
});
type ReadMessage = z.infer<typeof ReadMessage>;

/** Memories of one message: a worker that ends meanwhile repeats only these. */
const BATCH = 20;
/** Maximum attempts per memory in case of concurrent changes; then it is read later. */
const MAX_ATTEMPTS = 5;
/** Maximum number of times that a memory is read later; the delay is 5 s more each time. */
const MAX_CONFLICTS = 20;
const DELAY_SECONDS = 5;

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

/**
 * Reads memories with the model and stores their facts beside those of the rules; returns how many. Repeating it changes
 * nothing. Memories that others keep changing are read again later.
 */
export async function readByModel(
  runtime: MemoryScope,
  reader: FactReader,
  { ids, conflicts }: Pick<ReadMessage, "ids" | "conflicts">,
): Promise<number> {
  let unread = ids;
  let count = 0;
  for (let attempt = 1; unread.length > 0 && attempt <= MAX_ATTEMPTS; attempt++) {
    const found = await findMemories(runtime, unread);
    const memories = found.filter((memory) => !memory.content_missing && awaitsReading(memory, reader));
    const before = await findMemories(
      runtime,
      memories.flatMap(({ follows }) => follows ?? []),
    );
    const contents = new Map(before.map(({ id, content }) => [id, content]));
    const texts = memories.map((memory) => {
      return { ...memory, stored_at: memory.created_at, piece_before: contents.get(memory.follows ?? "") };
    });
    const observed = await observeEach(reader, runtime, texts);
    const changed: string[] = [];
    for (const [index, memory] of memories.entries()) {
      const [read, text] = [observed[index], texts[index]];
      if (read === undefined || text === undefined) continue;
      const asked = read.isUnsure ? await observeWhenUnsure(runtime, text) : undefined;
      const facts = asked ?? (await besideRules(runtime, memory, text, read));
      if (await storeObserved(runtime, memory, facts, reader.id)) count++;
      else changed.push(memory.id);
    }
    unread = changed;
  }
  if (unread.length > 0) await readLater(runtime, { org: runtime.org, ids: unread, conflicts: conflicts + 1 });
  return count;
}

async function readLater({ ports, logger }: MemoryScope, message: ReadMessage): Promise<void> {
  const { org, ids, conflicts } = message;
  if (conflicts > MAX_CONFLICTS) logger.error("MEMORIES_UNREAD", { org, memories: ids });
  else await ports.queue.send(READ_QUEUE, [{ body: message, delaySeconds: conflicts * DELAY_SECONDS }]);
}

type Texts = Parameters<typeof observeBy>[2];

/** Reads texts together, or one by one if one of them is too complex: that one has no facts of the model. */
async function observeEach(reader: FactReader, runtime: MemoryScope, texts: Texts): Promise<ModelReading[]> {
  if (texts.length === 0) return [];
  try {
    return await observeBy(reader, runtime, texts);
  } catch (error) {
    if (!isTooComplex(error)) throw error;
    if (texts.length === 1) return texts.map(({ stored_at }) => ({ at: stored_at, drafts: [], isUnsure: false }));
    const each: ModelReading[] = [];
    for (const text of texts) each.push(...(await observeEach(reader, runtime, [text])));
    return each;
  }
}

/** Returns what the model read of a memory, and what it bears out of what the rules read. */
async function besideRules(
  runtime: MemoryScope,
  memory: Memory,
  text: TextToUnderstand,
  read: ModelReading,
): Promise<Observed> {
  const { at, drafts, marks } = read;
  const rules = await draftsOfRules(runtime, memory, text);
  return { at, drafts: marks === undefined ? rules : mergedDrafts(rules, { ...marks, drafts }) };
}

/** Returns what the rules read of a memory when it was stored, possibly as a part of its message. */
async function draftsOfRules(runtime: MemoryScope, memory: Memory, text: TextToUnderstand): Promise<FactDraft[]> {
  const { id, observations = [], facts_reader } = memory;
  // Another model has left out what it did not bear out, so the rules read the memory anew.
  if (facts_reader !== undefined) return observeAnew(runtime, text);
  const { ports, org } = runtime;
  const keys = observations.map((reference) => factKey(org, id, reference.id));
  const stored = keys.length === 0 ? [] : (await ports.records.getMany(keys)).map(toStoredFact);
  return stored.filter(({ read_by }) => read_by === undefined).map(withoutCorrections);
}

async function observeAnew(runtime: MemoryScope, text: TextToUnderstand): Promise<FactDraft[]> {
  try {
    return (await observe(runtime, text)).drafts;
  } catch (error) {
    if (!isTooComplex(error)) throw error;
    return [];
  }
}
