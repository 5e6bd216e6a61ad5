import { logistic } from "../../kernel/logistic.ts";
import type { TimeRange } from "../../memory/dates/asked.ts";
import type { Calibrated, Neighbours, SearchIndex, SearchScope } from "../../platform/ports.ts";
import { demotionFactor, promotionTerm } from "../feedback.ts";
import { byScoreThenId, type FoundTogether, fuse, plainWeights, type Ranked } from "../fusion.ts";
import { calibrationOf, DEVIATIONS, embedderOf, oddsOf, signsOf } from "./confidence.ts";
import { type Candidate, FEATURES, type Features, featuresOf, type Question } from "./features.ts";
import ranking from "./weights.json" with { type: "json" };

/** Candidates whose neighbours are looked at: the best by words and meaning alone. */
const MAX_IN_CONTEXT = 100;
/** Neighbours on either side. */
const REACH = 2;

export type NeighboursInTime = Pick<Neighbours, "inTime" | "documents">;

/** What was ranked, best first, and what was read of the neighbours in time of the best. */
export interface RankedInContext {
  ranked: Ranked[];
  neighbours: NeighboursInTime;
}

/** The same, and what it was ranked for. */
export interface RankedForQuestion extends RankedInContext {
  question: Question;
}

export const NO_NEIGHBOURS: NeighboursInTime = { inTime: new Map(), documents: [] };

export interface RankingRequest {
  query: string;
  /** What both queries found. */
  answer: FoundTogether;
  /** Neighbours are in it too. */
  scope: SearchScope;
  /** The moment that the query is asked at, in epoch milliseconds. */
  now: number;
  /** The time that it asks about. */
  asked?: TimeRange[] | undefined;
}

interface RankingPorts {
  embedder: Calibrated;
  search: Pick<SearchIndex, "neighbours">;
}

/**
 * Ranks what a search found, best first, by a linear model of the features (weights.json, fitted by
 * test/bench/fit-ranking.ts). The best scores the confidence that it answers the query, the others less by their distance
 * from it. Costs one round trip for the neighbours, none where no candidate has a session.
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

/** The same without the neighbours. */
export async function rank(ports: RankingPorts, request: RankingRequest): Promise<Ranked[]> {
  const { ranked } = await rankInContext(ports, request);
  return ranked;
}

/** The scores that `rank` gives to what is found by itself, without its neighbours, by id. */
export function scoresAlone(
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
  const summed = candidates.map(({ meaning: _, ...hit }, place) => ({ ...hit, score: sumOf(features[place], hit) }));
  const [best, ...others] = summed.sort(byScoreThenId);
  if (best === undefined) return [];
  const ranked = [best, ...others];
  const odds = oddsOf(embedder, signsOf(embedder, { question, ranked, answer }));
  const { slope, own } = calibrationOf(embedder);
  // Beside a sure best, what is weak by itself is still weak; both rise with the sum, so that the order stays.
  const toScore = (sum: number) =>
    logistic(Math.min(odds - slope * (best.score - sum), own.slope * (sum - own.middle)));
  // Where people agree that a memory is useless, it is no answer however well it fits.
  return ranked
    .map((hit) => ({ ...hit, score: toScore(hit.score) * demotionFactor(hit.document.ratings) }))
    .sort(byScoreThenId);
}

/** What both queries found, best first by words and meaning alone. */
export function toCandidates(current: Calibrated, answer: FoundTogether): Candidate[] {
  const embedder = embedderOf(answer, current);
  const { mean, deviation } = embedder.background;
  const weights = plainWeights(embedder);
  const scale = weights.semantic / (DEVIATIONS * deviation);
  const meaningOf = (semanticScore: number) => scale * (2 * semanticScore - 1 - mean);
  const pending = new Set(answer.keyword.flatMap(({ id, isPending }) => (isPending ? [id] : [])));
  return fuse(answer, weights).map((hit) => {
    // As near in meaning as in words, as far as anybody knows.
    const isUnknown = answer.semantic.length === 0 || pending.has(hit.id);
    return { ...hit, meaning: isUnknown ? hit.keywordScore : meaningOf(hit.semanticScore) };
  });
}

export async function readNeighbours(
  search: Pick<SearchIndex, "neighbours">,
  candidates: Candidate[],
  scope: SearchScope,
): Promise<NeighboursInTime> {
  const best = candidates.slice(0, MAX_IN_CONTEXT).map(({ document }) => document);
  const documents = best.filter(({ session_id }) => session_id !== undefined);
  if (documents.length === 0) return NO_NEIGHBOURS;
  return search.neighbours({ ...scope, documents, reach: REACH, entities: [], mostMembers: 0 });
}

/** The features' weighted sum and what people's good ratings add to it. */
function sumOf(features: Features | undefined, { document }: Pick<Candidate, "document">): number {
  const { weights } = ranking;
  const sum = features === undefined ? 0 : FEATURES.reduce((all, name) => all + weights[name] * features[name], 0);
  return sum + promotionTerm(document.ratings);
}
