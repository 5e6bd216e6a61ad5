import { type PlacedFact, tellsValue } from "../facts/reader.ts";
import { slotOf } from "../facts/records.ts";
import { hasAttribute } from "../facts/slot-key.ts";
import type { Memory } from "../memory/memory.ts";
import type { MemoryReader } from "../memory/records.ts";
import { type Remembered, toRemembered } from "../memory/remembered.ts";
import { latestOfSlots, placeStated, type StatingMemory } from "../profiles/known-facts.ts";

/** A memory of which something no longer holds, and the one that says so. */
interface Change {
  before: StatingMemory;
  /** What holds instead is said by `after`; else it says only that `before` no longer holds. */
  isReplaced: boolean;
  after: StatingMemory;
}

/** The memory that says that another no longer holds. */
export type MemoryEnd = Omit<Change, "before">;

/**
 * What came of a memory that was to be stored: ADD; UPDATE where it says what holds instead of an earlier memory; and
 * DELETE of each earlier memory that it ends without saying what holds instead. NOOP where it was known already.
 */
export async function resultsOf(ctx: MemoryReader, memory: Memory, isNew: boolean): Promise<Remembered[]> {
  const own = toRemembered(memory, isNew);
  if (!isNew) return [own];
  const changes = (await changesAround(ctx, memory)).filter(({ after }) => after.id === memory.id);
  const replaced = changes.findLast(({ isReplaced }) => isReplaced)?.before;
  const ended = new Map(
    changes.flatMap(({ before, isReplaced }) => (isReplaced ? [] : [[before.id, before] as const])),
  );
  const update = replaced && {
    event: "UPDATE" as const,
    previous_memory_id: replaced.id,
    previous_memory: textOf(replaced),
  };
  const deletions = [...ended.values()].map((each): Remembered => {
    return { ...toRemembered({ ...each, content: textOf(each) }, true), event: "DELETE" };
  });
  return [{ ...own, ...update }, ...deletions];
}

/** What took the place of a memory, or ended it, where nothing that it states holds any more. */
export async function endOf(ctx: MemoryReader, memory: Memory): Promise<MemoryEnd | undefined> {
  return (await changesAround(ctx, memory)).findLast(({ before }) => before.id === memory.id);
}

/** The changes between a memory and others of its slots, in the order of the slots. Two round trips. */
async function changesAround(ctx: MemoryReader, memory: Memory): Promise<Change[]> {
  const { id, user_id } = memory;
  const slots = [...new Set(slotsOf(memory))].filter(hasAttribute);
  if (user_id === undefined || slots.length === 0) return [];
  const { facts, memories } = await placeStated(ctx, [id], await latestOfSlots(ctx, user_id, slots));
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const values = facts.filter(tellsValue);
  const holding = new Set(values.filter(holds).map(({ memory_id }) => memory_id));
  return values.flatMap((fact): Change[] => {
    const closing = fact.superseded_by === undefined ? undefined : byId.get(fact.superseded_by);
    const [before, after] = [memories.get(fact.memory_id), closing && memories.get(closing.memory_id)];
    if (!closing || !before || !after || before.id === after.id || holding.has(before.id)) return [];
    return [{ before, after, isReplaced: tellsValue(closing) }];
  });
}

/** Of a memory that has just been stored, by what was read from it: its record alone names them. */
function slotsOf({ observed, observations = [] }: Memory): string[] {
  return observed?.drafts.map(slotOf) ?? observations.map(({ slot }) => slot);
}

function holds({ attribute, status }: PlacedFact): boolean {
  return attribute !== "" && (status === "current" || status === "planned");
}

/** Nothing of a text that is too long for its record: such a text is no statement. */
function textOf({ content = "" }: StatingMemory): string {
  return content;
}
