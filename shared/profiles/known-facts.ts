import { type PlacedFact, place } from "../facts/reader.ts";
import { inSlotsFrom, type StoredFact, slotOf, toStoredFact } from "../facts/records.ts";
import { inBatches } from "../kernel/parallel.ts";
import type { Memory } from "../memory/memory.ts";
import { findMemoryRecords, type MemoryReader, type StoredMemory } from "../memory/records.ts";
import { fromItem } from "../platform/item.ts";
import { queryPages } from "../platform/pages.ts";

const PAGE = 1000;
/** Memories whose records are read at once. */
const BATCH = 500;

/** A memory that states facts; without its content where that is too long to be kept in its record. */
export type StatingMemory = Omit<Memory, "content" | "content_missing"> & { content: string | undefined };

/** Facts as their reader finds them, slot by slot, and the memories that state them. */
export interface KnownFacts {
  facts: PlacedFact[];
  memories: Map<string, StatingMemory>;
}

export const NO_FACTS: KnownFacts = { facts: [], memories: new Map() };

/** What was observed of a user, whoever may see it, at most so many facts. One query a thousand. */
export async function observedOf(
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

/** The facts that the reader may see, placed among each other: what it may not see closes nothing. One round trip. */
export async function placeVisible(ctx: MemoryReader, observed: StoredFact[]): Promise<KnownFacts> {
  const ids = [...new Set(observed.map(({ memory_id }) => memory_id))];
  const records = await Promise.all(inBatches(ids, BATCH).map((batch) => findMemoryRecords(ctx, batch)));
  const memories = new Map(
    records.flat().map((record) => {
      const memory = fromItem<StoredMemory & { content?: string }>(record);
      return [memory.id, { ...memory, content: memory.content }];
    }),
  );
  const visible = observed.filter(({ id, memory_id }) =>
    memories.get(memory_id)?.observations?.some((reference) => reference.id === id),
  );
  const slots = Map.groupBy(visible, slotOf);
  return { facts: [...slots.values()].flatMap((slot) => place(ctx, slot)), memories };
}
