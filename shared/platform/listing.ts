import type { PageRequest } from "../kernel/pagination.ts";
import type { AttributeTests, RecordPage, RecordQuery, RecordStore, StoredRecord } from "./ports.ts";
import { MAX_QUERY_LIMIT } from "./preconditions.ts";

/** Matches counted on the records themselves; a list with more says so by its `total` being this. */
export const COUNT_CEILING = 10_000;

/** Behind the moment that a sort key begins with, sorts after every id: an upper bound with it includes its instant. */
export const AFTER_ANY_ID = "#\u{10FFFF}";

export interface RecordListing {
  items: StoredRecord[];
  total: number;
  hasNext: boolean;
}

type Listed = Omit<RecordQuery, "limit" | "offset" | "after">;
type Counted = Pick<RecordQuery, "index" | "pk" | "sk" | "where">;

/**
 * One page of a list: reads one item more than asked to know whether there is a next, and counts only when the page
 * does not already tell the total. `countOn` may name a cheaper index with the same members, or know their number. A page
 * of more than a query answers is read by cursor.
 */
export async function readPage(
  records: Pick<RecordStore, "query" | "count">,
  query: Listed,
  page: PageRequest,
  countOn: Counted | (() => Promise<number>) = query,
): Promise<RecordListing> {
  const items = await readFrom(records, query, page.offset, page.limit + 1);
  const hasNext = items.length > page.limit;
  const shown = items.slice(0, page.limit);
  const isTotalKnown = !hasNext && (shown.length > 0 || page.offset === 0);
  const count = typeof countOn === "function" ? countOn : () => countRecords(records, countOn);
  return { items: shown, total: isTotalKnown ? page.offset + shown.length : await count(), hasNext };
}

async function readFrom(
  records: Pick<RecordStore, "query">,
  query: Listed,
  offset: number,
  wanted: number,
): Promise<StoredRecord[]> {
  const items: StoredRecord[] = [];
  let from: Pick<RecordQuery, "offset" | "after"> | undefined = { offset };
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

/** Tests for a query's `where`; none at all where nothing was asked for. */
export function filterBy(...tests: (AttributeTests | undefined)[]): AttributeTests | undefined {
  const all: AttributeTests = Object.assign({}, ...tests);
  return Object.keys(all).length > 0 ? all : undefined;
}
