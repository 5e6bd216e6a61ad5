import { occurredMs } from "../kernel/event-time.ts";
import type { SearchAnswer } from "../platform/ports.ts";
import type { Ranked } from "../retrieval/fusion.ts";
import type { TermWorth } from "./excerpt.ts";

/** What has a smaller share of the best one's odds has little to do with the query, and is no line however much room there is. */
const MIN_SHARE = 0.05;
/** Lines are weighed by their share of the best one's odds, to this power. */
const ODDS_EXPONENT = 2;
const MAX_ODDS = 1e6;
/** Share of its worth that a statement has which was made after the day that is asked for. */
const LATER_SHARE = 0.3;

export interface Weighed {
  hit: Ranked;
  /** 0..1; the best has 1. */
  worth: number;
}

/** What of the hits may become a line, best first and at most so many, with what it is worth. */
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

/** Rare terms of the query are worth more. */
export function worthOfTerms({ statistics }: Pick<SearchAnswer, "statistics">): TermWorth {
  if (statistics === undefined) return new Map();
  const { documents, terms } = statistics;
  return new Map(terms.map(({ term, documents: holding }) => [term, Math.log(1 + documents / Math.max(1, holding))]));
}
