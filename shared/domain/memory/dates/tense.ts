import type { Reader } from "./expression.ts";
import type { LanguageTable } from "./languages/tables.ts";

type Perfect = NonNullable<LanguageTable["perfect"]>;

export type Tense = "past" | "future" | "present" | undefined;

/** Verbs at a greater distance belong to other statements. */
const MAX_DISTANCE = 25;
/** Longer words are not verb forms and are not matched. */
const MAX_WORD = 24;
/** An English participle after a form of "be" has the tense of that form. */
const BE = /^(?:am|is|are|be|being|s|m|re|to|will|get|gets)$/;

/**
 * Returns the tense of a date's verb: the nearest one in its sentence or, at the start of a clause, the nearest one
 * after it if there is one. Imperatives, wishes and plans are future.
 */
export function tenseAt(reader: Reader, from: number, to: number): Tense {
  if (reader.lexicon.table.yearMark !== undefined) return lastTense(reader, to);
  if (isNewDate(reader, from)) return "future";
  const tense = (place: number) => (reader.tokens[place]?.kind === "word" ? tenseOf(reader, place) : undefined);
  const before = search(reader, from - 1, -1, tense);
  const after = search(reader, to, 1, tense);
  if (before === undefined || after === undefined) return (before ?? after)?.found;
  return opensClause(reader, from) || after.distance < before.distance ? after.found : before.found;
}

/** "They pushed the launch to 14 May" is in the past tense, but the launch is in the future. */
function isNewDate(reader: Reader, from: number): boolean {
  const { moves } = reader.lexicon.table;
  const start = reader.skipBack(from, "article") - 1;
  if (moves === undefined || !moves.to.test(reader.tokens[start]?.lower ?? "")) return false;
  const verb = (place: number) => {
    const { lower = "" } = reader.tokens[place] ?? {};
    return (lower.length <= MAX_WORD && moves.verb.test(lower)) || undefined;
  };
  return (search(reader, start - 1, -1, verb) ?? search(reader, from, 1, verb)) !== undefined;
}

/** Returns what is first found at a place of the sentence, and its distance from the start. */
function search<T>(reader: Reader, start: number, step: 1 | -1, find: (place: number) => T | undefined) {
  for (let place = start, distance = 0; distance < MAX_DISTANCE; place += step, distance++) {
    if (reader.tokens[place] === undefined || endsSentence(reader, place)) return undefined;
    const found = find(place);
    if (found !== undefined) return { found, distance };
  }
  return undefined;
}

/** "didn't go", "to leave": the word before carries the tense, and an infinitive has none. */
function followsHelper({ tokens }: Reader, place: number): boolean {
  if (tokens[place - 1]?.lower === "to") return true;
  return tokens.slice(Math.max(0, place - 3), place).some(({ lower }) => lower === "did" || lower === "didn");
}

/** "getting my cast removed": the form of "get" carries the tense. */
function isCaused({ tokens }: Reader, place: number): boolean {
  const words = tokens.slice(Math.max(0, place - 4), Math.max(0, place - 1));
  return words.some(({ lower }) => /^(?:get|gets|getting|having)$/.test(lower));
}

/** In Japanese and Chinese, the end of the sentence carries the tense. */
function lastTense(reader: Reader, to: number): Tense {
  let tense: Tense;
  for (let place = to, seen = 0; seen < 2 * MAX_DISTANCE && reader.tokens[place] !== undefined; place++, seen++) {
    if (reader.isMark(place, "。", "！", "？", ".", "!", "?")) break;
    tense = tenseOf(reader, place) ?? tense;
  }
  return tense;
}

function tenseOf(reader: Reader, place: number): Tense {
  const { lower, text } = reader.tokens[place] ?? { lower: "", text: "" };
  const { perfect, past, future, present, isEnglish, capitalNouns } = reader.lexicon.table;
  if (lower.length > MAX_WORD || (capitalNouns && /^\p{Lu}/u.test(text) && !reader.opensSentence(place)))
    return undefined;
  if (perfect?.auxiliary.test(lower)) return hasParticiple(reader, place, perfect) ? "past" : "present";
  if (isEnglish && followsHelper(reader, place)) return undefined;
  if (present?.test(lower)) return "present";
  if (future.test(lower)) return "future";
  if (isEnglish && lower.endsWith("ing") && BE.test(reader.tokens[place - 1]?.lower ?? "")) return "present";
  if (!past.test(lower)) return undefined;
  if (isEnglish && lower.endsWith("ed") && isCaused(reader, place)) return undefined;
  const isParticiple = isEnglish && /(?:ed|en|ne|ept|eft|ade|aid)$/.test(lower);
  if (isParticiple && BE.test(reader.tokens[place - 1]?.lower ?? "")) return undefined;
  return "past";
}

function hasParticiple(reader: Reader, auxiliary: number, { participle, reach }: Perfect): boolean {
  for (let place = auxiliary + 1; place <= auxiliary + reach; place++) {
    const token = reader.tokens[place];
    if (token === undefined || endsSentence(reader, place)) return false;
    const isNoun = reader.lexicon.table.capitalNouns && reader.isCapital(place);
    const isVerb = token.kind === "word" && token.lower.length <= MAX_WORD && !reader.hasSenses(place) && !isNoun;
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

function endsSentence(reader: Reader, place: number): boolean {
  if (reader.isMark(place, "!", "?", ";", "。")) return true;
  const isDot = reader.isMark(place, ".") && reader.tokens[place + 1]?.spaced === true;
  if (!isDot || reader.tokens[place - 1]?.kind !== "word") return false;
  return reader.senseBefore(place, "month", "weekday") === undefined;
}
