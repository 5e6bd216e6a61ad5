import { logistic } from "../../kernel/logistic.ts";
import { languageOf } from "../../memory/dates/languages.ts";
import type { Calibrated, SearchAnswer } from "../../platform/ports.ts";
import { informationOf, type Ranked } from "../fusion.ts";
import { AskedTime } from "./asked-time.ts";
import calibration from "./calibration.json" with { type: "json" };
import { type Question, termsOfDates } from "./features.ts";

/** What tells a question that something answers from one that nothing does, each about 0..1. */
export const SIGNS = [
  /** How near the nearest candidate and the best one are in meaning, in deviations of the embedder's unrelated texts. */
  "meaning",
  /** Share of the query's information that the best candidates hold together. */
  "coverage",
  /** Share of the best candidates in another language than the query's; none where words alone are compared. */
  "otherLanguage",
  /** Share of the query's information that is about a time, where the best candidate is of that time. */
  "time",
] as const;

export type Signs = Record<(typeof SIGNS)[number], number>;

/** Best candidates whose words are looked at together, and as much of each as its language is looked for in. */
const BEST = 5;
const SAMPLE_LENGTH = 200;
/** The share of a date that a text names that makes the text one of the time asked about. */
const MOST = 0.5;
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

/** What a search found for a question, in the order of the ranking, best first. */
export interface Judged {
  question: Question;
  ranked: Pick<Ranked, "id" | "semanticScore" | "document">[];
  answer: SearchAnswer;
}

/** Whether anything of what a search found answers its query. `current` is the embedder in use. */
export function confidenceOf(current: Calibrated, found: Judged): Confidence {
  if (found.ranked.length === 0) return { confidence: 0, isConfident: false };
  const embedder = embedderOf(found.answer, current);
  const confidence = logistic(oddsOf(embedder, signsOf(embedder, found)));
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
  { background, isLexical }: Pick<Calibrated, "background" | "isLexical">,
  { question, ranked, answer: { semantic, keyword, statistics } }: Judged,
): Signs {
  const information = statistics === undefined ? new Map<string, number>() : informationOf(statistics);
  const total = sumOf(information.keys(), information);
  const shareOf = (terms: Iterable<string>) => (total === 0 ? 0 : sumOf(new Set(terms), information) / total);
  const best = ranked.slice(0, BEST);
  const ids = new Set(best.map(({ id }) => id));
  const coverage = shareOf(keyword.flatMap(({ id, terms }) => (ids.has(id) ? (terms ?? []) : [])));
  const meaningOf = (score: number) => (2 * score - 1 - background.mean) / (DEVIATIONS * background.deviation);
  const [nearest] = semantic;
  const scores = [nearest?.score ?? 0, best[0]?.semanticScore ?? 0];
  return {
    meaning:
      nearest === undefined ? coverage : scores.reduce((sum, score) => sum + meaningOf(score), 0) / scores.length,
    coverage,
    otherLanguage: isLexical ? 0 : otherLanguageOf(question, best),
    time: isOfAskedTime(question, best[0]) ? shareOf(termsOfDates(question)) : 0,
  };
}

function sumOf(terms: Iterable<string>, information: Map<string, number>): number {
  return [...terms].reduce((all, term) => all + (information.get(term) ?? 0), 0);
}

function otherLanguageOf({ query }: Question, best: Judged["ranked"]): number {
  const language = languageOf(query);
  const others = best.filter(({ document }) => languageOf(document.content.slice(0, SAMPLE_LENGTH)) !== language);
  return best.length === 0 ? 0 : others.length / best.length;
}

function isOfAskedTime({ asked = [] }: Question, best: Judged["ranked"][number] | undefined): boolean {
  const time = new AskedTime(asked);
  return best !== undefined && (time.holds(best.document) || time.namedBy(best.document) >= MOST);
}
