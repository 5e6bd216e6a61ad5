import type { Context } from "../platform/context.ts";
import type { Ports, SearchAnswer, SearchFilters, SearchScope } from "../platform/ports.ts";
import { rankByFeedback } from "./feedback.ts";
import { type Combine, type FusionWeights, fuse, plainWeights, type Ranked } from "./fusion.ts";

/** Hits each query brings into the fusion: enough that a memory second-best in both is seen, few enough to be fast. */
const POOL = 100;
/** Search engines answer no deeper. */
const MAX_POOL = 10_000;

export interface Retrieval {
  query: string;
  filters?: SearchFilters;
  expired?: SearchScope["expired"];
  /** Those of plain search unless told. */
  weights?: FusionWeights;
  combine?: Combine;
  /** How many of the best are wanted; the pools grow with it. */
  depth: number;
  /** Gives the search up. */
  signal?: AbortSignal;
}

export interface Retrieved {
  /** Best first, ratings taken into account. */
  ranked: Ranked[];
  /** What both queries found by themselves. */
  answer: SearchAnswer;
}

/** The best memories of an organization for a query: one embedding, one round trip to the index, one fusion. */
export async function retrieve(
  ctx: Pick<Context, "org" | "clock"> & { ports: Pick<Ports, "embedder" | "search"> },
  { query, filters, expired, weights = plainWeights(ctx.ports.embedder), combine, depth, signal }: Retrieval,
): Promise<Retrieved> {
  const [vector] = await ctx.ports.embedder.embed([query], { purpose: "query", signal });
  const limit = Math.min(MAX_POOL, Math.max(POOL, depth));
  const answer = await ctx.ports.search.search({
    org: ctx.org,
    filters,
    expired,
    now: ctx.clock(),
    signal,
    semantic: vector && { vector, limit },
    keyword: { text: query, limit },
  });
  return { ranked: rankByFeedback(fuse(answer, weights, combine)), answer };
}
