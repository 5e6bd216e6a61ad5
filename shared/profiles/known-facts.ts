import { type PlacedFact, place } from "../facts/reader.ts";
import { inSlot, inSlotsFrom, type StoredFact, slotOf, statedIn, toStoredFact } from "../facts/records.ts";
import { BoundedMap } from "../kernel/bounded.ts";
import { inBatches } from "../kernel/parallel.ts";
import type { Memory } from "../memory/memory.ts";
import { findMemoryRecords, type MemoryReader, type StoredMemory } from "../memory/records.ts";
import { fromItem } from "../platform/item.ts";
import { queryPages } from "../platform/pages.ts";

const PAGE = 1000;
/** Memories whose records are read at once. */
const BATCH = 500;
/** The latest facts of a slot that are read; and of a memory, which has fewer. */
const MAX_IN_SLOT = 100;
const MAX_STATED = 200;
/** Users whose memories of facts a process remembers by their ids, and how many of one. */
const MAX_LAST_STATING = 200;
const MAX_REMEMBERED = 2000;

/** A memory that states facts; without its content where that is too long to be kept in its record. */
export type StatingMemory = Omit<Memory, "content" | "content_missing"> & { content: string | undefined };

/** Facts as their reader finds them, slot by slot, and the memories that state them. */
export interface KnownFacts {
  facts: PlacedFact[];
  memories: Map<string, StatingMemory>;
}

export const NO_FACTS: KnownFacts = { facts: [], memories: new Map() };

/** What was observed of a user, whoever may see it, at most so many facts. One query a thousand. */
async function observedOf(
  { ports, org }: Pick<MemoryReader, "ports" | "org">,
  user: string,
  most: number,
): Promise<StoredFact[]> {
  const facts: StoredFact[] = [];
  for await (const items of queryPages(ports.records, { ...inSlotsFrom(org, user), limit: Math.min(PAGE, most) })) {
    facts.push(...items.map(toStoredFact).filter(({ user_id }) => user_id === user));
    if (facts.length >= most) break;
  }
  return facts.slice(0, most);
}

/** The latest facts of some slots of a user, visible to the reader or not. One round trip. */
export async function latestOfSlots(
  { ports, org }: Pick<MemoryReader, "ports" | "org">,
  user: string,
  slots: string[],
): Promise<StoredFact[]> {
  const pages = await Promise.all(
    slots.map((slot) => ports.records.query({ ...inSlot(org, user, slot), limit: MAX_IN_SLOT, descending: true })),
  );
  return pages.flatMap(({ items }) => items.map(toStoredFact)).filter(({ user_id }) => user_id === user);
}

/**
 * The facts that some memories state, and others that were observed, as far as the reader may see them, placed among each
 * other: what it may not see closes nothing. One round trip.
 */
export async function placeStated(ctx: MemoryReader, ids: string[], observed: StoredFact[] = []): Promise<KnownFacts> {
  const [memories, stated] = await Promise.all([
    readMemories(ctx, [...ids, ...observed.map(({ memory_id }) => memory_id)]),
    Promise.all(ids.map((id) => ctx.ports.records.query({ ...statedIn(ctx.org, id), limit: MAX_STATED }))),
  ]);
  const facts = [...stated.flatMap(({ items }) => items.map(toStoredFact)), ...observed];
  return placeAmong(ctx, [...new Map(facts.map((fact) => [fact.id, fact])).values()], memories);
}

/** By organization and user, the memories that stated facts when these were last read. */
const lastStating = new BoundedMap<string, string[]>(MAX_LAST_STATING);

/**
 * What the reader may know of a user. Two round trips. One where no other memory states facts than when this process last
 * read them: then it reads the memories beside the facts. Both are read each time, so that nothing is stale.
 */
export async function knownOfUser(ctx: MemoryReader, user: string, most: number): Promise<KnownFacts> {
  const name = JSON.stringify([ctx.org, user]);
  const expected = lastStating.get(name) ?? [];
  const [observed, known] = await Promise.all([observedOf(ctx, user, most), readMemories(ctx, expected)]);
  const stating = [...new Set(observed.map(({ memory_id }) => memory_id))];
  const asked = new Set(expected);
  const further = await readMemories(
    ctx,
    stating.filter((id) => !asked.has(id)),
  );
  if (stating.length <= MAX_REMEMBERED) lastStating.set(name, stating);
  return placeAmong(ctx, observed, new Map([...known, ...further]));
}

async function readMemories(ctx: MemoryReader, ids: string[]): Promise<Map<string, StatingMemory>> {
  if (ids.length === 0) return new Map();
  const batches = inBatches([...new Set(ids)], BATCH);
  const records = await Promise.all(batches.map((batch) => findMemoryRecords(ctx, batch)));
  return new Map(
    records.flat().map((record) => {
      const memory = fromItem<StoredMemory & { content?: string }>(record);
      return [memory.id, { ...memory, content: memory.content }];
    }),
  );
}

function placeAmong(ctx: MemoryReader, facts: StoredFact[], memories: Map<string, StatingMemory>): KnownFacts {
  const visible = facts.filter(({ id, memory_id }) =>
    memories.get(memory_id)?.observations?.some((reference) => reference.id === id),
  );
  const slots = Map.groupBy(visible, (fact) => JSON.stringify([fact.user_id, slotOf(fact)]));
  return { facts: [...slots.values()].flatMap((slot) => place(ctx, slot)), memories };
}
