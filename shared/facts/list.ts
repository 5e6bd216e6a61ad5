import type { PageRequest } from "../kernel/pagination.ts";
import type { MemoryReader } from "../memory/records.ts";
import { COUNT_CEILING } from "../platform/listing.ts";
import { queryPages } from "../platform/pages.ts";
import type { RecordQuery } from "../platform/ports.ts";
import { type FactStatus, USER } from "./fact.ts";
import { type PlacedFact, place, tellsValue, VALUE_ACTS, visibleAmong } from "./reader.ts";
import { inSlot, inSlotsFrom, type StoredFact, slotOf, toStoredFact } from "./records.ts";
import { statusAt } from "./timeline.ts";

/** Records that are read at a time. */
const MIN_READ = 50;
const MAX_READ = 500;
/** Facts behind the page that are counted where each must be looked at; a list with more says as many in `total`. */
const MAX_COUNTED = 500;

export interface FactFilter {
  user_id?: string;
  /** In any spelling that makes the same slot. */
  subject?: string;
  attribute?: string;
  status?: FactStatus;
  /** Epoch milliseconds: what held then. */
  as_of?: number;
}

export interface FactPage {
  facts: PlacedFact[];
  /**
   * Where a filter or a viewer asks for a look at each fact, at most MAX_COUNTED more than the page; else it stops at
   * COUNT_CEILING, and counts facts of a memory that is gone until they are removed, which is soon.
   */
  total: number;
  hasNext: boolean;
}

/**
 * One page of the facts that the reader may see, slot by slot, each slot in the order of its time. Costs what the slots
 * hold that it looks at: of a user's subject and attribute one slot, without them those up to the end of what is counted.
 */
export async function listFacts(
  ctx: MemoryReader,
  filter: FactFilter,
  { limit, offset }: PageRequest,
): Promise<FactPage> {
  const facts: PlacedFact[] = [];
  let matched = 0;
  const end = offset + limit;
  const isWhole = coversAll(ctx, filter);
  const counted = end + (isWhole ? 1 : MAX_COUNTED);
  const atOnce = Math.min(MAX_READ, Math.max(MIN_READ, 2 * end));
  for await (const slot of slotsOf(ctx, filter, atOnce)) {
    for (const fact of matching(slot, filter)) {
      if (matched >= offset && facts.length < limit) facts.push(fact);
      matched++;
    }
    if (matched >= counted) break;
  }
  const hasNext = matched > end;
  const total = hasNext && isWhole ? await countAll(ctx, filter) : Math.min(matched, counted);
  return { facts, total, hasNext };
}

/** Whether the index alone tells how many facts there are. */
function coversAll({ viewer }: MemoryReader, { user_id: _, ...narrowing }: FactFilter): boolean {
  return viewer === undefined && Object.values(narrowing).every((value) => value === undefined);
}

function countAll({ ports, org }: MemoryReader, { user_id }: FactFilter): Promise<number> {
  const { index, pk, sk } = inSlotsFrom(org, user_id);
  return ports.records.count({ index, pk, sk, where: { act: { oneOf: VALUE_ACTS } } }, COUNT_CEILING);
}

/** Those that tell a value; that one ended, or was called off, is in the history. */
function matching(slot: PlacedFact[], { status, as_of }: FactFilter): PlacedFact[] {
  const values = slot.filter(tellsValue);
  const seen = as_of === undefined ? values : (statusAt(slot, new Date(as_of)) as PlacedFact[]);
  return status === undefined ? seen : seen.filter((fact) => fact.status === status);
}

/** The slots that a filter names, one after the other, each placed. */
async function* slotsOf(ctx: MemoryReader, filter: FactFilter, limit: number): AsyncGenerator<PlacedFact[]> {
  for (const query of queriesFor(ctx.org, filter)) {
    for await (const slots of visibleSlots(ctx, { ...query, limit }, (fact) => isMeant(fact, filter))) yield* slots;
  }
}

/** Whole slots of a query, a page's at a time: one may go on in the next page. */
async function* visibleSlots(
  ctx: MemoryReader,
  query: RecordQuery,
  isWanted: (fact: StoredFact) => boolean,
): AsyncGenerator<PlacedFact[][]> {
  let open: StoredFact[] = [];
  for await (const items of queryPages(ctx.ports.records, query)) {
    const wanted = items.map(toStoredFact).filter(isWanted);
    const isVisible = await visibleAmong(ctx, wanted);
    const slots = bySlot([...open, ...wanted.filter(isVisible)]);
    open = slots.pop() ?? [];
    yield slots.map((slot) => place(ctx, slot));
  }
  if (open.length > 0) yield [place(ctx, open)];
}

function bySlot(facts: StoredFact[]): StoredFact[][] {
  return [...Map.groupBy(facts, (fact) => JSON.stringify([fact.user_id, slotOf(fact)])).values()];
}

/** Where the facts of a filter are. What a thing has is kept under the thing, whoever's it is. */
function queriesFor(org: string, { user_id, subject, attribute }: FactFilter): Omit<RecordQuery, "limit">[] {
  if (user_id === undefined || subject === undefined) return [inSlotsFrom(org, user_id)];
  if (attribute !== undefined) return [inSlot(org, user_id, slotOf({ subject, attribute }))];
  return [inSlotsFrom(org, user_id, beginningOf(subject)), inSlotsFrom(org, user_id, beginningOf(""))];
}

/** How the slots of a subject begin. */
const beginningOf = (subject: string): string => slotOf({ subject, attribute: "" });

function isMeant(fact: StoredFact, { user_id, subject, attribute }: FactFilter): boolean {
  if (user_id !== undefined && fact.user_id !== user_id) return false;
  if (subject !== undefined && attribute !== undefined) return slotOf(fact) === slotOf({ subject, attribute });
  if (attribute !== undefined) return slotOf(fact) === slotOf({ subject: fact.subject, attribute });
  return subject === undefined || isAbout(fact, subject);
}

/** Facts of a thing are kept under its name, whether it or its owner is their subject. */
function isAbout({ subject: own, attribute }: StoredFact, subject: string): boolean {
  if (beginningOf(own) === beginningOf(subject)) return true;
  const slot = slotOf({ subject, attribute });
  return slot === slotOf({ subject: USER, attribute }) && slot.startsWith(beginningOf("")) && subject !== USER;
}
