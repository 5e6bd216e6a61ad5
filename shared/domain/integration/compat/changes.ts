import { type PlacedFact, statesValue } from "../../memory/fact-reader.ts";
import { slotOf } from "../../memory/facts/records.ts";
import type { Memory } from "../../memory/memory.ts";
import { type MemoryResult, toMemoryResult } from "../../memory/memory-results.ts";
import type { MemoryReader } from "../../memory/records.ts";
import { latestOfSlots, placeStated, type StatingMemory } from "../../retrieval/profiles/known-facts.ts";

/** A memory with a statement that no longer holds, and the memory that says so. */
interface Change {
  before: StatingMemory;
  /** Whether `after` states the new value; otherwise it only ends `before`. */
  isReplaced: boolean;
  after: StatingMemory;
}

/** The memory that ends another one. */
export type MemoryEnd = Omit<Change, "before">;

/**
 * The events of a stored memory: ADD; UPDATE if it replaces an earlier memory's statement; and DELETE for each earlier
 * memory that it ends without a replacement. NOOP if it is not new.
 */
export async function resultsOf(ctx: MemoryReader, memory: Memory, isNew: boolean): Promise<MemoryResult[]> {
  const result = toMemoryResult(memory, isNew);
  if (!isNew) return [result];
  const changes = (await changesAround(ctx, memory)).filter(({ after }) => after.id === memory.id);
  const replaced = changes.findLast(({ isReplaced }) => isReplaced)?.before;
  const unreplaced = changes.flatMap(({ before, isReplaced }) => (isReplaced ? [] : [before]));
  const ended = await withoutCurrentFacts(ctx, memory.user_id, unreplaced);
  const previous = replaced && { previous_memory_id: replaced.id, previous_memory: textOf(replaced) };
  const update = previous && { event: "UPDATE" as const, ...previous };
  const deletions = ended.map((memoryEnded): MemoryResult => {
    return { ...toMemoryResult({ ...memoryEnded, content: textOf(memoryEnded) }, true), event: "DELETE" };
  });
  return [{ ...result, ...update }, ...deletions];
}

/** Returns the memories of a user that state nothing that holds, each once. Two round trips, if any states several facts. */
async function withoutCurrentFacts(
  ctx: MemoryReader,
  user_id: string | undefined,
  stating: StatingMemory[],
): Promise<StatingMemory[]> {
  const memories = [...new Map(stating.map((memory) => [memory.id, memory])).values()];
  const several = memories.flatMap(({ observations = [] }) => (observations.length > 1 ? observations : []));
  if (user_id === undefined || several.length === 0) return memories;
  const slots = [...new Set(several.map(({ slot }) => slot))];
  const { facts } = await placeStated(ctx, [], await latestOfSlots(ctx, user_id, slots));
  const holding = new Set(facts.filter((fact) => statesValue(fact) && holds(fact)).map(({ memory_id }) => memory_id));
  return memories.filter(({ id }) => !holding.has(id));
}

/** Returns the memory that replaced or ended this one, if none of its statements holds any more. */
export async function endOf(ctx: MemoryReader, memory: Memory): Promise<MemoryEnd | undefined> {
  return (await changesAround(ctx, memory)).findLast(({ before }) => before.id === memory.id);
}

/** The changes between a memory and others with the same slots, in the order of the slots. Two round trips. */
async function changesAround(ctx: MemoryReader, memory: Memory): Promise<Change[]> {
  const { id, user_id, observed, observations = [] } = memory;
  // Only the record of a newly stored memory names its slots.
  const allSlots = observed?.drafts.map(slotOf) ?? observations.map(({ slot }) => slot);
  const slots = [...new Set(allSlots)];
  if (user_id === undefined || slots.length === 0) return [];
  const { facts, memories } = await placeStated(ctx, [id], await latestOfSlots(ctx, user_id, slots));
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const values = facts.filter(statesValue);
  const holding = new Set(values.filter(holds).map(({ memory_id }) => memory_id));
  return values.flatMap((fact): Change[] => {
    const closing = fact.superseded_by === undefined ? undefined : byId.get(fact.superseded_by);
    const [before, after] = [memories.get(fact.memory_id), closing && memories.get(closing.memory_id)];
    if (!closing || !before || !after || before.id === after.id || holding.has(before.id)) return [];
    return [{ before, after, isReplaced: statesValue(closing) }];
  });
}

function holds({ status }: PlacedFact): boolean {
  return status === "current" || status === "planned";
}

/** Returns an empty text if the content is too long for its record; such content is not a statement. */
function textOf({ content = "" }: StatingMemory): string {
  return content;
}
