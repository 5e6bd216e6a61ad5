import { couldBeIssued } from "../../kernel/ids.ts";
import type { TimeRange } from "../../language/dates/asked.ts";
import { Query } from "../../language/questions/query.ts";
import type { Ports } from "../../ports/ports.ts";
import type { SearchAnswer, SearchFilters, SearchRequest, SearchScope } from "../../ports/search-index.ts";
import { isChunk } from "../memory/chunk-ids.ts";
import { type Asker, filtersAround, mergeAnswers, readAskedTime } from "./asked-time.ts";
import { embedQuery, type QueryEmbedding } from "./embed-query.ts";
import { areOwnNames, isSaidBy } from "./query-vector.ts";
import { type Asked, askedOf } from "./ranking/asked.ts";
import { rankByFeedback } from "./ranking/feedback.ts";
import { type FoundTogether, type FusionWeights, plainWeights, type Ranked } from "./ranking/fusion.ts";
import { NO_NEIGHBOURS, type RankedForQuestion, rankInContext } from "./ranking/rank.ts";
import { type Fusion, fuseByEvidence } from "./ranking/weighted.ts";
import { type Reranking, rerank } from "./rerank.ts";
import { WIDE_DEPTH } from "./settings.ts";

/** Hits per query that enter the fusion: enough to include a memory second-best in both, few enough to be fast. */
const POOL = 100;
/** Maximum depth that search engines support. */
const MAX_POOL = 10_000;
/** The weights for a query without a vector. */
const WORDS_ALONE: FusionWeights = { semantic: 0, keyword: 1 };

export interface Retrieval {
  query: Query;
  filters?: SearchFilters;
  expired?: SearchScope["expired"];
  /** Merges both queries' scores in this way; if undefined, the default ranking applies. */
  fusion?: { weights: FusionWeights; fuse: Fusion };
  /** Number of best hits required; hits behind the ranked ones are in the order of words and meaning alone. */
  depth: number;
  /** Whether a search shows all ranked hits, so that the hits behind them are required too. */
  showsAll?: (found: Pick<Retrieved, "ranked" | "answer" | "question">) => boolean;
  /** The time of the query, in epoch milliseconds; by default the clock's. Expiry follows the clock. */
  now?: number | undefined;
  /** The time whose state is requested, in epoch milliseconds, if it differs: relative dates still count from `now`. */
  asOf?: number | undefined;
  /** Aborts the search. */
  signal?: AbortSignal;
}

/** The ranked hits, best first, with users' ratings applied; a fusion reads no neighbours. */
export interface Retrieved extends RankedForQuestion {
  /** The results of both queries. */
  answer: SearchAnswer;
  /** Whether the query got no vector. */
  isByWords: boolean;
  /** The slots that the query asks for, as in Hits. */
  slots: Asked | undefined;
  /** True if the reranker ordered the best hits. */
  isReranked?: boolean;
}

/** The context of an index query: a request, in its organization. */
export interface Finder extends QueryEmbedding, Asker {
  ports: Pick<Ports, "embedder" | "search" | "records">;
}

/** The context of a search. */
export type Searcher = Reranking & Finder;

/**
 * The index's hits, the searched scope, whether only keywords were used, and the time ranges and slots that the query asks
 * about.
 */
export interface Hits {
  /** Returns up to WIDE_DEPTH hits per query, without those at the time asked about; one round trip. */
  findMore(): Promise<SearchAnswer>;
  /** Returns those of some documents that are in the scope, as hits; one round trip. */
  findAmong(ids: string[]): Promise<SearchAnswer>;
  /** The query that found the hits: without the user's own names. */
  query: Query;
  answer: FoundTogether;
  scope: SearchScope;
  isByWords: boolean;
  asked: TimeRange[];
  /** The slots that the query asks for; undefined without a vector that says it. */
  slots: Asked | undefined;
}

/**
 * Returns the best memories of an organization for a query: one embedding, one round trip to the index for both
 * queries (two if the query has the user's own name), and one for the neighbours that the ranking needs; then the
 * reranker, if there is one. Without an embedding in time, it finds and ranks by keywords only. A fusion ignores the
 * time that the query asks about. The ranking does not depend on `depth`; for more, one more round trip finds the rest.
 */
export async function retrieve(
  ctx: Searcher,
  { query, filters, expired, fusion, depth, showsAll, now, asOf, signal }: Retrieval,
): Promise<Retrieved> {
  const hasTime = fusion === undefined;
  const found = await findHits(ctx, { query, filters, expired, depth: 0, now, signal, hasTime });
  const { answer, scope, isByWords, asked, slots } = found;
  const question = { query: found.query, now: asOf ?? now ?? scope.now, asked };
  const fuseByWeights = (hits: FoundTogether, { weights, fuse }: NonNullable<Retrieval["fusion"]>) =>
    rankByFeedback(fuse(ctx.ports.embedder, { question, answer: hits }, isByWords ? WORDS_ALONE : weights));
  const [context, named] = await Promise.all([
    fusion
      ? { question, ranked: fuseByWeights(answer, fusion), neighbours: NO_NEIGHBOURS }
      : rankInContext(ctx.ports, { ...question, answer, scope }),
    findNamed(ctx, query, scope),
  ]);
  if (named !== undefined) {
    const others = context.ranked.filter(({ id }) => id !== named.id);
    return { ...context, ranked: [named, ...others], answer, isByWords, slots };
  }
  const reranked = await rerank(ctx, { query, ranked: context.ranked, signal });
  const ranked = reranked ?? context.ranked;
  const retrieved = { ...context, ranked, answer, isByWords, slots, isReranked: reranked !== undefined };
  if (!isFull(answer) || (depth <= ranked.length && showsAll?.(retrieved) !== true)) return retrieved;
  const plain = { weights: plainWeights(ctx.ports.embedder), fuse: fuseByEvidence };
  return { ...retrieved, ranked: withRest(ranked, fuseByWeights(await found.findMore(), fusion ?? plain)) };
}

/** Returns the memory whose id the query is, if the search could have found it. */
async function findNamed(ctx: Finder, { text }: Query, scope: SearchScope): Promise<Ranked | undefined> {
  const id = text.trim();
  if (!couldBeIssued("memory", id) && !isChunk(id)) return undefined;
  if (scope.filters?.ids?.includes(id) === false) return undefined;
  const filters = { ...scope.filters, ids: [id] };
  const { documents } = await ctx.ports.search.browse({ ...scope, filters, descending: true, offset: 0, limit: 1 });
  const [document] = documents;
  return document && { id, score: 1, semanticScore: 1, keywordScore: 1, document };
}

function isFull({ semantic, keyword }: SearchAnswer): boolean {
  return semantic.length >= POOL || keyword.length >= POOL;
}

/** Returns the ranked hits and, behind them, the others of a deeper search, with scores that continue from the last. */
function withRest(ranked: Ranked[], deeper: Ranked[]): Ranked[] {
  const ids = new Set(ranked.map(({ id }) => id));
  const rest = deeper.filter(({ id }) => !ids.has(id));
  const factor = (ranked.at(-1)?.score ?? 0) / Math.max(Number.MIN_VALUE, rest[0]?.score ?? 0);
  return [...ranked, ...rest.map((hit) => ({ ...hit, score: hit.score * factor }))];
}

/** The request to the index; `hasTime`: also search what happened at the time that the query names. */
type Finding = Omit<Retrieval, "fusion" | "asOf" | "showsAll"> & { hasTime?: boolean };

/**
 * Returns the index's unranked hits for a query, and the searched scope: one call of the embedder and one round trip.
 * In that round trip, a query that names a time also searches what happened then, and one that names somebody also
 * searches by its meaning without the name, because texts name their speakers anyway. The user's own name says nothing
 * about what is asked: then one more round trip searches for the words without it.
 */
export async function findHits(
  ctx: Finder,
  { query, filters, expired, depth, now, signal, hasTime = true }: Finding,
): Promise<Hits> {
  const clock = ctx.clock();
  const [{ vector, unnamed, timeLimit }, asked] = await Promise.all([
    embedQuery(ctx, query, signal),
    hasTime ? readAskedTime(ctx, { query, filters, now: now ?? clock }) : [],
  ]);
  const limit = Math.min(MAX_POOL, Math.max(POOL, depth));
  const scope: SearchScope = { org: ctx.org, filters, expired, now: clock, signal };
  const around = filtersAround(asked, filters);
  const semanticOf = (vector: Float32Array, limit: number) => ({ vector, limit, text: query.text, timeLimit });
  const search = async (queriesOf: (limit: number) => Pick<SearchRequest, "semantic" | "keyword">) => {
    const [answer, atAskedTime] = await Promise.all([
      ctx.ports.search.search({ ...scope, filters, ...queriesOf(limit) }),
      around && ctx.ports.search.search({ ...scope, filters: around, ...queriesOf(POOL) }),
    ]);
    return atAskedTime ? mergeAnswers(answer, atAskedTime) : answer;
  };
  const [answer, ofUnnamed] = await Promise.all([
    search((limit) => ({ semantic: vector && semanticOf(vector, limit), keyword: { text: query.text, limit } })),
    unnamed && search((limit) => ({ semantic: semanticOf(unnamed.vector, limit) })),
  ]);
  const slots = askedOf(ctx.ports.embedder.id, vector);
  const found = { scope, isByWords: vector === undefined, asked, slots };
  const findersFor = (text: string, compared: Float32Array | undefined) => {
    const find = (limit: number, ids?: string[]) =>
      ctx.ports.search.search({
        ...scope,
        ...(ids && { filters: { ...filters, ids } }),
        ...(compared && { semantic: semanticOf(compared, limit) }),
        keyword: { text, limit },
      });
    return { findMore: () => find(WIDE_DEPTH), findAmong: (ids: string[]) => find(ids.length, ids) };
  };
  const asAsked = { ...found, query, answer, ...findersFor(query.text, vector) };
  if (unnamed === undefined || ofUnnamed === undefined) return asAsked;
  const isOfOneUser = filters?.user_id?.length === 1;
  if (isOfOneUser && areOwnNames(unnamed.names, answer)) {
    const { keyword, statistics } = await search((limit) => ({ keyword: { text: unnamed.text, limit } }));
    return {
      ...found,
      slots: slots && { ...slots, ofUser: 1 },
      query: new Query(unnamed.text),
      answer: { ...ofUnnamed, keyword, ...(statistics && { statistics }) },
      ...findersFor(unnamed.text, unnamed.vector),
    };
  }
  if (!isSaidBy(unnamed.names, answer)) return asAsked;
  return { ...asAsked, answer: withSemanticOf(ofUnnamed, answer), ...findersFor(query.text, unnamed.vector) };
}

/** Returns the keyword hits of one answer with the semantic hits of another. */
function withSemanticOf(other: FoundTogether, { weakest: _, ...answer }: FoundTogether): FoundTogether {
  return { ...other, ...answer, semantic: other.semantic };
}
