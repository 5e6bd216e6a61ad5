import { logistic } from "../../kernel/logistic.ts";
import type { Calibrated, SearchAnswer } from "../../platform/ports.ts";
import { informationOf, type Ranked } from "../fusion.ts";
import calibration from "./calibration.json" with { type: "json" };

/** What tells a question that something answers from one that nothing does, each about 0..1. */
export const SIGNS = [
  /** How near the nearest candidate is in meaning, in deviations of the embedder's unrelated texts. */
  "meaning",
  /** Share of the query's information that the best candidates hold together. */
  "coverage",
] as const;

export type Signs = Record<(typeof SIGNS)[number], number>;

/** Best candidates whose words are looked at together. */
const BEST = 5;
/** Deviations of unrelated texts that make a meaning of 1. */
export const DEVIATIONS = 3;

/** A search whose best candidate scores less has no plausible answer: 1 % of the answerable questions. */
export const PLAUSIBLE = 0.5;

export interface Confidence {
  /** Whether anything found answers the query, 0..1: 0.7 keeps nine of ten questions that have an answer. */
  confidence: number;
  /** Not below the point that 95 % of the questions with an answer reach (docs/ranking.md). */
  isConfident: boolean;
}

/** What made the vectors that an answer compared; `current` is the embedder in use. */
export function embedderOf({ comparedBy }: SearchAnswer, current: Calibrated): Calibrated {
  return comparedBy ?? current;
}

/**
 * Whether anything of what a search found answers its query. `ranked` is in the order of the ranking, best first, and
 * `current` the embedder in use.
 */
export function confidenceOf(
  current: Calibrated,
  { ranked, answer }: { ranked: Pick<Ranked, "id">[]; answer: SearchAnswer },
): Confidence {
  if (ranked.length === 0) return { confidence: 0, isConfident: false };
  const embedder = embedderOf(answer, current);
  const confidence = logistic(oddsOf(embedder, signsOf(embedder, ranked, answer)));
  return { confidence, isConfident: confidence >= calibrationOf(embedder).confident };
}

/** Natural logarithm of the odds that something found answers the query. */
export function oddsOf(embedder: Calibrated, signs: Signs): number {
  const { weights, intercept } = calibrationOf(embedder);
  return SIGNS.reduce((sum, name) => sum + weights[name] * signs[name], intercept);
}

/** Fitted by test/bench/calibration.ts; an embedder that compares words says less about meaning. */
export function calibrationOf({ isLexical }: Calibrated) {
  return isLexical ? calibration.lexical : calibration.dense;
}

/** The signs in what a search found. Without any vector, words stand for the meaning. */
export function signsOf(
  { background }: Pick<Calibrated, "background">,
  ranked: Pick<Ranked, "id">[],
  answer: SearchAnswer,
): Signs {
  const { semantic, keyword, statistics } = answer;
  const information = statistics === undefined ? new Map<string, number>() : informationOf(statistics);
  const best = new Set(ranked.slice(0, BEST).map(({ id }) => id));
  const held = new Set(keyword.flatMap(({ id, terms }) => (best.has(id) ? (terms ?? []) : [])));
  const sum = (terms: Iterable<string>) => [...terms].reduce((all, term) => all + (information.get(term) ?? 0), 0);
  const total = sum(information.keys());
  const coverage = total === 0 ? 0 : sum(held) / total;
  const [nearest] = semantic;
  if (nearest === undefined) return { meaning: coverage, coverage };
  return { meaning: (2 * nearest.score - 1 - background.mean) / (DEVIATIONS * background.deviation), coverage };
}
