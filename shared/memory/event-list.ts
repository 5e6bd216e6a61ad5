import { MAX_OFFSET, type PageRequest, type SortOrder } from "../kernel/pagination.ts";
import type { BrowseRequest, SearchFilters } from "../platform/ports.ts";
import {
  findMemories,
  listMemories,
  type MemoryFilter,
  type MemoryPage,
  type MemoryReader,
  type MemorySortField,
} from "./records.ts";
import { reachOf } from "./visibility.ts";

export type EventFilter = MemoryFilter & Pick<SearchFilters, "occurred_after" | "occurred_before">;
export type EventSort = SortOrder<MemorySortField | "occurred_at">;

/** Filters of a list as those of the search index. */
export function toSearchFilters({ user_id, category, type, reach: _, ...times }: EventFilter): SearchFilters {
  const only = (value: string | undefined) => (value === undefined ? undefined : [value]);
  return { user_id: only(user_id), category: only(category), type: only(type), ...times };
}

/**
 * One page of memories, also by when they happened. No index of the records is in that order, and the narrow one, which
 * counts and lists by update, cannot take another attribute: such lists are read from the search index, which on AWS
 * follows within seconds. All others are read from the records.
 */
export function listByEvent(
  ctx: MemoryReader,
  filter: EventFilter,
  sort: EventSort,
  page: PageRequest,
): Promise<MemoryPage> {
  const { field, descending } = sort;
  const isOfEvents = filter.occurred_after !== undefined || filter.occurred_before !== undefined;
  if (field === "occurred_at" || isOfEvents) return browse(ctx, filter, sort, page);
  return listMemories(ctx, filter, { field, descending }, page);
}

/** Reads on where the viewer's reach leaves fewer than a page; the index goes no further than `MAX_OFFSET`. */
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
      (memory) => filter.reach === undefined || reachOf(memory, ctx.viewer, now) === filter.reach,
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
