import type { PageRequest } from "../../kernel/pagination.ts";
import { COUNT_CEILING, type Listing } from "../../ports/listing.ts";
import type { StoredRecord } from "../../ports/record-store.ts";

/** Returns a page of items that no index finds: reads everything until COUNT_CEILING items match. */
export async function scanPage<Item>(
  pages: AsyncIterable<StoredRecord[]>,
  matchesIn: (records: StoredRecord[]) => Promise<Item[]>,
  { limit, offset }: PageRequest,
): Promise<Listing<Item>> {
  const items: Item[] = [];
  let total = 0;
  for await (const records of pages) {
    const matches = await matchesIn(records);
    items.push(...matches.slice(Math.max(0, offset - total)).slice(0, limit - items.length));
    total += matches.length;
    if (total >= COUNT_CEILING && items.length === limit) break;
  }
  return { items, total, hasNext: offset + items.length < total };
}

type Occurred = { [Limit in "occurred_after" | "occurred_before"]?: string };

/** Returns the range of event times in epoch milliseconds, both ends inclusive; undefined without limits. */
export function timeRangeOf({ occurred_after, occurred_before }: Occurred) {
  if (occurred_after === undefined && occurred_before === undefined) return undefined;
  return {
    after: occurred_after === undefined ? Number.NEGATIVE_INFINITY : Date.parse(occurred_after),
    before: occurred_before === undefined ? Number.POSITIVE_INFINITY : Date.parse(occurred_before),
  };
}
