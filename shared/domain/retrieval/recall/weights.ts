import { occurredMs } from "../../../kernel/event-time.ts";
import type { SearchAnswer } from "../../../ports/ports.ts";
import type { Ranked } from "../ranking/fusion.ts";
import type { TermWorth } from "./excerpt.ts";

/**
 * A hit whose share of the best one's odds is smaller has little to do with the query and does not become a line, even
 * if there is space.
 */
const MIN_SHARE = 0.05;
/** The worth of a line is its share of the best one's odds, to this power. */
const ODDS_EXPONENT = 2;
const MAX_ODDS = 1e6;
/** Factor on the worth of a statement that was made after the requested day. */
const LATER_SHARE = 0.3;

export interface Weighed {
  hit: Ranked;
  /** 0..1; the best has 1. */
  worth: number;
}

/** Returns the hits that may become lines, best first, at most `most`, with their worth. */
export function weigh(ranked: Ranked[], asOf: number | undefined, most: number): Weighed[] {
  const best = Math.max(...ranked.map(oddsOf));
  return ranked
    .filter((hit) => oddsOf(hit) >= MIN_SHARE * best)
    .slice(0, most)
    .map((hit) => {
      const isLater = asOf !== undefined && occurredMs(hit.document) > asOf;
      return { hit, worth: (oddsOf(hit) / best) ** ODDS_EXPONENT * (isLater ? LATER_SHARE : 1) };
    });
}

function oddsOf({ score }: Pick<Ranked, "score">): number {
  return Math.min(MAX_ODDS, score / (1 - score));
}

/** Returns the worth of the query's terms; rare terms are worth more. */
export function worthOfTerms({ statistics }: Pick<SearchAnswer, "statistics">): TermWorth {
  if (statistics === undefined) return new Map();
  const { documents, terms } = statistics;
  return new Map(terms.map(({ term, documents: holding }) => [term, Math.log(1 + documents / Math.max(1, holding))]));
}
