import { compareTexts } from "../../../kernel/strings.ts";
import type { Embedder } from "../../../ports/embedder.ts";
import type { KeywordStatistics, SearchAnswer, SearchHit, SearchSource } from "../../../ports/search-index.ts";

/** The weight of each score, 0..1. Weights need not sum to 1. */
export interface FusionWeights {
  semantic: number;
  keyword: number;
}

/**
 * Returns the weights of plain search. A dense embedder is independent evidence; the lexical one sees the same words as
 * the keyword query, so its score counts half.
 */
export function plainWeights({ isLexical }: Pick<Embedder, "isLexical">): FusionWeights {
  return { semantic: isLexical ? 0.5 : 1, keyword: 1 };
}

export interface Ranked {
  id: string;
  /** The fused score, 0..1. */
  score: number;
  /**
   * (1 + cosine) / 2, or the calibrated score of it (weighted.ts). A hit of only the keyword query gets the weakest
   * semantic hit's score: its own is at most that.
   */
  semanticScore: number;
  /** Share of the query's information that the document holds; 0 for a hit of only the semantic query. */
  keywordScore: number;
  document: SearchSource;
}

/** The results of an index query, possibly merged with those of another query. */
export interface FoundTogether extends SearchAnswer {
  /** The score of the weakest semantic hit before the merge: the upper bound for keyword-only hits. */
  weakest?: number;
}

/**
 * Share of a keyword score that is the engine's BM25 relative to the best hit. It only orders documents that hold the
 * same words; as a ratio it does not depend on the engine's scale.
 */
const BM25_SHARE = 0.2;
/** The same if only keywords decide, so that the order is at least as good as the engine's. */
const BM25_SHARE_ALONE = 0.8;

/**
 * Merges both lists of an answer, best first, ties by id. The keyword score is the share of the query's information
 * (sum of idf, Robertson & Zaragoza 2009, eq. 3.3 in Lucene's non-negative form) that the document's words carry. So it
 * is the same on every engine, and a hit on only one weak word of many stays weak.
 */
export function fuse(answer: FoundTogether, weights: FusionWeights): Ranked[] {
  const keywordScores = scoreKeywordHits(answer, weights.semantic === 0 ? BM25_SHARE_ALONE : BM25_SHARE);
  const semanticScores = new Map(answer.semantic.map(({ id, score }) => [id, score]));
  const unseen = answer.weakest ?? answer.semantic.at(-1)?.score ?? 0;
  const hits = new Map<string, SearchHit>([...answer.semantic, ...answer.keyword].map((hit) => [hit.id, hit]));
  return [...hits.values()]
    .map(({ id, document }) => {
      const semanticScore = semanticScores.get(id) ?? unseen;
      const keywordScore = keywordScores.get(id) ?? 0;
      return { id, score: corroborate(semanticScore, keywordScore, weights), semanticScore, keywordScore, document };
    })
    .sort(byScoreThenId);
}

/**
 * 1 - (1 - s cosine)(1 - k keyword), in 0..1: the noisy-or of two pieces of evidence, each of which is sufficient
 * alone.
 */
export function evidence(semanticScore: number, keywordScore: number, weights: FusionWeights): number {
  const cosine = Math.max(0, 2 * semanticScore - 1);
  return 1 - (1 - weights.semantic * cosine) * (1 - weights.keyword * keywordScore);
}

/** (1 + evidence) / 2. Unrelated texts score about 0.5, like a cosine of 0; a score of 0.7 takes evidence of 0.4. */
export function corroborate(semanticScore: number, keywordScore: number, weights: FusionWeights): number {
  return (1 + evidence(semanticScore, keywordScore, weights)) / 2;
}

/** Returns the weighted mean of both scores; 0 if both weights are 0. */
export function weightedMean(
  semanticScore: number,
  keywordScore: number,
  { semantic, keyword }: FusionWeights,
): number {
  const total = semantic + keyword;
  return total === 0 ? 0 : (semantic * semanticScore + keyword * keywordScore) / total;
}

/** Compares by descending score, then by id. */
export function byScoreThenId(a: { id: string; score: number }, b: { id: string; score: number }): number {
  return b.score - a.score || compareTexts(a.id, b.id);
}

function scoreKeywordHits({ keyword, statistics }: SearchAnswer, bm25Share: number): Map<string, number> {
  const [best] = keyword;
  if (best === undefined || statistics === undefined) return new Map();
  const information = informationOf(statistics);
  const total = [...information.values()].reduce((sum, bits) => sum + bits, 0);
  const share = (hit: SearchHit) =>
    (hit.terms ?? []).reduce((sum, term) => sum + (hit.weights?.get(term) ?? 1) * (information.get(term) ?? 0), 0) /
    total;
  const relative = (hit: SearchHit) => 1 - bm25Share + (bm25Share * hit.score) / best.score;
  return new Map(keyword.map((hit) => [hit.id, share(hit) * relative(hit)]));
}

/** Returns the inverse document frequency of the query's terms. */
export function informationOf({ documents, terms }: KeywordStatistics): Map<string, number> {
  return new Map(
    terms.map(({ term, documents: containing }) => [term, inverseDocumentFrequency(documents, containing)]),
  );
}

/** Counts may lag, so more documents may seem to hold a term than exist; such a term counts as held by all. */
export function inverseDocumentFrequency(documents: number, containing: number): number {
  const missing = Math.max(0, documents - containing);
  return Math.log(1 + (missing + 0.5) / (containing + 0.5));
}
