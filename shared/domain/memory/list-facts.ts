import type { PageRequest } from "../../kernel/pagination.ts";
import { createSlices } from "../../kernel/slices.ts";
import { type FactStatus, USER } from "../../language/slots/fact.ts";
import { COUNT_CEILING } from "../../ports/listing.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordQuery } from "../../ports/ports.ts";
import { type PlacedFact, place, placeAmongLatest, statesValue, VALUE_ACTS, visibleAmong } from "./fact-reader.ts";
import { inSlot, inSlotsFrom, type StoredFact, slotOf, toStoredFact } from "./facts/records.ts";
import { statusAt } from "./facts/timeline/timeline.ts";
import type { MemoryReader } from "./records.ts";

/** Minimum and maximum number of records per read. */
const MIN_READ = 50;
const MAX_READ = 500;
/** Maximum number of facts counted after the page if each must be checked; `total` stops there. */
const MAX_COUNTED = 500;

interface ListOptions {
  /** Number of records per read. */
  limit: number;
  signal: AbortSignal;
}

export interface FactFilter {
  user_id?: string;
  /** In any spelling that maps to the same slot. */
  subject?: string;
  attribute?: string;
  status?: FactStatus;
  /** Epoch milliseconds: only facts that held then. */
  as_of?: number;
}

/**
 * Returns one page of the facts that the reader may see, slot by slot, each slot in the order of time. Reads one slot for
 * a user's subject and attribute, otherwise all slots up to the last counted fact. `total` stops at MAX_COUNTED after the
 * page if each fact must be checked, otherwise at COUNT_CEILING; it may include facts of memories deleted just before.
 * Throws the signal's reason when it is aborted.
 */
export async function listFacts(
  ctx: MemoryReader,
  filter: FactFilter,
  { limit, offset }: PageRequest,
  signal: AbortSignal,
) {
  const facts: PlacedFact[] = [];
  let matched = 0;
  const end = offset + limit;
  const isCountable = coversAll(ctx, filter);
  const countLimit = end + (isCountable ? 1 : MAX_COUNTED);
  const readLimit = Math.min(MAX_READ, Math.max(MIN_READ, 2 * end));
  for await (const slot of slotsOf(ctx, filter, { limit: readLimit, signal })) {
    for (const fact of matching(ctx, slot, filter)) {
      if (matched >= offset && facts.length < limit) facts.push(fact);
      matched++;
    }
    if (matched >= countLimit) break;
  }
  const hasNext = matched > end;
  const total = hasNext && isCountable ? await countFacts(ctx, filter, COUNT_CEILING) : Math.min(matched, countLimit);
  return { facts, total, hasNext };
}

/** Whether the index alone gives the number of facts. */
function coversAll({ viewer }: MemoryReader, { user_id: _, ...filters }: FactFilter): boolean {
  return viewer === undefined && Object.values(filters).every((value) => value === undefined);
}

/** The number of facts of a user or of all, counted up to `upTo`, whatever the reader may see of them. */
export function countFacts(
  { ports, org }: Pick<MemoryReader, "ports" | "org">,
  { user_id }: Pick<FactFilter, "user_id">,
  upTo: number,
): Promise<number> {
  const { index, pk, sk } = inSlotsFrom(org, user_id);
  return ports.records.count({ index, pk, sk, where: { act: { oneOf: VALUE_ACTS } } }, upTo);
}

/** Returns the facts that state a value; facts about its end or cancellation are only in the history. */
function matching({ clock }: MemoryReader, slot: PlacedFact[], { status, as_of }: FactFilter): PlacedFact[] {
  const moment = new Date(as_of ?? clock());
  const values = slot.filter(statesValue);
  const held = as_of === undefined ? values : (statusAt(values, moment) as PlacedFact[]);
  return status === undefined ? held : held.filter((fact) => fact.status === status);
}

/** Maximum facts of a slot that are placed at once. */
const MAX_TOGETHER = 200;

/**
 * Yields the slots that a filter selects, one after the other, each with its facts on their timeline. A slot with more
 * than MAX_TOGETHER facts comes in parts, each placed among the latest facts of the slot: a page costs the same whatever
 * the slot has.
 */
async function* slotsOf(ctx: MemoryReader, filter: FactFilter, { limit, signal }: ListOptions) {
  const nextSlice = createSlices();
  for (const query of queriesFor(ctx.org, filter)) {
    let part: StoredFact[] = [];
    for await (const items of queryPages(ctx.ports.records, { ...query, limit })) {
      const selected = items.map(toStoredFact).filter((fact) => isSelected(fact, filter));
      const isVisible = await visibleAmong(ctx, selected);
      for (const fact of selected.filter(isVisible)) {
        const isSameSlot = part[0] !== undefined && keyOf(part[0]) === keyOf(fact);
        if (part[0] !== undefined && (!isSameSlot || part.length === MAX_TOGETHER)) {
          yield isSameSlot ? await placeAmongLatest(ctx, part) : place(ctx, part);
          part = [];
          await nextSlice();
        }
        part.push(fact);
      }
      signal.throwIfAborted();
      await nextSlice();
    }
    if (part.length > 0) yield place(ctx, part);
  }
}

const keyOf = (fact: StoredFact): string => JSON.stringify([fact.user_id, slotOf(fact)]);

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
