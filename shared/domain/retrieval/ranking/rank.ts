import { logistic, logit } from "../../../kernel/math.ts";
import type { Calibrated } from "../../../ports/embedder.ts";
import type { Neighbours, SearchIndex, SearchScope } from "../../../ports/search-index.ts";
import {
  calibrationOf,
  DEVIATIONS,
  embedderOf,
  isUnrelated,
  oddsOf,
  signalsOf,
  UNRELATED_SCORE,
} from "./confidence.ts";
import { type Candidate, FEATURES, type Features, featuresOf, type Question } from "./features.ts";
import { demotionFactor, promotionTerm } from "./feedback.ts";
import { byScoreThenId, type FoundTogether, fuse, plainWeights, type Ranked } from "./fusion.ts";
import { asksOnlyForTime, inOrderOfTime } from "./time-alone.ts";
import ranking from "./weights.json" with { type: "json" };

/** Maximum number of candidates whose neighbours are read: the best by keywords and meaning alone. */
const MAX_IN_CONTEXT = 100;
/** Number of neighbours on either side. */
const NEIGHBOURS_PER_SIDE = 2;

export type NeighboursInTime = Pick<Neighbours, "inTime" | "documents">;

/** The ranked hits, best first, and the temporal neighbours of the best that were read. */
export interface RankedInContext {
  ranked: Ranked[];
  neighbours: NeighboursInTime;
}

/** Ranked hits with the question that they were ranked for. */
export interface RankedForQuestion extends RankedInContext {
  question: Question;
}

export const NO_NEIGHBOURS: NeighboursInTime = { inTime: new Map(), documents: [] };

export interface RankingRequest extends Question {
  /** The results of both queries. */
  answer: FoundTogether;
  /** Also restricts the neighbours. */
  scope: SearchScope;
}

interface RankingPorts {
  embedder: Calibrated;
  search: Pick<SearchIndex, "neighbours">;
}

/**
 * Ranks the hits of a search, best first, by a linear model of the features (weights.json, fitted by
 * test/bench/fit-ranking.ts; a lexical embedder says less about meaning). The best hit's score is the confidence that
 * it answers the query; the others score less by their distance from it. Costs one round trip for the neighbours, none
 * if no candidate has a session.
 */
export async function rankInContext(
  { embedder, search }: RankingPorts,
  { query, answer, scope, now, asked }: RankingRequest,
): Promise<RankedForQuestion> {
  const candidates = toCandidates(embedder, answer);
  const neighbours = await readNeighbours(search, candidates, scope);
  const question = { query, now, asked };
  return { question, ranked: score(embedder, question, { answer, candidates, neighbours }), neighbours };
}

/** Ranks as `rankInContext` does, and returns only the hits. */
export async function rank(ports: RankingPorts, request: RankingRequest): Promise<Ranked[]> {
  const { ranked } = await rankInContext(ports, request);
  return ranked;
}

/** Returns the scores that `rank` gives to hits without their neighbours, by id. */
export function individualScores(
  embedder: Calibrated,
  { query, answer, now, asked }: Omit<RankingRequest, "scope">,
): Map<string, number> {
  const candidates = toCandidates(embedder, answer);
  const ranked = score(embedder, { query, now, asked }, { answer, candidates, neighbours: NO_NEIGHBOURS });
  return new Map(ranked.map(({ id, score }) => [id, score]));
}

interface Found {
  answer: FoundTogether;
  candidates: Candidate[];
  neighbours: NeighboursInTime;
}

function score(current: Calibrated, question: Question, { answer, candidates, neighbours }: Found): Ranked[] {
  const embedder = embedderOf(answer, current);
  const features = featuresOf(question, candidates, neighbours);
  const weights = embedder.isLexical ? ranking.lexical : ranking.dense;
  const summed = candidates.map(({ meaning: _, ...hit }, index) => ({
    ...hit,
    score: sumOf(weights, features[index], hit),
  }));
  const [best, ...others] = summed.sort(byScoreThenId);
  if (best === undefined) return [];
  const ranked = [best, ...others];
  const found = { question, ranked, answer };
  const answerable = oddsOf(embedder, signalsOf(embedder, found));
  const odds = isUnrelated(current, found) ? Math.min(answerable, logit(UNRELATED_SCORE)) : answerable;
  const { slope, own } = calibrationOf(embedder);
  // A weak hit stays weak even if the best one is confident; both terms rise with the sum, so the order is kept.
  const toScore = (sum: number) =>
    logistic(Math.min(odds - slope * (best.score - sum), own.slope * (sum - own.middle)));
  // A memory that people agree is useless is no answer, however well it fits.
  const scored = ranked
    .map((hit) => ({ ...hit, score: toScore(hit.score) * demotionFactor(hit.document.ratings) }))
    .sort(byScoreThenId);
  return asksOnlyForTime(question) ? inOrderOfTime(question, scored) : scored;
}

/** Returns how near (1 + cosine) / 2 is, in deviations of unrelated texts. */
export function meaningOf(embedder: Calibrated, semanticScore: number): number {
  const { mean, deviation } = embedder.background;
  return (plainWeights(embedder).semantic * (2 * semanticScore - 1 - mean)) / (DEVIATIONS * deviation);
}

/** Returns the hits of both queries, best first by keywords and meaning alone. */
export function toCandidates(current: Calibrated, answer: FoundTogether): Candidate[] {
  const embedder = embedderOf(answer, current);
  const pending = new Set(answer.keyword.flatMap(({ id, isPending }) => (isPending ? [id] : [])));
  const hits = fuse(answer, plainWeights(embedder)).map((hit) => {
    const isUnknown = answer.semantic.length === 0 || pending.has(hit.id);
    return { ...hit, meaning: isUnknown ? undefined : meaningOf(embedder, hit.semanticScore) };
  });
  const surplus = surplusOf(hits);
  return hits.map(({ meaning, ...hit }) => ({ ...hit, meaning: meaning ?? hit.keywordScore + surplus }));
}

/**
 * Returns by how much the meaning of the hits with words of the query exceeds their keyword score, in the mean; at
 * least 0. The meaning of a hit without a vector is estimated as its keyword score plus this.
 */
function surplusOf(hits: { meaning: number | undefined; keywordScore: number }[]): number {
  const known = hits.flatMap(({ meaning, keywordScore }) =>
    meaning === undefined || keywordScore === 0 ? [] : [meaning - keywordScore],
  );
  return known.length === 0 ? 0 : Math.max(0, known.reduce((sum, one) => sum + one, 0) / known.length);
}

export async function readNeighbours(
  search: Pick<SearchIndex, "neighbours">,
  candidates: Candidate[],
  scope: SearchScope,
): Promise<NeighboursInTime> {
  const best = candidates.slice(0, MAX_IN_CONTEXT).map(({ document }) => document);
  const documents = best.filter(({ session_id }) => session_id !== undefined);
  if (documents.length === 0) return NO_NEIGHBOURS;
  return search.neighbours({ ...scope, documents, reach: NEIGHBOURS_PER_SIDE, entities: [], maxMembers: 0 });
}

/** Returns the features' weighted sum plus what good ratings add to it. */
function sumOf(weights: Features, features: Features | undefined, { document }: Pick<Candidate, "document">): number {
  const sum = features === undefined ? 0 : FEATURES.reduce((all, name) => all + weights[name] * features[name], 0);
  return sum + promotionTerm(document.ratings);
}
