import type { ViewerHome } from "../platform/context.ts";
import type { SearchFilters } from "../platform/ports.ts";
import type { Memory } from "./memory.ts";
import { findMemories } from "./records.ts";

/** Where a walk goes on: after these memories of an instant (ISO). JSON, so that it can be kept. */
export interface WalkCursor {
  created_at: string;
  ids: string[];
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
  const seen = after?.ids ?? [];
  const { documents } = await home.ports.search.browse({
    org: home.org,
    now: home.clock(),
    filters: after === undefined ? filters : { ...filters, created_after: after.created_at },
    descending: false,
    offset: 0,
    limit: limit + seen.length,
  });
  const fresh = documents.filter(({ id }) => !seen.includes(id));
  const memories = await findMemories(
    home,
    fresh.map(({ id }) => id),
  );
  const last = documents.at(-1)?.created_at;
  if (last === undefined || documents.length < limit + seen.length) return { memories };
  const ids = documents.filter(({ created_at }) => created_at === last).map(({ id }) => id);
  return { memories, cursor: { created_at: last, ids } };
}
