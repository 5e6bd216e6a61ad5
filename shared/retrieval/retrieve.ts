import type { Context } from "../platform/context.ts";
import type { SearchFilters } from "../platform/ports.ts";
import { type Combine, type FusionWeights, fuse, type Ranked } from "./fusion.ts";

/** Hits each query brings into the fusion: enough that a memory second-best in both is seen, few enough to be fast. */
const POOL = 100;

export interface Retrieval {
  query: string;
  filters?: SearchFilters;
  weights: FusionWeights;
  combine?: Combine;
  /** How many of the best are wanted; the pools grow with it. */
  depth: number;
}

/** The best memories of an organization for a query: one embedding, one round trip to the index, one fusion. */
export async function retrieve(
  ctx: Context,
  { query, filters, weights, combine, depth }: Retrieval,
): Promise<Ranked[]> {
  const [vector] = await ctx.ports.embedder.embed([query]);
  const limit = Math.max(POOL, depth);
  const answer = await ctx.ports.search.search({
    org: ctx.org,
    filters,
    now: ctx.clock(),
    semantic: vector && { vector, limit },
    keyword: { text: query, limit },
  });
  return fuse(answer, weights, combine);
}
