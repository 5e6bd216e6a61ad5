import type { ViewerHome } from "../platform/context.ts";
import type { SearchFilters } from "../platform/ports.ts";
import type { Memory } from "./memory.ts";
import { findMemories } from "./records.ts";

/** Where a walk goes on: behind this memory. JSON, so that it can be kept. */
export interface WalkCursor {
  /** ISO */
  created_at: string;
  id: string;
}

/**
 * The next memories that a search filter lets through, oldest first, however many there are. What was written within the
 * last second may be missing on AWS. A part may hold fewer than `limit`, or none, before the end, which has no cursor.
 */
export async function walkMatching(
  home: ViewerHome,
  filters: SearchFilters,
  { limit, after }: { limit: number; after?: WalkCursor | undefined },
): Promise<{ memories: Memory[]; cursor?: WalkCursor }> {
  const { documents } = await home.ports.search.browse({
    org: home.org,
    now: home.clock(),
    filters,
    descending: false,
    offset: 0,
    limit,
    ...(after && { after }),
  });
  const ids = documents.map(({ id }) => id);
  const memories = await findMemories(home, ids);
  const last = documents.at(-1);
  if (last === undefined || documents.length < limit) return { memories };
  return { memories, cursor: { created_at: last.created_at, id: last.id } };
}
