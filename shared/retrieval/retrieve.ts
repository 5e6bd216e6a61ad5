import type { Ports, SearchAnswer, SearchFilters, SearchScope } from "../platform/ports.ts";
import { embedQuery, type QueryEmbedding } from "./embed-query.ts";
import { rankByFeedback } from "./feedback.ts";
import { type Combine, type FusionWeights, fuse } from "./fusion.ts";
import { NO_NEIGHBOURS, type RankedInContext, rankInContext } from "./ranking/rank.ts";
import { type Reranking, rerank } from "./rerank.ts";

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

/** Best first, ratings taken into account; a fusion reads no neighbours. */
export interface Retrieved extends RankedInContext {
  /** What both queries found by themselves. */
  answer: SearchAnswer;
  /** Whether the reranker ordered the best. */
  isReranked?: boolean;
}

/** Who asks the index: a request, in its organization. */
export interface Finder extends QueryEmbedding {
  ports: Pick<Ports, "embedder" | "search">;
}

/** Who searches. */
export type Searcher = Reranking & Finder;

/** What the index found, where it looked, and whether words alone were asked for. */
export interface Hits {
  answer: SearchAnswer;
  scope: SearchScope;
  isByWords: boolean;
}

/**
 * The best memories of an organization for a query: one embedding, one round trip to the index for both queries, and
 * one for the neighbours that the ranking looks at; then the reranker, where there is one and no fusion is asked for.
 * Without an embedding in time, words alone find and rank.
 */
export async function retrieve(
  ctx: Searcher,
  { query, filters, expired, fusion, depth, now, signal }: Retrieval,
): Promise<Retrieved> {
  const found = await findHits(ctx, { query, filters, expired, depth, signal });
  const { answer, scope, isByWords } = found;
  if (fusion) {
    const ranked = rankByFeedback(fuse(answer, isByWords ? WORDS_ALONE : fusion.weights, fusion.combine));
    return { ranked, neighbours: NO_NEIGHBOURS, answer };
  }
  const context = await rankInContext(ctx.ports, { query, answer, scope, now: now ?? scope.now });
  const reranked = await rerank(ctx, { query, ranked: context.ranked, signal });
  return { ...context, ranked: reranked ?? context.ranked, answer, isReranked: reranked !== undefined };
}

/** What the index finds for a query, yet to be ranked, and where it looked: one embedding and one round trip. */
export async function findHits(
  ctx: Finder,
  { query, filters, expired, depth, signal }: Omit<Retrieval, "fusion" | "now">,
): Promise<Hits> {
  const { vector, timeLimit } = await embedQuery(ctx, query, signal);
  const limit = Math.min(MAX_POOL, Math.max(POOL, depth));
  const scope: SearchScope = { org: ctx.org, filters, expired, now: ctx.clock(), signal };
  const answer = await ctx.ports.search.search({
    ...scope,
    semantic: vector && { vector, limit, text: query, timeLimit },
    keyword: { text: query, limit },
  });
  return { answer, scope, isByWords: vector === undefined };
}
