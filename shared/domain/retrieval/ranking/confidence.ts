import { logistic } from "../../../kernel/math.ts";
import { analyse } from "../../../kernel/text/text.ts";
import { languageOf } from "../../../language/languages/detect.ts";
import type { Query } from "../../../language/questions/query.ts";
import type { Calibrated } from "../../../ports/embedder.ts";
import type { SearchAnswer } from "../../../ports/search-index.ts";
import { AskedTime } from "./asked-time.ts";
import calibration from "./calibration.json" with { type: "json" };
import { type Question, termsOfTime } from "./features.ts";
import { informationOf, type Ranked } from "./fusion.ts";
import { readingOpening } from "./opening.ts";

/** Signals that distinguish answerable from unanswerable questions, each about 0..1. */
export const SIGNALS = [
  /** Semantic similarity of the nearest candidate and the best one, in deviations of the embedder's unrelated texts. */
  "meaning",
  /** Share of the query's information that the best candidates hold together. */
  "coverage",
  /** Share of the best candidates in another language than the query's; 0 if only words are compared. */
  "otherLanguage",
  /** Share of the query's information that is about a time, if the best candidate is of that time. */
  "time",
] as const;

export type Signals = Record<(typeof SIGNALS)[number], number>;

/** Number of best candidates whose words are combined, and characters of each used to detect its language. */
const BEST = 5;
const SAMPLE_LENGTH = 200;
/** Share of a date named by a text above which the text counts as of the requested time. */
const MIN_TIME_SHARE = 0.5;
/** Deviations of unrelated texts that correspond to a meaning of 1. */
export const DEVIATIONS = 3;

/** A search whose best candidate scores less has no plausible answer. Nearly all answerable questions reach it. */
const PLAUSIBLE = { dense: 0.43, lexical: 0.5 };

/** Maximum score of hits that have nothing to do with the query: below a plausible answer. */
export const UNRELATED_SCORE = 0.4;

/** In deviations of unrelated texts: what is at most so much nearer than the mean of all found is as far as any other. */
const MAX_FLAT = 1;
/** Minimum number of found memories of which a mean is taken. */
const MIN_COMPARED = 8;
/**
 * What identifies one thing, of at least four characters: "E0499", "1Z999AA10", "7781-AX", "9400-1118", "#8841", "40117"; not
 * "400mg", "8h14", "2025-2026" or "120000". A part of a longer word is none. So does what a program did not fill in: "${id}",
 * "{{user}}", "<id>", "%s".
 */
const CODE = new RegExp(
  `(?<![\\p{L}\\p{N}]-?)(?:${[
    "\\$?\\{{1,2}[ \\p{L}\\p{N}_.-]+\\}{1,2}",
    "<[\\p{L}_][\\p{L}\\p{N}_.-]*>",
    "%[sd](?![\\p{L}\\p{N}])",
    "(?=[\\p{L}\\p{N}_-]{4})\\p{L}[\\p{L}_-]*\\p{N}[\\p{L}\\p{N}_-]*",
    "(?!\\p{N}{1,2}[hH]\\p{N}{2})(?=[\\p{L}\\p{N}]{4})\\p{N}+\\p{L}+\\p{N}[\\p{L}\\p{N}_-]*",
    "\\p{N}{3,}-\\p{Lu}[\\p{L}\\p{N}_-]*",
    "(?!(?:19|20)\\p{N}{2}-(?:19|20)\\p{N}{2})\\p{N}{3,}-\\p{N}{3,}(?![\\p{L}\\p{N}-])",
    "(?<=#)\\p{N}{2,}(?![\\p{L}\\p{N}-])",
    "(?!\\p{N}*000(?!\\p{N}))\\p{N}{5,}(?![\\p{L}\\p{N}-])",
  ].join("|")})`,
  "gu",
);

export interface Confidence {
  /** Confidence that a hit answers the query, 0..1: a limit of 0.7 keeps nine of ten answerable questions. */
  confidence: number;
  /** True from the score that 95 % of the answerable questions reach (docs/ranking.md). */
  isConfident: boolean;
}

/** Returns the embedder of the vectors that an answer compared; `current` is the embedder in use. */
export function embedderOf({ comparedBy }: SearchAnswer, current: Calibrated): Calibrated {
  return comparedBy ?? current;
}

/** A question and its hits in the order of the ranking, best first. */
export interface Judged {
  question: Question;
  ranked: Pick<Ranked, "id" | "semanticScore" | "document">[];
  answer: SearchAnswer;
}

/** Whether a score may be that of an answer. `current` is the embedder in use. */
export function isPlausible(current: Calibrated, answer: SearchAnswer, score: number): boolean {
  return score >= (embedderOf(answer, current).isLexical ? PLAUSIBLE.lexical : PLAUSIBLE.dense);
}

/** Returns the confidence that a hit answers the query. `current` is the embedder in use. */
export function confidenceOf(current: Calibrated, found: Judged): Confidence {
  if (found.ranked.length === 0) return { confidence: 0, isConfident: false };
  const embedder = embedderOf(found.answer, current);
  const confidence = logistic(oddsOf(embedder, signalsOf(embedder, found)));
  return { confidence, isConfident: confidence >= calibrationOf(embedder).confident };
}

/**
 * Whether what was found has nothing to do with the query: it names a code that nobody said, or no found memory holds
 * any of its words, and the nearest one is hardly nearer in meaning than the others. `current` is the embedder in use.
 */
export function isUnrelated(current: Calibrated, { question, answer }: Omit<Judged, "ranked">): boolean {
  const embedder = embedderOf(answer, current);
  if (question.query.once(codesIn).some((code) => !isHeld(code, answer))) return true;
  const cosines = answer.semantic.map(({ score }) => 2 * score - 1);
  if (answer.keyword.length > 0 || cosines.length < MIN_COMPARED || (question.asked ?? []).length > 0) return false;
  const { mean, deviation } = embedder.background;
  const nearest = Math.max(...cosines);
  const meanOfFound = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  return nearest < mean + DEVIATIONS * deviation && nearest - meanOfFound < MAX_FLAT * deviation;
}

/** Returns the terms of each word of a query that looks like a code: "JIRA-9999". */
function codesIn({ text }: Query): string[][] {
  return (text.match(CODE) ?? []).map((code) => analyse(code));
}

/** Returns the terms of the query's codes that no found memory holds. */
export function unheldTerms({ query }: Question, answer: SearchAnswer): ReadonlySet<string> {
  return new Set(
    codesIn(query)
      .filter((code) => !isHeld(code, answer))
      .flat(),
  );
}

function isHeld(code: string[], { keyword }: SearchAnswer): boolean {
  return keyword.some(({ terms = [] }) => code.every((term) => terms.includes(term)));
}

/** Returns the natural logarithm of the odds that a hit answers the query. */
export function oddsOf(embedder: Calibrated, signals: Signals): number {
  const { weights, intercept } = calibrationOf(embedder);
  return SIGNALS.reduce((sum, name) => sum + weights[name] * signals[name], intercept);
}

/** Returns the calibration fitted by test/bench/calibration.ts; a lexical embedder says less about meaning. */
export function calibrationOf({ isLexical }: Calibrated) {
  return isLexical ? calibration.lexical : calibration.dense;
}

/** Returns the signals of a search's hits. Without any vector, the keyword score replaces the meaning. */
export function signalsOf(
  { background, isLexical }: Pick<Calibrated, "background" | "isLexical">,
  { question, ranked, answer: { semantic, keyword, statistics } }: Judged,
): Signals {
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
    time: isOfAskedTime(question, best[0]) ? shareOf(termsOfTime(question)) : 0,
  };
}

function sumOf(terms: Iterable<string>, information: Map<string, number>): number {
  return [...terms].reduce((all, term) => all + (information.get(term) ?? 0), 0);
}

const languageOfOpening = readingOpening(SAMPLE_LENGTH, languageOf);

function otherLanguageOf({ query }: Question, best: Judged["ranked"]): number {
  const { language } = query;
  const others = best.filter(({ document }) => languageOfOpening(document.content) !== language);
  return best.length === 0 ? 0 : others.length / best.length;
}

function isOfAskedTime({ asked = [] }: Question, best: Judged["ranked"][number] | undefined): boolean {
  const time = new AskedTime(asked);
  return best !== undefined && (time.holds(best.document) || time.namedBy(best.document) >= MIN_TIME_SHARE);
}
