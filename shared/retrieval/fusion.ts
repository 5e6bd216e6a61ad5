import type { Embedder, KeywordStatistics, SearchAnswer, SearchHit, SearchSource } from "../platform/ports.ts";

/** How much each witness is believed, 0..1. Weights need not sum to 1. */
export interface FusionWeights {
  semantic: number;
  keyword: number;
}

/**
 * What plain search believes. A dense embedder is a witness of its own; the lexical one sees the same words as the
 * keyword query does, so what it says beyond that counts half.
 */
export function plainWeights({ isLexical }: Pick<Embedder, "isLexical">): FusionWeights {
  return { semantic: isLexical ? 0.5 : 1, keyword: 1 };
}

/** Of two scores in 0..1 makes one. */
export type Combine = (semanticScore: number, keywordScore: number, weights: FusionWeights) => number;

export interface Ranked {
  id: string;
  /** Fused, 0..1. */
  score: number;
  /** (1 + cosine) / 2. A hit of the keyword query alone has the weakest semantic hit's: at most that is its own. */
  semanticScore: number;
  /** Share of the query that the document holds; 0 for a hit of the semantic query alone. */
  keywordScore: number;
  document: SearchSource;
}

/** What an index found, where what another query found was added to it. */
export interface FoundTogether extends SearchAnswer {
  /** The score of the weakest hit by meaning before that: at most that near is what only words found. */
  weakest?: number;
}

/**
 * How much of a keyword score is the engine's BM25 beside that of the best hit. It only orders documents that hold
 * the same words; as a ratio it does not depend on the engine's scale.
 */
const BM25_SHARE = 0.2;

/**
 * Merges both lists of an answer, best first, ties by id. The keyword score is the share of the query's information
 * (sum of idf, Robertson & Zaragoza 2009, eq. 3.3 in Lucene's never negative form) that the document's words carry, so
 * it is the same on every engine, and a lone hit of one weak word of many stays weak.
 */
export function fuse(answer: FoundTogether, weights: FusionWeights, combine: Combine = corroborate): Ranked[] {
  const keywordScores = scoreKeywordHits(answer);
  const semanticScores = new Map(answer.semantic.map(({ id, score }) => [id, score]));
  const unseen = answer.weakest ?? answer.semantic.at(-1)?.score ?? 0;
  const hits = new Map<string, SearchHit>([...answer.semantic, ...answer.keyword].map((hit) => [hit.id, hit]));
  return [...hits.values()]
    .map(({ id, document }) => {
      const semanticScore = semanticScores.get(id) ?? unseen;
      const keywordScore = keywordScores.get(id) ?? 0;
      return { id, score: combine(semanticScore, keywordScore, weights), semanticScore, keywordScore, document };
    })
    .sort(byScoreThenId);
}

/** 1 - (1 - s cosine)(1 - k keyword), in 0..1: the noisy-or of two witnesses, either of whom is believed alone. */
export function evidence(semanticScore: number, keywordScore: number, weights: FusionWeights): number {
  const cosine = Math.max(0, 2 * semanticScore - 1);
  return 1 - (1 - weights.semantic * cosine) * (1 - weights.keyword * keywordScore);
}

/** (1 + evidence) / 2. What is unrelated scores about 0.5, as a cosine of 0 does; 0.7 takes evidence of 0.4. */
export const corroborate: Combine = (semanticScore, keywordScore, weights) =>
  (1 + evidence(semanticScore, keywordScore, weights)) / 2;

/** The mean of both scores by weight; 0 when neither weighs anything. */
export const weightedMean: Combine = (semanticScore, keywordScore, { semantic, keyword }) => {
  const total = semantic + keyword;
  return total === 0 ? 0 : (semantic * semanticScore + keyword * keywordScore) / total;
};

/** Best first; equal scores in the order of their ids. */
export function byScoreThenId(a: { id: string; score: number }, b: { id: string; score: number }): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}

function scoreKeywordHits({ keyword, statistics }: SearchAnswer): Map<string, number> {
  const [best] = keyword;
  if (best === undefined || statistics === undefined) return new Map();
  const information = informationOf(statistics);
  const total = [...information.values()].reduce((sum, bits) => sum + bits, 0);
  const share = (hit: SearchHit) =>
    (hit.terms ?? []).reduce((sum, term) => sum + (hit.weights?.get(term) ?? 1) * (information.get(term) ?? 0), 0) /
    total;
  const relative = (hit: SearchHit) => 1 - BM25_SHARE + (BM25_SHARE * hit.score) / best.score;
  return new Map(keyword.map((hit) => [hit.id, share(hit) * relative(hit)]));
}

/** Inverse document frequency of the query's terms. */
export function informationOf({ documents, terms }: KeywordStatistics): Map<string, number> {
  return new Map(terms.map(({ term, documents: holding }) => [term, inverseDocumentFrequency(documents, holding)]));
}

/** Counts may lag, so that more documents than there are seem to hold a term; that is as common as can be. */
export function inverseDocumentFrequency(documents: number, holding: number): number {
  const missing = Math.max(0, documents - holding);
  return Math.log(1 + (missing + 0.5) / (holding + 0.5));
}
