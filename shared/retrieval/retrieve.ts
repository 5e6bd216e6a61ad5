import type { Ports, SearchAnswer, SearchFilters, SearchScope } from "../platform/ports.ts";
import { embedQuery, type QueryEmbedding } from "./embed-query.ts";
import { rankByFeedback } from "./feedback.ts";
import { type Combine, type FusionWeights, fuse, type Ranked } from "./fusion.ts";
import { rank } from "./ranking/rank.ts";

/** Hits each query brings into the fusion: enough that a memory second-best in both is seen, few enough to be fast. */
const POOL = 100;
/** Search engines answer no deeper. */
const MAX_POOL = 10_000;
/** Where a query has no vector. */
const WORDS_ALONE: FusionWeights = { semantic: 0, keyword: 1 };

export interface Retrieval {
  query: string;
  filters?: SearchFilters;
  expired?: SearchScope["expired"];
  /** Merge both queries' scores so; without it, the best ranking there is decides. */
  fusion?: { weights: FusionWeights; combine: Combine };
  /** How many of the best are wanted; the pools grow with it. */
  depth: number;
  /** The moment that the query is asked at, in epoch milliseconds; the clock's where it is left out. What expired follows the clock. */
  now?: number | undefined;
  /** Gives the search up. */
  signal?: AbortSignal;
}

/** Who retrieves. */
export interface Retriever extends QueryEmbedding {
  ports: Pick<Ports, "embedder" | "search">;
}

export interface Retrieved {
  /** Best first, ratings taken into account. */
  ranked: Ranked[];
  /** What both queries found by themselves. */
  answer: SearchAnswer;
}

/**
 * The best memories of an organization for a query: one embedding, one round trip to the index for both queries, and
 * one for the neighbours that the ranking looks at. Without an embedding in time, words alone find and rank.
 */
export async function retrieve(
  ctx: Retriever,
  { query, filters, expired, fusion, depth, now, signal }: Retrieval,
): Promise<Retrieved> {
  const { vector, timeLimit } = await embedQuery(ctx, query, signal);
  const limit = Math.min(MAX_POOL, Math.max(POOL, depth));
  const scope: SearchScope = { org: ctx.org, filters, expired, now: ctx.clock(), signal };
  const answer = await ctx.ports.search.search({
    ...scope,
    semantic: vector && { vector, limit, text: query, timeLimit },
    keyword: { text: query, limit },
  });
  const ranked = fusion
    ? rankByFeedback(fuse(answer, vector ? fusion.weights : WORDS_ALONE, fusion.combine))
    : await rank(ctx.ports, { query, answer, scope, now: now ?? scope.now });
  return { ranked, answer };
}
