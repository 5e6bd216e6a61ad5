import type { PageRequest } from "../kernel/pagination.ts";
import { fromItem } from "./item.ts";
import type { AttributeTests, RecordPage, RecordQuery, RecordStore, StoredRecord } from "./ports.ts";
import { MAX_QUERY_LIMIT } from "./preconditions.ts";

/** Maximum number of counted matches; a list with more reports this as its `total`. */
export const COUNT_CEILING = 10_000;

/** A suffix that sorts after every id: with it, a moment is an inclusive upper bound of sort keys (moment, then id). */
export const AFTER_ANY_ID = "#\u{10FFFF}";

export interface Listing<Item = StoredRecord> {
  items: Item[];
  total: number;
  hasNext: boolean;
}

type Listed = Omit<RecordQuery, "limit" | "offset" | "after">;
type Counted = Pick<RecordQuery, "index" | "pk" | "sk" | "where">;

/**
 * Returns one page of a list. Reads one more item than requested to know whether there is a next page, and counts only
 * if the page does not show the total. `countOn` may name a cheaper query with the same number of items. A page larger
 * than a query's limit is read with cursors.
 */
export async function readPage(
  records: Pick<RecordStore, "query" | "count">,
  query: Listed,
  page: PageRequest,
  countOn: Counted | (() => Promise<number>) = query,
): Promise<Listing> {
  const items = await readFrom(records, query, page.offset, page.limit + 1);
  const hasNext = items.length > page.limit;
  const shown = items.slice(0, page.limit);
  const isTotalKnown = !hasNext && (shown.length > 0 || page.offset === 0);
  const count = typeof countOn === "function" ? countOn : () => countRecords(records, countOn);
  return { items: shown, total: isTotalKnown ? page.offset + shown.length : await count(), hasNext };
}

/** Returns the page of `readPage` as the objects that `toItem` stored. */
export async function listObjects<T extends object>(...list: Parameters<typeof readPage>): Promise<Listing<T>> {
  const { items, ...rest } = await readPage(...list);
  return { items: items.map(fromItem<T>), ...rest };
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

/** Returns the tests for a query's `where`, without undefined ones; undefined if there are none. */
export function filterBy(...tests: (Partial<AttributeTests> | undefined)[]): AttributeTests | undefined {
  const all: Partial<AttributeTests> = Object.assign({}, ...tests);
  const given = Object.entries(all).flatMap(([name, test]) => (test === undefined ? [] : [[name, test] as const]));
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}
