import type { SearchSource } from "../platform/ports.ts";
import { byScoreThenId, type Ranked } from "./fusion.ts";

type Ratings = SearchSource["ratings"];

const WORST = 1;
const NEUTRAL = 3;
const BEST = 5;
/** Most that good ratings add to a score: enough to order what is equally relevant, too little to bring up what is not. */
const MAX_PROMOTION = 0.05;
/** The same in the sum that the ranking orders by. */
const SUM_PROMOTION = 1.5;
/** What the worst ratings divide a score by, as a power of e: one rating costs a twentieth, five two thirds. */
const DEMOTION = 4;
/** Neutral ratings that everything starts with, so that a single one hardly counts. */
const PRIOR_COUNT = 3;
/** At this verdict people agree that a memory is useless: three of the worst ratings, and none that is better. */
const USELESS = -0.5;

/** What people think of a memory, from -1 to 1: the Bayesian mean, drawn to neutral by PRIOR_COUNT ratings that nobody gave. */
function verdictOf(ratings: Ratings): number {
  if (ratings === undefined) return 0;
  const { count, mean } = ratings;
  const expected = (count * mean + PRIOR_COUNT * NEUTRAL) / (count + PRIOR_COUNT);
  return (expected - NEUTRAL) / ((BEST - WORST) / 2);
}

/** What ratings do to a score: a factor, 1 without any. */
export function feedbackFactor(ratings: Ratings): number {
  return demotionFactor(ratings) * (1 + MAX_PROMOTION * Math.max(0, verdictOf(ratings)));
}

/** What bad ratings do to a score, 1 without any. They weigh by the cube, so that people have to agree. */
export function demotionFactor(ratings: Ratings): number {
  return Math.exp(-DEMOTION * Math.max(0, -verdictOf(ratings)) ** 3);
}

/** What good ratings add to the ranking's sum. */
export function promotionTerm(ratings: Ratings): number {
  return SUM_PROMOTION * Math.max(0, verdictOf(ratings));
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

/** Whether people agree that the memory is useless. */
export function isRatedUseless(ratings: Ratings): boolean {
  return verdictOf(ratings) <= USELESS;
}
