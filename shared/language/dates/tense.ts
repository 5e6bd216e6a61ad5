import type { DateWords } from "../languages/date-words.ts";
import type { Reader } from "./expression.ts";

type Perfect = NonNullable<DateWords["perfect"]>;

export type Tense = "past" | "future" | "present" | undefined;

/** Verbs at a greater distance belong to other statements. */
const MAX_DISTANCE = 25;
/** Longer words are not verb forms and are not matched. */
const MAX_WORD = 24;
/** An English participle after a form of "be" has the tense of that form. */
const BE = /^(?:am|is|are|be|being|s|m|re|to|will|get|gets)$/;

/**
 * Returns the tense of a date's verb: the nearest one in its sentence, but one before it rather than one behind a comma
 * and, at the start of a clause, one after it if there is one. Imperatives, wishes and plans are future.
 */
export function tenseAt(reader: Reader, from: number, to: number): Tense {
  if (reader.lexicon.table.yearMark !== undefined) return lastTense(reader, to);
  if (isNewDate(reader, from)) return "future";
  const tense = (index: number) => (reader.tokens[index]?.kind === "word" ? tenseOf(reader, index) : undefined);
  const before = search(reader, from - 1, -1, tense);
  const after = search(reader, to, 1, tense);
  if (before === undefined || after === undefined) return (before ?? after)?.found;
  if (opensClause(reader, from)) return after.found;
  if (hasComma(reader, to, to + after.distance) && !hasComma(reader, from - before.distance, from)) return before.found;
  return after.distance < before.distance ? after.found : before.found;
}

/** Whether a comma separates the tokens of a range. */
function hasComma(reader: Reader, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (reader.isMark(index, ",")) return true;
  return false;
}

/** "They pushed the launch to 14 May" is in the past tense, but the launch is in the future. */
function isNewDate(reader: Reader, from: number): boolean {
  const { moves } = reader.lexicon.table;
  const start = reader.skipBack(from, "article") - 1;
  if (moves === undefined || !moves.to.test(reader.tokens[start]?.lower ?? "")) return false;
  const verb = (index: number) => {
    const { lower = "" } = reader.tokens[index] ?? {};
    return (lower.length <= MAX_WORD && moves.verb.test(lower)) || undefined;
  };
  return (search(reader, start - 1, -1, verb) ?? search(reader, from, 1, verb)) !== undefined;
}

/** Returns the first result of `find` in the sentence, and its distance in tokens from `start`. */
function search<T>(reader: Reader, start: number, step: 1 | -1, find: (index: number) => T | undefined) {
  for (let index = start, distance = 0; distance < MAX_DISTANCE; index += step, distance++) {
    if (reader.tokens[index] === undefined || endsSentence(reader, index)) return undefined;
    const found = find(index);
    if (found !== undefined) return { found, distance };
  }
  return undefined;
}

/** "didn't go", "to leave": the word before carries the tense, and an infinitive has none. */
function followsHelper({ tokens }: Reader, index: number): boolean {
  if (tokens[index - 1]?.lower === "to") return true;
  return tokens.slice(Math.max(0, index - 3), index).some(({ lower }) => lower === "did" || lower === "didn");
}

/** "the end", "our visits": what follows an article or a possessive is no verb. */
function isNoun({ tokens }: Reader, index: number): boolean {
  return /^(?:the|an?|my|your|our|their)$/.test(tokens[index - 1]?.lower ?? "");
}

/** "getting my cast removed": the form of "get" carries the tense. */
function isCaused({ tokens }: Reader, index: number): boolean {
  const words = tokens.slice(Math.max(0, index - 4), Math.max(0, index - 1));
  return words.some(({ lower }) => /^(?:get|gets|getting|having)$/.test(lower));
}

/** In Japanese and Chinese, the end of the sentence carries the tense. */
function lastTense(reader: Reader, to: number): Tense {
  let tense: Tense;
  for (let index = to, seen = 0; seen < 2 * MAX_DISTANCE && reader.tokens[index] !== undefined; index++, seen++) {
    if (reader.isMark(index, "。", "！", "？", ".", "!", "?")) break;
    tense = tenseOf(reader, index) ?? tense;
  }
  return tense;
}

function tenseOf(reader: Reader, index: number): Tense {
  const { lower, text } = reader.tokens[index] ?? { lower: "", text: "" };
  const { capitalNouns, table } = reader.lexicon;
  const { perfect, past, future, present, isEnglish } = table;
  if (lower.length > MAX_WORD || (capitalNouns && /^\p{Lu}/u.test(text) && !reader.opensSentence(index)))
    return undefined;
  if (perfect?.auxiliary.test(lower)) return hasParticiple(reader, index, perfect) ? "past" : "present";
  if (isEnglish && (followsHelper(reader, index) || isNoun(reader, index))) return undefined;
  if (present?.test(lower)) return "present";
  if (future.test(lower)) return "future";
  if (isEnglish && lower.endsWith("ing") && BE.test(reader.tokens[index - 1]?.lower ?? "")) return "present";
  if (!past.test(lower)) return isOwnPresent(reader, index) ? "present" : undefined;
  if (isEnglish && lower.endsWith("ed") && isCaused(reader, index)) return undefined;
  const isParticiple = isEnglish && /(?:ed|en|ne|ept|eft|ade|aid)$/.test(lower);
  if (isParticiple && BE.test(reader.tokens[index - 1]?.lower ?? "")) return undefined;
  return "past";
}

/** "Im Mai ziehe ich um", "je me marie en mai" */
function isOwnPresent({ tokens, lexicon }: Reader, index: number): boolean {
  const { ownPresent } = lexicon.table;
  const word = (at: number) => tokens[at]?.lower ?? "";
  if (ownPresent === undefined || !ownPresent.verb.test(word(index))) return false;
  const { pronoun, between, verbSecond = false } = ownPresent;
  if (pronoun.test(word(index + 1))) return true;
  if (pronoun.test(word(index - 1))) return !verbSecond || tokens[index - 2]?.kind !== "word";
  return between?.test(word(index - 1)) === true && pronoun.test(word(index - 2));
}

function hasParticiple(reader: Reader, auxiliary: number, { participle, reach }: Perfect): boolean {
  for (let index = auxiliary + 1; index <= auxiliary + reach; index++) {
    const token = reader.tokens[index];
    if (token === undefined || endsSentence(reader, index)) return false;
    const isNoun = reader.lexicon.capitalNouns && reader.isCapital(index);
    const isVerb = token.kind === "word" && token.lower.length <= MAX_WORD && !reader.hasSenses(index) && !isNoun;
    if (isVerb && participle.test(token.lower)) return true;
  }
  return false;
}

/** Whether the date, or the preposition before it, starts a sentence or follows a comma, a semicolon or "that". */
function opensClause(reader: Reader, from: number): boolean {
  const start = reader.skipBack(reader.skipBack(from, "article"), "on", "since", "until", "at", "from");
  const followsThat = reader.tokens[start - 1]?.lower === "that";
  return followsThat || reader.opensSentence(start) || reader.isMark(start - 1, ",", ";");
}

function endsSentence(reader: Reader, index: number): boolean {
  if (reader.isMark(index, "!", "?", ";", "。")) return true;
  const isDot = reader.isMark(index, ".") && reader.tokens[index + 1]?.spaced === true;
  if (!isDot || reader.tokens[index - 1]?.kind !== "word") return false;
  return reader.senseBefore(index, "month", "weekday") === undefined;
}
