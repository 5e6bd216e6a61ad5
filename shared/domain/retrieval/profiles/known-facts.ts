import { LRUCache } from "lru-cache";
import { inBatches } from "../../../kernel/parallel.ts";
import { createSlices } from "../../../kernel/slices.ts";
import { compareTexts } from "../../../kernel/strings.ts";
import { USER } from "../../../language/slots/fact.ts";
import { fromItem } from "../../../ports/item.ts";
import type { MemoryScope } from "../../../runtime/context.ts";
import { factsIn, type PlacedFact, placeOnTimeline } from "../../memory/fact-reader.ts";
import {
  betweenSlots,
  fromSlot,
  inSlot,
  orderOfSlot,
  ownSlotOf,
  type StoredFact,
  slotOf,
  toStoredFact,
} from "../../memory/facts/records.ts";
import type { Memory } from "../../memory/memory.ts";
import { findMemoryRecords, type MemoryReader, type StoredMemory } from "../../memory/records.ts";
import { isHearsay } from "../../memory/writer.ts";

const PAGE = 1000;
/** Number of memories whose records are read at once. */
const BATCH = 500;
/** Maximum number of latest facts read per slot. */
const MAX_IN_SLOT = 100;
/** Maximum number of slots around some memories, of the latest facts of each, and of those of a standing slot. */
const MAX_SLOTS_AROUND = 8;
const LATEST_AROUND = 2;
const LATEST_STANDING = 6;
/** Maximum number of users whose fact-stating memories a process caches by id, and of ids per user. */
const MAX_LAST_STATING = 200;
const MAX_CACHED_IDS = 2000;

/** A reader that stops when its request ends. */
type RequestReader = MemoryReader & Pick<MemoryScope, "request">;
/** What placing facts needs of it. */
type Placing = Pick<RequestReader, "clock" | "org" | "request">;

/** A memory that states facts; its content is undefined if it is too long for its record. */
export type StatingMemory = Omit<Memory, "content" | "content_missing"> & { content: string | undefined };

/** The fields of a memory that are needed to place and render its facts; the memory need not be stored. */
export type FactMemory = Pick<
  StatingMemory,
  "id" | "content" | "metadata" | "type" | "labels" | "agent_id" | "is_foreign" | "observations"
>;

/** Facts as visible to the reader, placed slot by slot, and the memories that state them. */
export interface KnownFacts<Stating extends FactMemory = StatingMemory> {
  facts: PlacedFact[];
  memories: Map<string, Stating>;
}

export const NO_FACTS: KnownFacts = { facts: [], memories: new Map() };

/** Facts before placement, and the memories that state them. */
export interface StatedFacts<Stating extends FactMemory = StatingMemory> {
  facts: StoredFact[];
  memories: Map<string, Stating>;
}

/**
 * Returns the facts observed of a user, whatever their visibility, up to a maximum: of each slot the latest ones. One
 * query per thousand facts, and two per slot with more than MAX_IN_SLOT, whatever their number.
 */
async function observedOf(ctx: RequestReader, user: string, max: number): Promise<StoredFact[]> {
  const { ports, org } = ctx;
  const facts: StoredFact[] = [];
  let query = fromSlot(org, user, "");
  while (true) {
    ctx.request?.signal?.throwIfAborted();
    const { items, cursor } = await ports.records.query({ ...query, limit: PAGE });
    const slots = Map.groupBy(items.map(toStoredFact), slotOf);
    // The slot that ends a page may continue, so that it is read again.
    const last = cursor === undefined ? undefined : [...slots.keys()].at(-1);
    for (const [slot, own] of slots) {
      if (own.length > MAX_IN_SLOT) facts.push(...(await latestOfSlots(ctx, user, [slot])));
      else if (slot !== last) facts.push(...own.filter(({ user_id }) => user_id === user));
    }
    if (last === undefined || facts.length >= max) return facts.slice(0, max);
    query = fromSlot(org, user, last, { isAfter: (slots.get(last) ?? []).length > MAX_IN_SLOT });
  }
}

/** Returns the latest facts of some slots of a user, whatever their visibility. One round trip. */
export async function latestOfSlots(
  { ports, org }: Pick<MemoryReader, "ports" | "org">,
  user: string,
  slots: string[],
  limit = MAX_IN_SLOT,
): Promise<StoredFact[]> {
  const pages = await Promise.all(
    slots.map((slot) => ports.records.query({ ...inSlot(org, user, slot), limit, descending: true })),
  );
  return pages.flatMap(({ items }) => items.map(toStoredFact)).filter(({ user_id }) => user_id === user);
}

/** Facts per read of neighbouring slots, and maximum reads one after another; fewest slots to begin, and to go on. */
const NEIGHBOURS = { page: 60, reads: 3, first: 10, further: 3 };
/** What the user's own slots begin with, which are neighbours in the index. */
const OWN_SLOTS = slotOf({ subject: USER, attribute: "" });

/**
 * Returns the latest facts of many slots of a user, whatever their visibility. The user's own slots are read together, as
 * far as they are short. At most three more round trips than one query for each slot.
 */
export async function latestOfManySlots(
  ctx: Pick<MemoryReader, "ports" | "org">,
  user: string,
  slots: string[],
  limit: number,
): Promise<StoredFact[]> {
  const { yes: own = [], no: others = [] } = Object.groupBy(slots, (slot) =>
    slot.startsWith(OWN_SLOTS) ? "yes" : "no",
  );
  const [{ bySlot, rest }, apart] = await Promise.all([
    readNeighbours(ctx, user, own, limit),
    latestOfSlots(ctx, user, others, limit),
  ]);
  const further = await latestOfSlots(ctx, user, rest, limit);
  for (const [slot, facts] of Map.groupBy([...apart, ...further], slotOf)) bySlot.set(slot, facts);
  return slots.flatMap((slot) => bySlot.get(slot) ?? []).filter(({ user_id }) => user_id === user);
}

/** Returns the latest facts of neighbouring slots by slot, and the slots that are left to read. */
async function readNeighbours(
  { ports, org }: Pick<MemoryReader, "ports" | "org">,
  user: string,
  slots: string[],
  limit: number,
): Promise<{ bySlot: Map<string, StoredFact[]>; rest: string[] }> {
  const bySlot = new Map<string, StoredFact[]>();
  let rest = slots.toSorted((one, other) => Buffer.compare(bytesOf(one), bytesOf(other)));
  let found = slots.length < NEIGHBOURS.first ? 0 : slots.length;
  for (let reads = 0; reads < NEIGHBOURS.reads && rest.length > 0 && found >= NEIGHBOURS.further; reads++) {
    const ends: [string, string] = [rest[0] ?? "", rest.at(-1) ?? ""];
    const query = { ...betweenSlots(org, user, ends), limit: NEIGHBOURS.page, descending: true };
    const { items, cursor } = await ports.records.query(query);
    const read = Map.groupBy(items.map(toStoredFact), slotOf);
    // The page may end within this slot.
    const last = cursor === undefined ? undefined : [...read.keys()].at(-1);
    const isRead = (slot: string) => {
      if (last === undefined) return true;
      if (slot === last) return (read.get(slot) ?? []).length >= limit;
      return Buffer.compare(bytesOf(slot), bytesOf(last)) > 0;
    };
    const { yes = [], no = [] } = Object.groupBy(rest, (slot) => (isRead(slot) ? "yes" : "no"));
    for (const slot of yes) bySlot.set(slot, (read.get(slot) ?? []).slice(0, limit));
    rest = no;
    found = yes.length;
  }
  return { bySlot, rest };
}

const bytesOf = (slot: string): Buffer => Buffer.from(orderOfSlot(slot));

/**
 * Returns the facts that some memories state, and other observed facts, as far as the reader may see them, placed among
 * each other: facts that the reader may not see close nothing. Two round trips, whatever the number of memories.
 */
export async function placeStated(ctx: MemoryReader, ids: string[], observed: StoredFact[] = []): Promise<KnownFacts> {
  const memories = await readMemories(ctx, [...ids, ...observed.map(({ memory_id }) => memory_id)]);
  const facts = [...(await readStated(ctx, ids, memories)), ...observed];
  return placeStatedFacts(ctx, { facts: [...new Map(facts.map((fact) => [fact.id, fact])).values()], memories });
}

/**
 * Returns what a user's memories state, with the latest facts of the same slots and of `standing` ones, placed among
 * each other. Its cost depends on the number of memories and slots, not on how much is known of the user.
 */
export async function knownAround(
  ctx: MemoryReader,
  user: string,
  ids: string[],
  standing: string[],
): Promise<KnownFacts> {
  const stating = await readMemories(ctx, ids);
  const references = [...stating.values()].flatMap(({ observations = [] }) => observations);
  const slots = [...new Set(references.map(({ slot }) => slot))].filter((slot) => !standing.includes(slot));
  const [stated, ...latest] = await Promise.all([
    readStated(ctx, ids, stating),
    latestOfSlots(ctx, user, slots.slice(0, MAX_SLOTS_AROUND), LATEST_AROUND),
    latestOfSlots(ctx, user, standing, LATEST_STANDING),
  ]);
  const facts = [...new Map([...stated, ...latest.flat()].map((fact) => [fact.id, fact])).values()];
  const others = await readMemories(
    ctx,
    facts.map(({ memory_id }) => memory_id).filter((id) => !stating.has(id)),
  );
  return placeStatedFacts(ctx, { facts, memories: new Map([...stating, ...others]) });
}

/** Returns the facts that these memories reference, memory by memory, by id. */
function readStated(ctx: MemoryReader, ids: string[], memories: Map<string, StatingMemory>): Promise<StoredFact[]> {
  const stating = ids.flatMap((id) => memories.get(id) ?? []);
  const inOrder = stating.map(({ observations = [], ...memory }) => {
    return { ...memory, observations: observations.toSorted((one, other) => compareTexts(one.id, other.id)) };
  });
  return factsIn(ctx, inOrder, { consistent: false });
}

/** The memories that stated facts at the last read, by organization and user. */
const lastStating = new LRUCache<string, string[]>({ max: MAX_LAST_STATING });

/**
 * Returns the facts observed of a user, with the memories that the reader may see. Two round trips, or one if no other
 * memories state facts than at this process's last read: those are read concurrently with the facts. Both are read
 * each time, so nothing is stale.
 */
export async function statedOfUser(ctx: RequestReader, user: string, max: number): Promise<StatedFacts> {
  const name = JSON.stringify([ctx.org, user]);
  const expected = lastStating.get(name) ?? [];
  const [observed, known] = await Promise.all([observedOf(ctx, user, max), readMemories(ctx, expected)]);
  const stating = [...new Set(observed.map(({ memory_id }) => memory_id))];
  const requested = new Set(expected);
  const further = await readMemories(
    ctx,
    stating.filter((id) => !requested.has(id)),
  );
  if (stating.length <= MAX_CACHED_IDS) lastStating.set(name, stating);
  return { facts: observed, memories: new Map([...known, ...further]) };
}

export async function readMemories(ctx: MemoryReader, ids: string[]): Promise<Map<string, StatingMemory>> {
  if (ids.length === 0) return new Map();
  const batches = inBatches([...new Set(ids)], BATCH);
  const records = await Promise.all(batches.map((batch) => findMemoryRecords(ctx, batch, { consistent: false })));
  return new Map(
    records.flat().map((record) => {
      const memory = fromItem<StoredMemory & { content?: string }>(record);
      return [memory.id, { ...memory, content: memory.content }];
    }),
  );
}

/** Places the facts whose memories are given; the reader may not see the others. */
export async function placeStatedFacts<Stating extends FactMemory>(
  ctx: Placing,
  { facts, memories }: StatedFacts<Stating>,
): Promise<KnownFacts<Stating>> {
  const visible = facts.filter(({ id, memory_id }) =>
    memories.get(memory_id)?.observations?.some((reference) => reference.id === id),
  );
  const slots = Map.groupBy(visible, ownSlotOf);
  const isTold = (fact: StoredFact) => isHearsay(memories.get(fact.memory_id) ?? { metadata: {} });
  const nextSlice = createSlices({ org: ctx.org });
  const placed: PlacedFact[] = [];
  for (const slot of slots.values()) {
    placed.push(...placeWithHearsay(ctx, slot, isTold));
    await nextSlice();
    ctx.request?.signal?.throwIfAborted();
  }
  return { facts: placed, memories };
}

/** Places the facts of a slot so that what agents heard ends nothing that others said. */
function placeWithHearsay(
  ctx: Pick<MemoryReader, "clock">,
  slot: StoredFact[],
  isTold: (fact: StoredFact) => boolean,
): PlacedFact[] {
  const own = slot.filter((fact) => !isTold(fact));
  if (own.length === slot.length) return placeOnTimeline(ctx, slot);
  const ids = new Set(own.map(({ id }) => id));
  return [...placeOnTimeline(ctx, own), ...placeOnTimeline(ctx, slot).filter(({ id }) => !ids.has(id))];
}
