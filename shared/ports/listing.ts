import { invalid } from "../kernel/errors.ts";
import type { PageRequest } from "../kernel/pagination.ts";
import { fromCursor, toCursor } from "./cursor.ts";
import { fromItem } from "./item.ts";
import { MAX_QUERY_LIMIT } from "./preconditions.ts";
import type {
  AttributeTests,
  RecordPage,
  RecordPosition,
  RecordQuery,
  RecordStore,
  StoredRecord,
} from "./record-store.ts";

/** Maximum number of counted matches; a list with more reports this as its `total`. */
export const COUNT_CEILING = 10_000;

/** Maximum bytes of a record's key, so that no store refuses one from a cursor. */
const MAX_KEY = 1_000;

/** A suffix that sorts after every id: with it, a moment is an inclusive upper bound of sort keys (moment, then id). */
export const AFTER_ANY_ID = "#\u{10FFFF}";

export interface Listing<Item = StoredRecord> {
  items: Item[];
  total: number;
  hasNext: boolean;
  /** Where the next page starts, if there is one. */
  cursor?: string;
}

type Listed = Omit<RecordQuery, "limit" | "offset" | "after">;
type Counted = Pick<RecordQuery, "index" | "pk" | "sk" | "where">;

/**
 * Returns one page of a list, which may be larger than a query's limit. Counts only if neither the page shows the total
 * nor the cursor has it; `countOn` may name a cheaper query with the same number of items. Throws VALIDATION_ERROR for a
 * cursor that no page returned.
 */
export async function readPage(
  records: Pick<RecordStore, "query" | "count" | "cursorAt">,
  query: Listed,
  page: PageRequest,
  countOn: Counted | (() => Promise<number>) = query,
): Promise<Listing> {
  const { offset, limit, cursor } = page;
  if (cursor !== undefined && offset > 0) throw invalid({ field: "offset", problem: "is not used with `cursor`" });
  const position = cursor === undefined ? undefined : positionAt(cursor);
  const start = position === undefined ? { offset } : { after: records.cursorAt(query, position.item) };
  const items = await readFrom(records, query, start, limit + 1);
  const hasNext = items.length > limit;
  const shown = items.slice(0, limit);
  const isTotalKnown = cursor === undefined && !hasNext && (shown.length > 0 || offset === 0);
  const count = typeof countOn === "function" ? countOn : () => countRecords(records, countOn);
  const total = isTotalKnown ? offset + shown.length : (position?.total ?? (await count()));
  const last = hasNext ? shown.at(-1) : undefined;
  return { items: shown, total, hasNext, ...(last && { cursor: cursorOf(query, last, total) }) };
}

/**
 * A cursor has the keys of the last item, and works whether that item still exists or not; and the total, so that the
 * items of a list are counted once.
 */
function cursorOf({ index }: Listed, { pk, sk, ...attributes }: StoredRecord, total: number): string {
  return toCursor([index === undefined ? sk : attributes[`${index}sk`], pk, sk, total]);
}

/** Cursors of earlier releases have no total. */
function positionAt(cursor: string): { item: RecordPosition; total: number | undefined } {
  const [sort, pk, sk, total] = partsOf(cursor);
  if (!isKey(sort) || !isKey(pk) || !isKey(sk) || !isTotal(total)) throw notACursor();
  return { item: { sort, pk, sk }, total };
}

/** Whether a part of a cursor is a total, or absent. */
export const isTotal = (part: unknown): part is number | undefined =>
  part === undefined || (Number.isSafeInteger(part) && Number(part) >= 0);

const isKey = (part: unknown): part is string =>
  typeof part === "string" && part !== "" && Buffer.byteLength(part) <= MAX_KEY;

function partsOf(cursor: string): unknown[] {
  try {
    const parts = fromCursor(cursor);
    return Array.isArray(parts) ? parts : [];
  } catch (error) {
    if (error instanceof RangeError) throw notACursor();
    throw error;
  }
}

const notACursor = () => invalid({ field: "cursor", problem: "must be the `next_cursor` of the page before" });

/** Returns the page of `readPage` as the objects that `toItem` stored. */
export async function listObjects<T extends object>(...list: Parameters<typeof readPage>): Promise<Listing<T>> {
  const { items, ...rest } = await readPage(...list);
  return { items: items.map(fromItem<T>), ...rest };
}

async function readFrom(
  records: Pick<RecordStore, "query">,
  query: Listed,
  start: Pick<RecordQuery, "offset" | "after">,
  wanted: number,
): Promise<StoredRecord[]> {
  const items: StoredRecord[] = [];
  let from: Pick<RecordQuery, "offset" | "after"> | undefined = start;
  while (from !== undefined && items.length < wanted) {
    const limit = Math.min(MAX_QUERY_LIMIT, wanted - items.length);
    const page: RecordPage = await records.query({ ...query, ...from, limit });
    items.push(...page.items);
    from = page.cursor === undefined ? undefined : { after: page.cursor };
  }
  return items;
}

function countRecords(records: Pick<RecordStore, "count">, { index, pk, sk, where }: Counted): Promise<number> {
  return records.count({ index, pk, sk, where }, COUNT_CEILING);
}

/** Returns the tests for a query's `where`, without undefined ones; undefined if there are none. */
export function filterBy(...tests: (Partial<AttributeTests> | undefined)[]): AttributeTests | undefined {
  const all: Partial<AttributeTests> = Object.assign({}, ...tests);
  const given = Object.entries(all).flatMap(([name, test]) => (test === undefined ? [] : [[name, test] as const]));
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}
