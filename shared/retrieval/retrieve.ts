import type { TimeRange } from "../memory/dates/asked.ts";
import type { Ports, SearchAnswer, SearchFilters, SearchScope } from "../platform/ports.ts";
import { type Asker, filtersAround, readAskedTime, together } from "./asked-time.ts";
import { embedQuery, type QueryEmbedding } from "./embed-query.ts";
import { rankByFeedback } from "./feedback.ts";
import { type Combine, type FoundTogether, type FusionWeights, fuse } from "./fusion.ts";
import { NO_NEIGHBOURS, type RankedForQuestion, rankInContext } from "./ranking/rank.ts";
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
  /** The moment whose state is asked for, in epoch milliseconds, where it is another: relative dates count from `now`. */
  asOf?: number | undefined;
  /** Gives the search up. */
  signal?: AbortSignal;
}

/** Best first, ratings taken into account; a fusion reads no neighbours. */
export interface Retrieved extends RankedForQuestion {
  /** What both queries found by themselves. */
  answer: SearchAnswer;
  /** Whether the reranker ordered the best. */
  isReranked?: boolean;
}

/** Who asks the index: a request, in its organization. */
export interface Finder extends QueryEmbedding, Asker {
  ports: Pick<Ports, "embedder" | "search" | "records">;
}

/** Who searches. */
export type Searcher = Reranking & Finder;

/** What the index found, where it looked, whether words alone were asked for, and the time that the query asks about. */
export interface Hits {
  answer: FoundTogether;
  scope: SearchScope;
  isByWords: boolean;
  asked: TimeRange[];
}

/**
 * The best memories of an organization for a query: one embedding, one round trip to the index for both queries, and
 * one for the neighbours that the ranking looks at; then the reranker, where there is one. Without an embedding in time,
 * words alone find and rank. A fusion takes no account of the time that the query asks about.
 */
export async function retrieve(
  ctx: Searcher,
  { query, filters, expired, fusion, depth, now, asOf, signal }: Retrieval,
): Promise<Retrieved> {
  const found = await findHits(ctx, { query, filters, expired, depth, now, signal, hasTime: fusion === undefined });
  const { answer, scope, isByWords, asked } = found;
  const question = { query, now: asOf ?? now ?? scope.now, asked };
  const context = fusion
    ? {
        question,
        ranked: rankByFeedback(fuse(answer, isByWords ? WORDS_ALONE : fusion.weights, fusion.combine)),
        neighbours: NO_NEIGHBOURS,
      }
    : await rankInContext(ctx.ports, { ...question, answer, scope });
  const reranked = await rerank(ctx, { query, ranked: context.ranked, signal });
  return { ...context, ranked: reranked ?? context.ranked, answer, isReranked: reranked !== undefined };
}

/** What the index is asked; `hasTime` says whether what happened at the time that the query names is found too. */
type Finding = Omit<Retrieval, "fusion" | "asOf"> & { hasTime?: boolean };

/**
 * What the index finds for a query, yet to be ranked, and where it looked: one embedding and one round trip; beside it one
 * more for a query that names a time, of what happened then.
 */
export async function findHits(
  ctx: Finder,
  { query, filters, expired, depth, now, signal, hasTime = true }: Finding,
): Promise<Hits> {
  const clock = ctx.clock();
  const [{ vector, timeLimit }, asked] = await Promise.all([
    embedQuery(ctx, query, signal),
    hasTime ? readAskedTime(ctx, { query, filters, now: now ?? clock }) : [],
  ]);
  const limit = Math.min(MAX_POOL, Math.max(POOL, depth));
  const scope: SearchScope = { org: ctx.org, filters, expired, now: clock, signal };
  const search = (filters: SearchFilters | undefined, limit: number) =>
    ctx.ports.search.search({
      ...scope,
      filters,
      semantic: vector && { vector, limit, text: query, timeLimit },
      keyword: { text: query, limit },
    });
  const around = filtersAround(asked, filters);
  const [answer, then] = await Promise.all([search(filters, limit), around && search(around, POOL)]);
  return { answer: then ? together(answer, then) : answer, scope, isByWords: vector === undefined, asked };
}
