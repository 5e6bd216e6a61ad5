import { invalid } from "../../kernel/errors.ts";
import { MAX_OFFSET, type PageRequest, type SortOrder } from "../../kernel/pagination.ts";
import type { BrowseRequest, SearchFilters } from "../../ports/search-index.ts";
import type { Memory } from "./memory.ts";
import { listMemories, type MemoryFilter, type MemoryPage, type MemorySortField } from "./memory-lists.ts";
import { findMemories, type MemoryReader } from "./records.ts";
import { accessLevelOf } from "./visibility.ts";

export type EventFilter = MemoryFilter &
  Pick<SearchFilters, "occurred_after" | "occurred_before"> & {
    /** Only memories that mention this entity. */
    entity_id?: string;
  };
export type EventSort = SortOrder<MemorySortField | "occurred_at">;

/** The filters of lists in the search index; a name that the index does not know is an error of types. */
type IndexedFilter = Pick<SearchFilters, Exclude<keyof EventFilter, "entity_id" | "reach"> | "entity_ids">;

/** Returns list filters as filters of the search index. */
export function toSearchFilters(filter: EventFilter): IndexedFilter {
  const { user_id, category, type, entity_id, reach: _, ...times } = filter;
  const asList = (value: string | undefined) => (value === undefined ? undefined : [value]);
  const entity_ids = asList(entity_id);
  return { user_id: asList(user_id), category: asList(category), type: asList(type), entity_ids, ...times };
}

/**
 * Returns one page of memories, also by event time or of an entity. No record index has that order and these filters,
 * and the narrow one has no room for another attribute, so such lists come from the search index, which on AWS lags by seconds. Other lists come from the
 * records. Throws VALIDATION_ERROR for a cursor of a list from the search index.
 */
export function listByEvent(ctx: MemoryReader, filter: EventFilter, sort: EventSort, page: PageRequest) {
  const { field, descending } = sort;
  const indexed = [filter.occurred_after, filter.occurred_before, filter.entity_id];
  if (field === "occurred_at" || indexed.some((value) => value !== undefined)) return browse(ctx, filter, sort, page);
  return listMemories(ctx, filter, { field, descending }, page);
}

/** Reads the index, up to `MAX_OFFSET`, until a page is full of visible memories. */
async function browse(
  ctx: MemoryReader,
  filter: EventFilter,
  { field: order, descending }: EventSort,
  { limit, offset, cursor }: PageRequest,
): Promise<MemoryPage> {
  if (cursor !== undefined) {
    const problem = "works only in order of `created_at` or `updated_at`, without event times and `entity_id`";
    throw invalid({ field: "cursor", problem: `${problem}: use \`offset\`` });
  }
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

/** The last memory of a part; the walk continues after it. JSON, so that it can be stored. */
export interface WalkCursor {
  created_at: string;
  id: string;
}

/**
 * Returns the next memories that match a search filter, oldest first. Memories of the last second may be missing on AWS.
 * A part may have fewer than `limit` memories, or none; the last part has no cursor.
 */
export async function walkMatching(
  ctx: MemoryReader,
  filters: SearchFilters,
  { limit, after }: { limit: number; after?: WalkCursor | undefined },
): Promise<{ memories: Memory[]; cursor?: WalkCursor }> {
  const scope = { org: ctx.org, now: ctx.clock(), filters, descending: false };
  const { documents } = await ctx.ports.search.browse({ ...scope, offset: 0, limit, ...(after && { after }) });
  const ids = documents.map(({ id }) => id);
  const memories = await findMemories(ctx, ids);
  const last = documents.at(-1);
  if (last === undefined || documents.length < limit) return { memories };
  return { memories, cursor: { created_at: last.created_at, id: last.id } };
}
