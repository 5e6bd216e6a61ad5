import type { Embedder, SearchAnswer } from "../../platform/ports.ts";
import { informationOf, type Ranked } from "../fusion.ts";
import calibration from "./calibration.json" with { type: "json" };

/** What tells a question that something answers from one that nothing does, each about 0..1. */
export const SIGNS = [
  /** How near the nearest candidate is in meaning, in deviations of the embedder's unrelated texts. */
  "meaning",
  /** How far that is from the mean of the query's own candidates. */
  "margin",
  /** Share of the query's information that the best candidates hold together. */
  "coverage",
] as const;

export type Signs = Record<(typeof SIGNS)[number], number>;

/** Best candidates whose words are looked at together. */
const BEST = 5;
/** Nearest candidates that are the query's own background, however deep it searched. */
const POOL = 100;
/** Deviations of unrelated texts that make a meaning of 1. */
export const DEVIATIONS = 3;

type Background = Pick<Embedder, "background">;

export interface Confidence {
  /** Whether anything found answers the query, 0..1: 0.7 keeps nine of ten questions that have an answer. */
  confidence: number;
  /** Not below the point that 95 % of the questions with an answer reach (docs/ranking.md). */
  isConfident: boolean;
}

/** Whether anything of what a search found answers its query. `ranked` is in the order of the ranking, best first. */
export function confidenceOf(
  embedder: Background,
  { ranked, answer }: { ranked: Pick<Ranked, "id">[]; answer: SearchAnswer },
): Confidence {
  if (ranked.length === 0) return { confidence: 0, isConfident: false };
  const confidence = logistic(oddsOf(signsOf(embedder, ranked, answer)));
  return { confidence, isConfident: confidence >= calibration.confident };
}

/** Natural logarithm of the odds that something found answers the query. */
export function oddsOf(signs: Signs): number {
  return SIGNS.reduce((sum, name) => sum + calibration.weights[name] * signs[name], calibration.intercept);
}

export function logistic(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** The signs in what a search found. Without any vector, words stand for the meaning. */
export function signsOf({ background }: Background, ranked: Pick<Ranked, "id">[], answer: SearchAnswer): Signs {
  const { semantic, keyword, statistics } = answer;
  const information = statistics === undefined ? new Map<string, number>() : informationOf(statistics);
  const best = new Set(ranked.slice(0, BEST).map(({ id }) => id));
  const held = new Set(keyword.flatMap(({ id, terms }) => (best.has(id) ? (terms ?? []) : [])));
  const sum = (terms: Iterable<string>) => [...terms].reduce((all, term) => all + (information.get(term) ?? 0), 0);
  const total = sum(information.keys());
  const coverage = total === 0 ? 0 : sum(held) / total;
  if (semantic.length === 0) return { meaning: coverage, margin: coverage, coverage };
  const cosines = semantic.slice(0, POOL).map(({ score }) => 2 * score - 1);
  const nearest = Math.max(...cosines);
  const mean = cosines.reduce((all, cosine) => all + cosine, 0) / cosines.length;
  const scale = DEVIATIONS * background.deviation;
  return { meaning: (nearest - background.mean) / scale, margin: (nearest - mean) / scale, coverage };
}
