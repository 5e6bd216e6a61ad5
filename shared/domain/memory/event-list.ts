import { MAX_OFFSET, type PageRequest, type SortOrder } from "../../kernel/pagination.ts";
import type { BrowseRequest, SearchFilters } from "../../ports/ports.ts";
import { listMemories, type MemoryFilter, type MemoryPage, type MemorySortField } from "./memory-lists.ts";
import { findMemories, type MemoryReader } from "./records.ts";
import { accessLevelOf } from "./visibility.ts";

export type EventFilter = MemoryFilter & Pick<SearchFilters, "occurred_after" | "occurred_before">;
export type EventSort = SortOrder<MemorySortField | "occurred_at">;

/** List filters as filters of the search index. */
export function toSearchFilters({ user_id, category, type, reach: _, ...times }: EventFilter): SearchFilters {
  const only = (value: string | undefined) => (value === undefined ? undefined : [value]);
  return { user_id: only(user_id), category: only(category), type: only(type), ...times };
}

/**
 * One page of memories, also by event time. No record index has that order, and the narrow one has no room for another
 * attribute, so such lists come from the search index, which on AWS lags by seconds. Other lists come from the records.
 */
export function listByEvent(ctx: MemoryReader, filter: EventFilter, sort: EventSort, page: PageRequest) {
  const { field, descending } = sort;
  const isOfEvents = filter.occurred_after !== undefined || filter.occurred_before !== undefined;
  if (field === "occurred_at" || isOfEvents) return browse(ctx, filter, sort, page);
  return listMemories(ctx, filter, { field, descending }, page);
}

/** Continues until a page is full of visible memories; the index goes up to `MAX_OFFSET`. */
async function browse(
  ctx: MemoryReader,
  filter: EventFilter,
  { field: order, descending }: EventSort,
  { limit, offset }: PageRequest,
): Promise<MemoryPage> {
  const now = ctx.clock();
  const scope = { org: ctx.org, filters: toSearchFilters(filter), now, order, descending };
  const found: MemoryPage = { memories: [], total: 0, hasNext: false };
  let from = offset;
  do {
    const part = await readPart(ctx, { ...scope, offset: from, limit: Math.min(limit, MAX_OFFSET - from) });
    const inReach = part.memories.filter(
      (memory) => filter.reach === undefined || accessLevelOf(memory, ctx.viewer, now) === filter.reach,
    );
    found.memories.push(...inReach.slice(0, limit - found.memories.length));
    found.total = part.total;
    from += limit;
    found.hasNext = from < part.total;
  } while (found.memories.length < limit && found.hasNext && from < MAX_OFFSET && filter.reach !== undefined);
  return found;
}

async function readPart(ctx: MemoryReader, request: BrowseRequest): Promise<Pick<MemoryPage, "memories" | "total">> {
  if (request.limit <= 0) return { memories: [], total: await ctx.ports.search.count(request) };
  const { documents, total } = await ctx.ports.search.browse(request);
  const ids = documents.map(({ id }) => id);
  return { memories: await findMemories(ctx, ids), total };
}
