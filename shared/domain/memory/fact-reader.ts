import { inParallel } from "../../kernel/parallel.ts";
import { type Act, CARDINALITIES, type Fact } from "../../language/slots/fact.ts";
import { isOfNamed } from "../../language/slots/slot-key.ts";
import { KIN } from "../../language/slots/slots.ts";
import type { FactCategory } from "../../language/statements/schemas.ts";
import { fromItem } from "../../ports/item.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import { type CarriedDecision, toCarried } from "./facts/decisions.ts";
import {
  byFactId,
  type FactSourceRecord,
  factKey,
  inSlot,
  repeatedFact,
  type StoredFact,
  slotOf,
  toStoredFact,
} from "./facts/records.ts";
import { placeFacts } from "./facts/timeline/timeline.ts";
import type { Memory } from "./memory.ts";
import { findMemoryRecords, type MemoryReader, type RecordReader } from "./records.ts";

const PAGE_SIZE = 1000;
/** Maximum number of slots read for memories, all concurrently, and of facts in each slot: the latest ones. */
const MAX_SLOTS = 60;
const CONCURRENCY = MAX_SLOTS;
const MAX_IN_SLOT = 100;
/** The same for a prompt. */
const MAX_SLOTS_OF_PROMPT = 8;
const MAX_IN_SLOT_OF_PROMPT = 4;
/** Maximum number of facts in a slot that are placed on its timeline: the latest ones. */
const MAX_PLACED = 1000;

/** A fact with its place on the timeline of its slot, as the reader sees it. */
export type PlacedFact = Fact &
  Pick<
    StoredFact,
    "org" | "user_id" | "content" | "provenance" | "decisions" | "as_read" | "created_at" | "version"
  > & {
    category: FactCategory;
  };

/** Acts of statements that state a value, as opposed to its end or cancellation. */
export const VALUE_ACTS: Act[] = ["state", "plan", "correct"];

export function statesValue({ act }: Pick<Fact, "act">): boolean {
  return VALUE_ACTS.includes(act);
}

/** A slot of one user's facts, or of facts from memories without a user. */
export interface Slot {
  user_id?: string | undefined;
  slot: string;
}

/** The fields of a memory that identify its facts. */
type ReferencingMemory = Pick<Memory, "id" | "user_id" | "observations">;
/** The fields that also have the facts which a memory repeats. */
export type StatingRecord = FactSourceRecord & Pick<Memory, "observations">;

/** Returns the facts of some slots of a user, slot by slot. Two round trips. */
export function factsOfSlots(ctx: RecordReader, user_id: string | undefined, slots: string[]): Promise<PlacedFact[]> {
  const named = slots.map((slot) => ({ user_id, slot }));
  return readSlots(ctx, named);
}

/**
 * Returns all facts of the slots that these memories mention, in two round trips. For memories without a user, only
 * slots of a named person or thing count.
 */
export function factsOfMemories(ctx: MemoryReader, memories: ReferencingMemory[]): Promise<PlacedFact[]> {
  return readSlots(ctx, slotsOfMemories(memories), { ...LIMITS_OF_HITS, known: memories, consistent: false });
}

const LIMITS_OF_HITS = { slots: MAX_SLOTS, inSlot: MAX_IN_SLOT };

function slotsOfMemories(memories: ReferencingMemory[]): Slot[] {
  const named = memories.flatMap(({ user_id, observations = [] }) =>
    observations.map(({ slot }) => ({ ...(user_id !== undefined && { user_id }), slot })),
  );
  return named.filter(({ user_id, slot }) => user_id !== undefined || isOfNamed(slot));
}

/**
 * Returns the latest facts of some slots of a user, and the facts that these memories state, for a prompt: placed among
 * each other, so the cost does not depend on what else the slots of the memories have. Two round trips.
 */
export async function latestFactsAround(
  ctx: RecordReader,
  user_id: string,
  slots: string[],
  memories: StatingRecord[],
): Promise<PlacedFact[]> {
  const [stated, ...latest] = await Promise.all([
    factsIn(ctx, memories, { consistent: false }),
    ...slots.slice(0, MAX_SLOTS_OF_PROMPT).map((slot) => readSlot(ctx, { user_id, slot }, MAX_IN_SLOT_OF_PROMPT)),
  ]);
  const facts = [...new Map([...stated, ...latest.flat()].map((fact) => [fact.id, fact])).values()];
  const visible = await visibleAmong(ctx, facts, { known: memories, consistent: false });
  return [...Map.groupBy(facts.filter(visible), slotOf).values()].flatMap((own) => placeOnTimeline(ctx, own));
}

/** Maximum times that the facts of slots are placed until those that decide are visible; then all are checked. */
const MAX_PLACINGS = 3;

/** What an index found for the reader, and which placed facts decide about it. */
export interface Concern {
  /** Whether the index found the memory for the reader. */
  isFound: (memory_id: string) => boolean;
  decisive: (facts: PlacedFact[]) => PlacedFact[];
}

/**
 * Does the same for a reader who may see all memories that exist, with fewer reads: of the facts of other memories, only
 * those that decide about what was found are checked. The others may be of memories that were just deleted.
 */
export async function factsOfFound(
  ctx: MemoryReader,
  memories: ReferencingMemory[],
  { isFound, decisive }: Concern,
): Promise<PlacedFact[]> {
  const slots = await readFactsOfSlots(ctx, slotsOfMemories(memories), LIMITS_OF_HITS);
  const checked = new Map(memories.map((memory) => [memory.id, referencedFacts(memory)]));
  const mayCount = ({ id, memory_id }: StoredFact) => checked.get(memory_id)?.has(id) ?? true;
  const isUnknown = ({ memory_id }: PlacedFact) => !checked.has(memory_id) && !isFound(memory_id);
  for (let placing = 1; ; placing++) {
    const placed = slots.flatMap((facts) => placeOnTimeline(ctx, facts.filter(mayCount)));
    if (!placed.some(isUnknown)) return placed;
    const unknown = (placing < MAX_PLACINGS ? decisive(placed) : placed).filter(isUnknown);
    if (unknown.length === 0) return placed;
    const ids = new Set(unknown.map(({ memory_id }) => memory_id));
    const references = await referencesOf(ctx, [...ids], { consistent: false });
    for (const id of ids) checked.set(id, references.get(id) ?? new Set());
    if (unknown.every(mayCount)) return placed;
  }
}

const UNBOUNDED = {
  known: [] as ReferencingMemory[],
  slots: Number.POSITIVE_INFINITY,
  inSlot: MAX_PLACED,
  consistent: true,
};

async function readSlots(ctx: RecordReader, slots: Slot[], limits = UNBOUNDED): Promise<PlacedFact[]> {
  const read = await readFactsOfSlots(ctx, slots, limits);
  const visible = await visibleAmong(ctx, read.flat(), limits);
  return read.flatMap((facts) => placeOnTimeline(ctx, facts.filter(visible)));
}

/** Returns the latest facts of some slots, slot by slot, visible or not. */
function readFactsOfSlots(ctx: RecordReader, slots: Slot[], limits: typeof LIMITS_OF_HITS): Promise<StoredFact[][]> {
  const distinct = [...new Map(slots.map((slot) => [JSON.stringify([slot.user_id, slot.slot]), slot])).values()];
  return inParallel(distinct.slice(0, limits.slots), CONCURRENCY, (slot) => readSlot(ctx, slot, limits.inSlot));
}

/** Returns the latest facts of a slot in the order of time, visible or not. */
async function readSlot({ ports, org }: RecordReader, { user_id, slot }: Slot, max = MAX_PLACED) {
  const query = { ...inSlot(org, user_id, slot), limit: Math.min(PAGE_SIZE, max), descending: true };
  const facts: StoredFact[] = [];
  for await (const items of queryPages(ports.records, query)) {
    facts.push(...items.map(toStoredFact).filter((fact) => fact.user_id === user_id && slotOf(fact) === slot));
    if (facts.length >= max) break;
  }
  return facts.reverse();
}

/** Places the facts of one slot that the reader may see on its timeline. */
export function placeOnTimeline({ clock }: Pick<MemoryReader, "clock">, facts: StoredFact[]): PlacedFact[] {
  // Placing keeps the other fields of a stored fact.
  const placed = placeFacts(facts.filter(isOfSlot), new Date(clock())) as (Fact & StoredFact)[];
  return placed.map((fact) => ({ ...fact, category: categoryOf(fact) }));
}

/** Whether a fact has a slot, by the rules or by a person; statements that earlier releases stored as facts have none. */
function isOfSlot({ cardinality, attribute, decisions }: StoredFact): boolean {
  return CARDINALITIES.includes(cardinality) || (attribute !== "" && decisions !== undefined);
}

/** Places some visible facts of one slot among its latest ones, and returns them alone. */
export async function placeAmongLatest(ctx: MemoryReader, facts: StoredFact[]): Promise<PlacedFact[]> {
  const [first] = facts;
  if (first === undefined) return [];
  const own = new Set(facts.map(({ id }) => id));
  const latest = await readSlot(ctx, { user_id: first.user_id, slot: slotOf(first) }, MAX_IN_SLOT);
  const isVisible = await visibleAmong(ctx, latest);
  const others = latest.filter((fact) => !own.has(fact.id) && isVisible(fact));
  return placeOnTimeline(ctx, [...facts, ...others]).filter(({ id }) => own.has(id));
}

/** Returns a test for the facts that count for the reader: it may see their memory, and that memory references them. */
export async function visibleAmong(
  ctx: RecordReader,
  facts: StoredFact[],
  { known, consistent }: Pick<typeof UNBOUNDED, "known" | "consistent"> = UNBOUNDED,
) {
  const named = new Map(known.map((memory) => [memory.id, referencedFacts(memory)]));
  const unknown = new Set(facts.map(({ memory_id }) => memory_id).filter((id) => !named.has(id)));
  for (const [id, references] of await referencesOf(ctx, [...unknown], { consistent })) named.set(id, references);
  return ({ id, memory_id }: StoredFact) => named.get(memory_id)?.has(id) === true;
}

/** Returns the facts that the memories reference which the reader may see, by memory. */
async function referencesOf(ctx: RecordReader, ids: string[], options: Pick<typeof UNBOUNDED, "consistent">) {
  const records = ids.length === 0 ? [] : await findMemoryRecords(ctx, ids, options);
  return new Map(records.map(fromItem<Memory>).map((memory) => [memory.id, referencedFacts(memory)]));
}

function referencedFacts({ observations = [] }: Pick<Memory, "observations">): Set<string> {
  return new Set(observations.map(({ id }) => id));
}

/** Returns the facts that some memories reference, in this order. Reads those that the memories do not repeat. */
export async function factsIn(
  { ports, org }: Pick<RecordReader, "ports" | "org">,
  memories: StatingRecord[],
  options?: Parameters<RecordStore["getMany"]>[1],
): Promise<StoredFact[]> {
  const stated = memories.flatMap((memory) =>
    (memory.observations ?? []).map((reference) => {
      return { id: reference.id, memory_id: memory.id, fact: repeatedFact(memory, reference) };
    }),
  );
  const keys = stated.flatMap(({ id, memory_id, fact }) => (fact === undefined ? factKey(org, memory_id, id) : []));
  const records = keys.length === 0 ? [] : await ports.records.getMany(keys, options);
  const found = new Map(records.map((record) => [String(record.id), toStoredFact(record)]));
  return stated.flatMap(({ id, fact }) => fact ?? found.get(id) ?? []);
}

/** A fact without its place on the timeline, and the record of the memory that states it. */
export interface FactWithMemory {
  fact: StoredFact;
  memory: Memory;
}

/** Returns undefined for a missing or foreign id, and for a fact whose memory the reader may not see. */
export async function findStored(ctx: MemoryReader, id: string): Promise<FactWithMemory | undefined> {
  const { records } = ctx.ports;
  const [indexed] = (await records.query({ ...byFactId(ctx.org, id), limit: 1 })).items;
  if (!indexed) return undefined;
  const { pk, sk } = indexed;
  const memory_id = pk.slice(`${ctx.org}#`.length);
  const [record, [found]] = await Promise.all([records.get({ pk, sk }), findMemoryRecords(ctx, [memory_id])]);
  const memory = found && fromItem<Memory>(found);
  const isNamed = memory?.observations?.some((reference) => reference.id === id) === true;
  return record && memory && isNamed ? { fact: toStoredFact(record), memory } : undefined;
}

/** Returns the decisions about the facts of some memories, by memory id; costs no read if there are none. */
export async function decisionsOf({ ports, org }: Pick<MemoryReader, "ports" | "org">, memories: ReferencingMemory[]) {
  const keys = memories.flatMap(({ id, observations = [] }) =>
    observations.filter(({ is_decided }) => is_decided).map((fact) => factKey(org, id, fact.id)),
  );
  const facts = keys.length === 0 ? [] : (await ports.records.getMany(keys)).map(toStoredFact);
  const found = new Map(facts.map((fact) => [fact.id, toCarried(fact)]));
  const decided = memories.map(({ id, observations = [] }): [string, CarriedDecision[]] => {
    return [id, observations.flatMap((reference) => found.get(reference.id) ?? [])];
  });
  return new Map(decided.filter(([, carried]) => carried.length > 0));
}

/** A fact with all facts of its slot, including itself, in order. */
export interface FactInSlot {
  fact: PlacedFact;
  history: PlacedFact[];
}

/** Returns undefined if the reader may see no such fact. */
export async function findFact(ctx: MemoryReader, id: string): Promise<FactInSlot | undefined> {
  const found = await findStored(ctx, id);
  return found && placeInSlot(ctx, found.fact);
}

/** Returns a fact among the others of its slot. It is added explicitly, because the index may not have it yet. */
export async function placeInSlot(ctx: MemoryReader, fact: StoredFact): Promise<FactInSlot | undefined> {
  const { user_id } = fact;
  const others = (await readSlot(ctx, { user_id, slot: slotOf(fact) })).filter(({ id }) => id !== fact.id);
  const visible = await visibleAmong(ctx, others);
  const history = placeOnTimeline(ctx, [fact, ...others.filter(visible)]);
  const placed = history.find(({ id }) => id === fact.id);
  return placed && { fact: placed, history };
}

const PREFERENCES = new Set(["likes", "dislikes", "prefers", "instruction", "diet", "afraid_of"]);
const RELATIONSHIPS = new Set([...KIN.values(), "relationship_status"]);

/** Returns the category of a fact, one of the categories that memories use for their facts. */
function categoryOf({ attribute, act }: Fact): FactCategory {
  if (act === "plan" || act === "cancel" || attribute === "plan") return "plan";
  if (PREFERENCES.has(attribute) || attribute.startsWith("favourite_")) return "preference";
  if (RELATIONSHIPS.has(attribute)) return "relationship";
  return attribute.startsWith("date_of ") ? "event" : "attribute";
}
