import type { SearchSource } from "../platform/ports.ts";
import { byScoreThenId, type Ranked } from "./fusion.ts";

type Ratings = SearchSource["ratings"];

const WORST = 1;
const NEUTRAL = 3;
const BEST = 5;
/** Most that ratings raise or lower a score: enough to order what is equally relevant, too little to bring up what is not. */
const MOST = 0.05;
/** Neutral ratings that everything starts with, so that a single one hardly counts. */
const PRIOR_COUNT = 3;

/**
 * What ratings do to a score: a factor from 1 - MOST to 1 + MOST, 1 without any. The mean is the Bayesian one, drawn to
 * neutral by PRIOR_COUNT ratings that nobody gave.
 */
export function feedbackFactor(ratings: Ratings): number {
  if (ratings === undefined) return 1;
  const { count, mean } = ratings;
  const expected = (count * mean + PRIOR_COUNT * NEUTRAL) / (count + PRIOR_COUNT);
  return 1 + (MOST * (expected - NEUTRAL)) / ((BEST - WORST) / 2);
}

/** The same, moved by their ratings; best first. Scores stay in 0..1, the order among those at 1 tells them apart. */
export function rankByFeedback<Hit extends Ranked>(ranked: Hit[]): Hit[] {
  return ranked
    .map((hit) => ({ ...hit, score: hit.score * feedbackFactor(hit.document.ratings) }))
    .sort(byScoreThenId)
    .map((hit) => ({ ...hit, score: Math.min(1, hit.score) }));
}

/** Whether people found the memory relevant; undefined where nobody said. */
export function isRatedRelevant(ratings: Ratings): boolean | undefined {
  return ratings && ratings.mean > NEUTRAL;
}
