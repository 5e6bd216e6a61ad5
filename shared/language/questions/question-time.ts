import { spaced, wordSet } from "../../kernel/text/text.ts";
import { allPhrases, allWords } from "../languages/lists.ts";
import type { Query } from "./query.ts";

/** The interrogative words of all languages, folded. */
export const QUESTION_WORDS = wordSet(allWords(({ questions }) => questions?.interrogatives));

/**
 * The time that a question asks about. "before": what held before something else. "change": why, when or whether
 * something changed. "past": the past, without a specific time. "now": what its words say holds now. "open": none of
 * these.
 */
export type QuestionTime = "before" | "change" | "past" | "now" | "open";

const BEFORE = wordSet(allWords(({ questions }) => questions?.before));
const PAST = wordSet(allWords(({ questions }) => questions?.past));
const POLAR = wordSet(allWords(({ questions }) => questions?.polar));
const CAUSE = allPhrases(({ questions }) => questions?.cause);
const CAUSE_WORDS = wordSet(CAUSE.filter(isWord).join(" "));
const CAUSE_PHRASES = CAUSE.filter((phrase) => !isWord(phrase)).map(spaced);
const PRESENT = allPhrases(({ questions }) => questions?.now);
/** Words that only ask for what holds now. */
export const NOW = wordSet(PRESENT.filter(isWord).join(" "));
const NOW_PHRASES = PRESENT.filter((phrase) => !isWord(phrase)).map(spaced);

function isWord(phrase: string): boolean {
  return !phrase.includes(" ");
}

/** Returns which time a question asks about, by its words. */
export function questionTimeOf(query: Query): QuestionTime {
  return query.once(readQuestionTime);
}

function readQuestionTime({ words, spaced: text }: Query): QuestionTime {
  const queryWords = words.map(({ folded: word }) => word);
  const has = (set: ReadonlySet<string>) => queryWords.some((word) => set.has(word));
  if (has(BEFORE)) return "before";
  if (has(CAUSE_WORDS) || CAUSE_PHRASES.some((phrase) => text.includes(phrase)) || isPolarPast(queryWords))
    return "change";
  if (has(NOW) || NOW_PHRASES.some((phrase) => text.includes(phrase))) return "now";
  return has(PAST) ? "past" : "open";
}

/** Whether a question asks for the outcome of something past: "Did the trip take place?" */
function isPolarPast(queryWords: string[]): boolean {
  return POLAR.has(queryWords[0] ?? "") && queryWords.some((word) => PAST.has(word));
}

/** Whether a question is about the past, so that superseded facts answer it. */
export function isAboutPast(query: Query): boolean {
  const time = questionTimeOf(query);
  return time === "before" || time === "change" || time === "past";
}

/** Whether a query asks for yes or no: a question without an interrogative word. */
export function isPolar({ text, words }: Query): boolean {
  const queryWords = words.map(({ folded: word }) => word);
  if (queryWords.some((word) => QUESTION_WORDS.has(word))) return false;
  return POLAR.has(queryWords[0] ?? "") || text.trimEnd().endsWith("?");
}
