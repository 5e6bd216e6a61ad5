import { invalid } from "../../kernel/errors.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { inParallel } from "../../kernel/parallel.ts";
import { createSlices } from "../../kernel/slices.ts";
import { normalizedName } from "../../kernel/text/normalized-name.ts";
import { takeTurn } from "../../kernel/turns.ts";
import { type FactStatus, USER } from "../../language/slots/fact.ts";
import { fromCursor, toCursor } from "../../ports/cursor.ts";
import { fromItem } from "../../ports/item.ts";
import { COUNT_CEILING, isTotal } from "../../ports/listing.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordQuery } from "../../ports/record-store.ts";
import { mentionPages } from "./entity-records.ts";
import {
  factsIn,
  type PlacedFact,
  placeAmongLatest,
  placeOnTimeline,
  statesValue,
  VALUE_ACTS,
  visibleAmong,
} from "./fact-reader.ts";
import {
  fromPosition,
  inSlot,
  inSlotsFrom,
  ownSlotOf,
  positionOf,
  type StoredFact,
  selects,
  slotOf,
  slotStartOf,
  toStoredFact,
} from "./facts/records.ts";
import { statusAt } from "./facts/timeline/timeline.ts";
import type { EntityReference, Memory } from "./memory.ts";
import { findMemoryRecords, type MemoryReader } from "./records.ts";

/** Minimum and maximum number of records per read. */
const MIN_READ = 50;
const MAX_READ = 500;
/** Maximum number of facts counted after the page if each must be checked; `total` stops there. */
const MAX_COUNTED = 500;

interface ListOptions {
  /** Number of records per read. */
  limit: number;
  signal: AbortSignal;
  /** The first slot. */
  from?: string | undefined;
}

export interface FactFilter {
  user_id?: string;
  /** In any spelling that maps to the same slot. */
  subject?: string;
  attribute?: string;
  status?: FactStatus;
  /** Epoch milliseconds: only facts that held then. */
  as_of?: number;
  /** Only facts that this memory states. */
  memory_id?: string;
  /** Only facts whose subject or value names this entity. */
  entity_id?: string;
}

/**
 * Returns one page of the facts that the reader may see, slot by slot, each slot in the order of time. Reads one slot for
 * a user's subject and attribute, the memories for a memory or an entity (newest first), otherwise all slots up to the
 * last counted fact. `total` stops at MAX_COUNTED after the page if each fact must be checked, otherwise at
 * COUNT_CEILING; it may include facts of memories deleted just before. Throws the signal's reason when it is aborted, and
 * VALIDATION_ERROR for a cursor that no page returned. Lists of a memory or an entity have none.
 */
export async function listFacts(
  ctx: MemoryReader,
  filter: FactFilter,
  { limit, offset, cursor }: PageRequest,
  signal: AbortSignal,
) {
  const start = cursor === undefined ? undefined : startAt(cursor, { ...filter, org: ctx.org, offset });
  const facts: PlacedFact[] = [];
  let matched = start?.before ?? 0;
  const first = Math.max(offset, matched);
  const end = first + limit;
  const isCountable = coversAll(ctx, filter);
  const countLimit = end + (isCountable || start?.total !== undefined ? 1 : MAX_COUNTED);
  const readLimit = Math.min(MAX_READ, Math.max(MIN_READ, 2 * end));
  let last: Omit<FactPosition, "total"> | undefined = start;
  for await (const slot of groupsOf(ctx, filter, { limit: readLimit, signal, from: start && slotStartOf(start.at) })) {
    for (const fact of after(start, matching(ctx, slot, filter))) {
      matched++;
      if (matched <= first || facts.length === limit) continue;
      facts.push(fact);
      last = { at: positionOf(fact), valid_from: fact.valid_from, before: matched };
    }
    if (matched >= countLimit) break;
  }
  const hasNext = matched > end;
  const counted = Math.min(matched, countLimit);
  const total = await totalOf(counted, {
    known: hasNext ? start?.total : undefined,
    count: hasNext && isCountable ? () => countFacts(ctx, filter, COUNT_CEILING) : undefined,
  });
  // A count that stopped is continued by the next page.
  const known = isCountable || start?.total !== undefined || matched < countLimit ? { total } : {};
  const next = hasNext && hasCursors(filter) && last !== undefined ? { cursor: toCursor({ ...last, ...known }) } : {};
  return { facts, total, hasNext, ...next };
}

/** Returns the known total or the count, at least what was counted on the way. */
async function totalOf(
  counted: number,
  { known, count }: { known: number | undefined; count: (() => Promise<number>) | undefined },
): Promise<number> {
  if (known !== undefined) return Math.max(known, counted);
  return count === undefined ? counted : count();
}

/** The last fact of a page, how many were listed up to it, and the total; cursors of earlier releases have none. */
interface FactPosition {
  at: string;
  valid_from: string;
  before: number;
  total?: number | undefined;
}

const MAX_POSITION = 1_000;

const hasCursors = ({ memory_id, entity_id }: FactFilter) => memory_id === undefined && entity_id === undefined;

/** Reads a cursor; the slot must be one that the filter selects. */
function startAt(cursor: string, filter: FactFilter & { org: string; offset: number }): FactPosition {
  const notACursor = () => invalid({ field: "cursor", problem: "must be the `next_cursor` of the page before" });
  if (filter.offset > 0) throw invalid({ field: "offset", problem: "is not used with `cursor`" });
  if (!hasCursors(filter)) throw invalid({ field: "cursor", problem: "is not used with memory_id or entity_id" });
  const { at, valid_from, before, total } = positionIn(cursor) ?? {};
  const isText = [at, valid_from].every((part) => typeof part === "string" && part.length <= MAX_POSITION);
  if (!isText || before === undefined || !isTotal(before) || !isTotal(total)) throw notACursor();
  const position = { at, valid_from, before, total } as FactPosition;
  const isSelected = queriesFor(filter.org, filter).some((query) => selects(query, position.at));
  if (!isSelected || slotStartOf(position.at) === undefined) throw notACursor();
  return position;
}

function positionIn(cursor: string): Partial<FactPosition> | undefined {
  try {
    return fromCursor<Partial<FactPosition> | null>(cursor) ?? undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Returns the facts after a position. Those of its slot are in order of their validity, and come in parts of the order in
 * which they were said; a part without the fact of the position, which is gone, is cut by validity.
 */
function after(start: FactPosition | undefined, facts: PlacedFact[]): PlacedFact[] {
  const slot = start && slotStartOf(start.at);
  const positions = facts.map(positionOf);
  if (start === undefined || slot === undefined || !positions.some((at) => at.startsWith(slot))) return facts;
  const index = positions.indexOf(start.at);
  if (index !== -1) return facts.slice(index + 1);
  if (positions.every((at) => at > start.at)) return facts;
  if (positions.every((at) => at < start.at)) return [];
  return facts.filter(({ valid_from }) => valid_from > start.valid_from);
}

/** Yields the facts that state a value, as `listFacts` does, without counting and paging. Throws the signal's reason. */
export async function* eachFact(
  ctx: MemoryReader,
  filter: FactFilter,
  signal: AbortSignal,
): AsyncGenerator<PlacedFact> {
  for await (const group of groupsOf(ctx, filter, { limit: MAX_READ, signal })) yield* matching(ctx, group, filter);
}

/** Whether the index alone gives the number of facts. */
function coversAll({ viewer }: MemoryReader, { user_id: _, ...filters }: FactFilter): boolean {
  return viewer === undefined && Object.values(filters).every((value) => value === undefined);
}

/** The number of facts of a user or of all, counted up to `upTo`, whatever the reader may see of them. */
export async function countFacts(
  { ports, org }: Pick<MemoryReader, "ports" | "org">,
  { user_id }: Pick<FactFilter, "user_id">,
  upTo: number,
): Promise<number> {
  const { index, pk, sk } = inSlotsFrom(org, user_id);
  await takeTurn(org);
  return ports.records.count({ index, pk, sk, where: { act: { oneOf: VALUE_ACTS } } }, upTo);
}

/** Returns the facts that state a value; facts about its end or cancellation are only in the history. */
function matching({ clock }: MemoryReader, slot: PlacedFact[], { status, as_of }: FactFilter): PlacedFact[] {
  const moment = new Date(as_of ?? clock());
  const values = slot.filter(statesValue);
  const held = as_of === undefined ? values : (statusAt(values, moment) as PlacedFact[]);
  return status === undefined ? held : held.filter((fact) => fact.status === status);
}

/** Yields the visible facts that a filter selects in groups of one slot, each placed on its timeline. */
function groupsOf(ctx: MemoryReader, filter: FactFilter, options: ListOptions): AsyncGenerator<PlacedFact[]> {
  const { memory_id, entity_id } = filter;
  if (memory_id !== undefined) return statedIn(ctx, [[memory_id]], filter, options);
  if (entity_id !== undefined)
    return statedIn(ctx, mentionPages(ctx.ports.records, ctx.org, entity_id), filter, options);
  return slotsOf(ctx, filter, options);
}

/** Slots of the facts of some memories that are read concurrently. */
const SLOTS_AT_ONCE = 8;

/** Yields the selected facts that these memories state, memory by memory, placed among the latest facts of their slots. */
async function* statedIn(
  ctx: MemoryReader,
  pages: Iterable<string[]> | AsyncIterable<string[]>,
  filter: FactFilter,
  { signal }: Pick<ListOptions, "signal">,
) {
  const nextSlice = createSlices({ org: ctx.org });
  for await (const ids of pages) {
    const memories = (await findMemoryRecords(ctx, ids)).map(fromItem<Memory>);
    const byId = new Map(memories.map((memory) => [memory.id, memory]));
    const selected = (await factsIn(ctx, memories)).filter(
      (fact) => isSelected(fact, filter) && isOfEntity(fact, byId.get(fact.memory_id), filter.entity_id),
    );
    const groups = [...Map.groupBy(selected, (fact) => `${fact.memory_id} ${ownSlotOf(fact)}`).values()];
    for (const placed of await inParallel(groups, SLOTS_AT_ONCE, (group) => placeAmongLatest(ctx, group))) yield placed;
    signal.throwIfAborted();
    await nextSlice();
  }
}

/** Whether a fact's subject or value has the name of the entity, as its memory spells it. */
function isOfEntity(fact: StoredFact, memory: Memory | undefined, entity_id: string | undefined): boolean {
  if (entity_id === undefined) return true;
  const named = memory?.entities.filter(({ id }) => id === entity_id) ?? [];
  return named.some((entity) => namesEntity(fact.subject, entity) || namesEntity(fact.value, entity));
}

/** Whether a text contains the words of an entity's name. */
function namesEntity(text: string, { name }: Pick<EntityReference, "name">): boolean {
  const wanted = normalizedName(name);
  return wanted !== "" && ` ${normalizedName(text)} `.includes(` ${wanted} `);
}

/** Maximum facts of a slot that are placed at once. */
const MAX_TOGETHER = 200;

/**
 * Yields the slots that a filter selects, one after the other, each with its facts on their timeline. A slot with more
 * than MAX_TOGETHER facts comes in parts, each placed among the latest facts of the slot: a page costs the same whatever
 * the slot has.
 */
async function* slotsOf(ctx: MemoryReader, filter: FactFilter, { limit, signal, from }: ListOptions) {
  const nextSlice = createSlices({ sliceMs: 3, org: ctx.org });
  await takeTurn(ctx.org);
  for (const query of queriesAfter(queriesFor(ctx.org, filter), from)) {
    let part: StoredFact[] = [];
    for await (const items of queryPages(ctx.ports.records, { ...query, limit })) {
      const selected = items.map(toStoredFact).filter((fact) => isSelected(fact, filter));
      const isVisible = await visibleAmong(ctx, selected);
      for (const fact of selected.filter(isVisible)) {
        const isSameSlot = part[0] !== undefined && ownSlotOf(part[0]) === ownSlotOf(fact);
        if (part[0] !== undefined && (!isSameSlot || part.length === MAX_TOGETHER)) {
          yield isSameSlot ? await placeAmongLatest(ctx, part) : placeOnTimeline(ctx, part);
          part = [];
          await nextSlice();
        }
        part.push(fact);
      }
      signal.throwIfAborted();
      await nextSlice();
    }
    if (part.length > 0) yield placeOnTimeline(ctx, part);
  }
}

/** Returns the queries from a slot on: a query before the one that has it is left out. */
function queriesAfter(queries: Omit<RecordQuery, "limit">[], from: string | undefined) {
  const first = from === undefined ? -1 : queries.findIndex((query) => selects(query, from));
  if (from === undefined || first === -1) return queries;
  return queries.slice(first).map((query, index) => (index === 0 ? fromPosition(query, from) : query));
}

/** Returns the queries for the facts of a filter. Properties of a thing are stored under the thing, not its owner. */
function queriesFor(org: string, { user_id, subject, attribute }: FactFilter): Omit<RecordQuery, "limit">[] {
  if (user_id === undefined || subject === undefined) return [inSlotsFrom(org, user_id)];
  if (attribute !== undefined) return [inSlot(org, user_id, slotOf({ subject, attribute }))];
  return [inSlotsFrom(org, user_id, slotPrefixOf(subject)), inSlotsFrom(org, user_id, slotPrefixOf(""))];
}

/** Returns the prefix of a subject's slots. */
const slotPrefixOf = (subject: string): string => slotOf({ subject, attribute: "" });

function isSelected(fact: StoredFact, { user_id, subject, attribute }: FactFilter): boolean {
  if (user_id !== undefined && fact.user_id !== user_id) return false;
  if (subject !== undefined && attribute !== undefined) return slotOf(fact) === slotOf({ subject, attribute });
  if (attribute !== undefined) return slotOf(fact) === slotOf({ subject: fact.subject, attribute });
  return subject === undefined || isAbout(fact, subject);
}

/** Whether a fact is about a subject. Facts about a thing are stored under its name, also with its owner as subject. */
function isAbout({ subject: own, attribute }: StoredFact, subject: string): boolean {
  if (slotPrefixOf(own) === slotPrefixOf(subject)) return true;
  const slot = slotOf({ subject, attribute });
  return slot === slotOf({ subject: USER, attribute }) && slot.startsWith(slotPrefixOf("")) && subject !== USER;
}
