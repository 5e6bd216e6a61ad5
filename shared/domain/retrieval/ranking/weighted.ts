import { logistic } from "../../../kernel/math.ts";
import type { Calibrated } from "../../../ports/embedder.ts";
import { calibrationOf, embedderOf, isUnrelated, UNRELATED_SCORE } from "./confidence.ts";
import type { Question } from "./features.ts";
import { byScoreThenId, type FoundTogether, type FusionWeights, fuse, type Ranked, weightedMean } from "./fusion.ts";
import { toCandidates } from "./rank.ts";

/** A question and its hits. */
interface Found {
  question: Question;
  answer: FoundTogether;
}

/** Orders the hits of both queries by given weights. `current` is the embedder in use. */
export type Fusion = (current: Calibrated, found: Found, weights: FusionWeights) => Ranked[];

/** Merges both scores as evidence of which each suffices. */
export const fuseByEvidence: Fusion = (_current, { answer }, weights) => fuse(answer, weights);

/** Merges both scores by their weighted mean. */
export const fuseByMean: Fusion = (current, found, weights) => {
  const scoreOf = semanticScorer(current, found);
  const meanings = new Map(toCandidates(current, found.answer).map(({ id, meaning }) => [id, meaning]));
  return fuse(found.answer, weights)
    .map((hit) => {
      const semanticScore = scoreOf(meanings.get(hit.id) ?? 0);
      return { ...hit, semanticScore, score: weightedMean(semanticScore, hit.keywordScore, weights) };
    })
    .sort(byScoreThenId);
};

/**
 * Returns a function from a candidate's meaning to its semantic score: how likely a memory that near to a question
 * answers it (test/bench/semantic-score.ts), and less if what was found has nothing to do with it.
 */
export function semanticScorer(current: Calibrated, found: Found): (meaning: number) => number {
  const embedder = embedderOf(found.answer, current);
  const { slope, middle } = calibrationOf(embedder).semantic;
  const max = isUnrelated(current, found) ? UNRELATED_SCORE : 1;
  return (meaning) => max * logistic(slope * (meaning - middle));
}
