import type { SearchFilters } from "../../ports/ports.ts";
import type { MemoryScope } from "../../runtime/context.ts";
import type { Memory } from "./memory.ts";
import { findMemories } from "./records.ts";

/** The last memory of a part; the walk continues after it. JSON, so that it can be stored. */
export interface WalkCursor {
  /** ISO */
  created_at: string;
  id: string;
}

/**
 * Returns the next memories that match a search filter, oldest first, with no limit on their total number. Memories
 * written within the last second may be missing on AWS. Before the end, a part may have fewer than `limit` memories, or
 * none; the last part has no cursor.
 */
export async function walkMatching(
  runtime: MemoryScope,
  filters: SearchFilters,
  { limit, after }: { limit: number; after?: WalkCursor | undefined },
): Promise<{ memories: Memory[]; cursor?: WalkCursor }> {
  const { documents } = await runtime.ports.search.browse({
    org: runtime.org,
    now: runtime.clock(),
    filters,
    descending: false,
    offset: 0,
    limit,
    ...(after && { after }),
  });
  const ids = documents.map(({ id }) => id);
  const memories = await findMemories(runtime, ids);
  const last = documents.at(-1);
  if (last === undefined || documents.length < limit) return { memories };
  return { memories, cursor: { created_at: last.created_at, id: last.id } };
}
