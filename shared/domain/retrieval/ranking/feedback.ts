import type { SearchSource } from "../../../ports/search-index.ts";
import { byScoreThenId, type Ranked } from "./fusion.ts";

type Ratings = SearchSource["ratings"];

const WORST = 1;
const NEUTRAL = 3;
const BEST = 5;
/**
 * Maximum that good ratings add to a score: enough to order equally relevant memories, too little to lift irrelevant
 * ones.
 */
const MAX_PROMOTION = 0.05;
/** The same, for the sum that the ranking orders by. */
const SUM_PROMOTION = 1.5;
/** Exponent of e by which the worst ratings divide a score: one rating costs a twentieth, five cost two thirds. */
const DEMOTION = 4;
/** Number of neutral prior ratings, so that a single rating hardly counts. */
const PRIOR_COUNT = 3;
/** At this mean, people agree that a memory is useless: three of the worst ratings, and none better. */
const USELESS = -0.5;

/** Returns people's rating of a memory, from -1 to 1: the Bayesian mean with PRIOR_COUNT neutral prior ratings. */
function verdictOf(ratings: Ratings): number {
  if (ratings === undefined) return 0;
  const { count, mean } = ratings;
  const expected = (count * mean + PRIOR_COUNT * NEUTRAL) / (count + PRIOR_COUNT);
  return (expected - NEUTRAL) / ((BEST - WORST) / 2);
}

/** Returns the factor by which ratings change a score; 1 without ratings. */
export function feedbackFactor(ratings: Ratings): number {
  return demotionFactor(ratings) * (1 + MAX_PROMOTION * Math.max(0, verdictOf(ratings)));
}

/**
 * Returns the factor by which bad ratings change a score; 1 without any. Their effect is cubic, so that people have to
 * agree.
 */
export function demotionFactor(ratings: Ratings): number {
  return Math.exp(-DEMOTION * Math.max(0, -verdictOf(ratings)) ** 3);
}

/** Returns what good ratings add to the ranking's sum. */
export function promotionTerm(ratings: Ratings): number {
  return SUM_PROMOTION * Math.max(0, verdictOf(ratings));
}

/** Applies ratings to the scores; best first. Scores stay in 0..1; memories clamped to 1 keep their order. */
export function rankByFeedback<Hit extends Ranked>(ranked: Hit[]): Hit[] {
  return ranked
    .map((hit) => ({ ...hit, score: hit.score * feedbackFactor(hit.document.ratings) }))
    .sort(byScoreThenId)
    .map((hit) => ({ ...hit, score: Math.min(1, hit.score) }));
}

/** Whether people rated the memory as relevant; undefined without ratings. */
export function isRatedRelevant(ratings: Ratings): boolean | undefined {
  return ratings && ratings.mean > NEUTRAL;
}

/** Whether people agree that the memory is useless. */
export function isRatedUseless(ratings: Ratings): boolean {
  return verdictOf(ratings) <= USELESS;
}
