import { inParallel } from "../kernel/parallel.ts";
import type { FactCategory } from "../memory/extraction/schemas.ts";
import type { Memory } from "../memory/memory.ts";
import { findMemoryRecords, type MemoryReader } from "../memory/records.ts";
import { fromItem } from "../platform/item.ts";
import { queryPages } from "../platform/pages.ts";
import type { StoredRecord } from "../platform/ports.ts";
import { categoryOf } from "./category.ts";
import type { Act, Fact } from "./fact.ts";
import { byFactId, inSlot, type StoredFact, slotOf, toStoredFact } from "./records.ts";
import { hasAttribute, isOfNamed } from "./slot-key.ts";
import { placeFacts } from "./timeline.ts";

const PAGE = 1000;
/** Slots that are read for memories that name more, all at once; and facts of each: the latest. */
const MAX_SLOTS = 60;
const WIDTH = MAX_SLOTS;
const MAX_IN_SLOT = 100;
/** The latest facts of a slot that are placed among each other. */
const MAX_PLACED = 1000;

/** A fact as its reader finds it among the others of its slot. */
export type PlacedFact = Fact &
  Pick<StoredFact, "org" | "user_id" | "content" | "decisions" | "created_at" | "version"> & { category: FactCategory };

/** Of statements that tell a value, rather than that one ended or was called off. */
export const VALUE_ACTS: Act[] = ["state", "plan", "correct"];

export function tellsValue({ act }: Pick<Fact, "act">): boolean {
  return VALUE_ACTS.includes(act);
}

/** A slot of one user's facts, or of those of memories about nobody. */
export interface Slot {
  user_id?: string | undefined;
  slot: string;
}

/** What is known of a memory that names facts. */
type Naming = Pick<Memory, "id" | "user_id" | "observations">;

/** The facts of some slots of a user, slot by slot. Two round trips. */
export function factsOfSlots(ctx: MemoryReader, user: string | undefined, slots: string[]): Promise<PlacedFact[]> {
  return readSlots(
    ctx,
    slots.map((slot) => ({ user_id: user, slot })),
  );
}

/**
 * The facts of the slots that some memories speak of, those of other memories among them. Of memories about no user these
 * are the slots of somebody or something with a name; statements without an attribute have no slot. Two round trips.
 */
export function factsOfMemories(ctx: MemoryReader, memories: Naming[]): Promise<PlacedFact[]> {
  const named = memories.flatMap(({ user_id, observations = [] }) =>
    observations.map(({ slot }) => ({ ...(user_id !== undefined && { user_id }), slot })),
  );
  const comparable = named.filter(
    ({ user_id, slot }) => hasAttribute(slot) && (user_id !== undefined || isOfNamed(slot)),
  );
  return readSlots(ctx, comparable, { known: memories, slots: MAX_SLOTS, inSlot: MAX_IN_SLOT });
}

interface Bounds {
  known?: Naming[];
  slots?: number;
  inSlot?: number;
}

async function readSlots(
  ctx: MemoryReader,
  slots: Slot[],
  { known = [], slots: most = slots.length, inSlot: mostInSlot = MAX_PLACED }: Bounds = {},
): Promise<PlacedFact[]> {
  const distinct = [...new Map(slots.map((each) => [JSON.stringify([each.user_id, each.slot]), each])).values()];
  const read = await inParallel(distinct.slice(0, most), WIDTH, (slot) => readSlot(ctx, slot, mostInSlot));
  const visible = await visibleAmong(ctx, read.flat(), known);
  return read.flatMap((facts) => place(ctx, facts.filter(visible)));
}

/** The latest that was observed of a slot, whoever may see it; in the order of its time. */
async function readSlot(
  { ports, org }: MemoryReader,
  { user_id, slot }: Slot,
  most = MAX_PLACED,
): Promise<StoredFact[]> {
  const query = { ...inSlot(org, user_id, slot), limit: Math.min(PAGE, most), descending: true };
  const facts: StoredFact[] = [];
  for await (const items of queryPages(ports.records, query)) {
    facts.push(...items.map(toStoredFact).filter((fact) => fact.user_id === user_id && slotOf(fact) === slot));
    if (facts.length >= most) break;
  }
  return facts.reverse();
}

/** The facts of one slot that their reader may see, placed among each other. */
export function place({ clock }: Pick<MemoryReader, "clock">, facts: StoredFact[]): PlacedFact[] {
  // Whatever an observation has besides stays with it.
  const placed = placeFacts(facts, new Date(clock())) as (Fact & StoredFact)[];
  return placed.map((fact) => ({ ...fact, category: categoryOf(fact) }));
}

/** Tells which facts count for whoever reads: those whose memory it may see, and which that memory names. */
export async function visibleAmong(
  ctx: MemoryReader,
  facts: StoredFact[],
  known: Naming[] = [],
): Promise<(fact: StoredFact) => boolean> {
  const named = new Map(known.map((memory) => [memory.id, namedBy(memory)]));
  const unknown = new Set(facts.map(({ memory_id }) => memory_id).filter((id) => !named.has(id)));
  const records = unknown.size === 0 ? [] : await findMemoryRecords(ctx, [...unknown]);
  for (const memory of records.map((record) => fromItem<Memory>(record))) named.set(memory.id, namedBy(memory));
  return ({ id, memory_id }) => named.get(memory_id)?.has(id) === true;
}

function namedBy({ observations = [] }: Pick<Memory, "observations">): Set<string> {
  return new Set(observations.map(({ id }) => id));
}

/** A fact before it is placed, and the record of the memory that states it. */
export interface FactWithMemory {
  fact: StoredFact;
  memory: Memory;
}

/** Undefined for an absent and a foreign id, and for one whose memory the reader may not see, alike. */
export async function findStored(ctx: MemoryReader, id: string): Promise<FactWithMemory | undefined> {
  const { records } = ctx.ports;
  const [place] = (await records.query({ ...byFactId(ctx.org, id), limit: 1 })).items;
  const [fact, memory] = place === undefined ? [] : await readBoth(ctx, place);
  const isNamed = memory?.observations?.some((reference) => reference.id === id) === true;
  return fact && memory && isNamed ? { fact, memory } : undefined;
}

async function readBoth(ctx: MemoryReader, { pk, sk }: StoredRecord): Promise<[StoredFact?, Memory?]> {
  const memory_id = pk.slice(`${ctx.org}#`.length);
  const [record, [memory]] = await Promise.all([
    ctx.ports.records.get({ pk, sk }),
    findMemoryRecords(ctx, [memory_id]),
  ]);
  return [record && toStoredFact(record), memory && fromItem<Memory>(memory)];
}

/** A fact with all of its slot, itself included, in their order. */
export interface FactInSlot {
  fact: PlacedFact;
  history: PlacedFact[];
}

/** Undefined where there is no such fact for the reader. */
export async function findFact(ctx: MemoryReader, id: string): Promise<FactInSlot | undefined> {
  const found = await findStored(ctx, id);
  return found && placeInSlot(ctx, found.fact);
}

/** A fact among the others of its slot, which the index may not have yet: so it takes its own place there. */
export async function placeInSlot(ctx: MemoryReader, fact: StoredFact): Promise<FactInSlot | undefined> {
  const { user_id } = fact;
  const others = (await readSlot(ctx, { user_id, slot: slotOf(fact) })).filter(({ id }) => id !== fact.id);
  const visible = await visibleAmong(ctx, others);
  const history = place(ctx, [fact, ...others.filter(visible)]);
  const placed = history.find(({ id }) => id === fact.id);
  return placed && { fact: placed, history };
}
