import type { PageRequest } from "../kernel/pagination.ts";
import type { AttributeTests, RecordQuery, RecordStore, StoredRecord } from "./ports.ts";

/** Matches counted on the records themselves; a list with more says so by its `total` being this. */
export const COUNT_CEILING = 10_000;

export interface RecordListing {
  items: StoredRecord[];
  total: number;
  hasNext: boolean;
}

/**
 * One page of a list: reads one item more than asked to know whether there is a next, and counts only when the page
 * does not already tell the total. `countOn` may name a cheaper index with the same members.
 */
export async function readPage(
  records: Pick<RecordStore, "query" | "count">,
  query: Omit<RecordQuery, "limit" | "offset" | "after">,
  page: PageRequest,
  countOn: Pick<RecordQuery, "index" | "pk" | "sk" | "where"> = query,
): Promise<RecordListing> {
  const { items } = await records.query({ ...query, offset: page.offset, limit: page.limit + 1 });
  const hasNext = items.length > page.limit;
  const shown = items.slice(0, page.limit);
  const isTotalKnown = !hasNext && (shown.length > 0 || page.offset === 0);
  const total = isTotalKnown
    ? page.offset + shown.length
    : await records.count(
        { index: countOn.index, pk: countOn.pk, sk: countOn.sk, where: countOn.where },
        COUNT_CEILING,
      );
  return { items: shown, total, hasNext };
}

/** Tests for a query's `where`; none at all where nothing was asked for. */
export function filterBy(...tests: (AttributeTests | undefined)[]): AttributeTests | undefined {
  const all: AttributeTests = Object.assign({}, ...tests);
  return Object.keys(all).length > 0 ? all : undefined;
}
