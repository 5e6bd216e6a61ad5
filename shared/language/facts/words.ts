import { setOf } from "../../kernel/strings.ts";
import { withBrackets } from "../../kernel/text/brackets.ts";
import type { Sentence } from "../statements/passage.ts";
import { hasTag, type Token } from "../statements/tagging.ts";

/** A token with its position in the sentence. */
export interface Word extends Token {
  start: number;
  end: number;
  /** The word is part of a date in the sentence. */
  isDate: boolean;
  /** The word is in quotation marks: another person's words, or a title. */
  isQuoted: boolean;
}

/** Returns the tokens of a sentence with their positions. The second word of a contraction has no length. */
export function wordsOf(sentence: Pick<Sentence, "text" | "dates">, tokens: Token[]): Word[] {
  let quoted = false;
  let from = 0;
  let nextDate = 0;
  const words = tokens.map((token) => {
    const written = token.contraction ?? token.text;
    const found = written === "" ? -1 : sentence.text.indexOf(written, from);
    const start = found === -1 ? from : found;
    const end = found === -1 ? from : found + written.length;
    from = end;
    while ((sentence.dates[nextDate]?.end ?? Number.POSITIVE_INFINITY) <= start) nextDate++;
    const date = sentence.dates[nextDate];
    const isDate = date !== undefined && start < date.end && end > date.start && date.kind !== "duration";
    quoted = isInQuotes(token.before, quoted);
    const isQuoted = quoted;
    quoted = isInQuotes(token.after, quoted);
    return { ...token, start, end, isDate, isQuoted };
  });
  return words.map((word, index) => (isPartOf(words.slice(index, index + 4)) ? { ...word, isDate: true } : word));
}

/** Whether words begin with a part of the date after them: "the end of April". */
function isPartOf(words: Word[]): boolean {
  const [part, of, date] = words[0]?.normal === "the" ? words.slice(1) : words;
  return PARTS_OF_DATES.has(part?.normal ?? "") && of?.normal === "of" && date?.isDate === true;
}

const PARTS_OF_DATES = setOf("end beginning start middle");

/** Whether the words after a text are quoted, by its double quotation marks; `before` says if its start is quoted. */
export function isInQuotes(text: string, before: boolean): boolean {
  let isInside = before;
  for (const mark of text) {
    if (mark === '"') isInside = !isInside;
    else if (mark === "“" || mark === "„" || mark === "«") isInside = true;
    else if (mark === "”" || mark === "»") isInside = false;
  }
  return isInside;
}

/** Whether a word is a weekday in the plural, on which something happens regularly: "Tuesdays". */
export function isRegularDay(word: Word): boolean {
  return hasTag(word, "WeekDay") && word.normal.endsWith("s");
}

/** Whether another part of a compound follows: "notify" of "notify-hub". */
export function isCompoundPart({ after }: Word): boolean {
  return after === "-" || after === "_";
}

/** Removes parentheses within a sentence, so that the words around them stay one clause. */
export function withoutInsertions(words: Word[]): Word[] {
  const opening = words.findIndex(
    ({ after, before }, index) => index > 0 && (after.includes("(") || before.includes("(")),
  );
  if (opening === -1) return words;
  const first = words[opening]?.before.includes("(") ? opening : opening + 1;
  const length = words.slice(first).findIndex(({ after }) => after.includes(")"));
  const rest = length === -1 ? [] : words.slice(first + length + 1);
  if (rest.length === 0) return words;
  const before = words.slice(0, first).map((word, index) => (index === first - 1 ? { ...word, after: " " } : word));
  return [...before, ...withoutInsertions(rest)];
}

/** Returns the text from the first to the last word as written, without punctuation at its ends but brackets. */
export function textBetween(text: string, words: Word[]): string {
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined) return "";
  const { start, end } = withBrackets(text, first.start, last.end);
  return text.slice(start, end).trim();
}

/** Words at the start or end of a statement that say how or when. */
const EDGES =
  setOf(`now currently nowadays anymore any more again too also already still just really actually finally recently lately today
   then though either once please btw yet instead meanwhile anyway honestly`);
const OPEN_PREPOSITIONS = setOf(
  "in on at since from until till by for as of to with and or but so because the a an over during after before around",
);

/** Removes adverbs at the ends, but not dates, because a date may be the value. */
export function withoutAdverbs(words: Word[]): Word[] {
  return trimEdges(words.map((word) => (word.isDate ? { ...word, isDate: false } : word)));
}

/** Removes dates, adverbs and loose prepositions at the ends. */
export function trimEdges(words: Word[]): Word[] {
  let start = 0;
  let end = words.length;
  while (start < end && isEdge(words[start])) start++;
  while (end > start && (isEdge(words[end - 1]) || OPEN_PREPOSITIONS.has(words[end - 1]?.normal ?? ""))) end--;
  return words.slice(start, end);
}

function isEdge(word: Word | undefined): boolean {
  if (word === undefined) return false;
  return word.isDate || EDGES.has(word.normal) || (word.start === word.end && !hasTag(word, "Negative"));
}

/** Words after a value with which the speaker adds something: "shellfish btw", "vegan except for honey". */
const ASIDES = setOf(
  "btw lol lmao omg tbh imo now so but because who whose which except though although while instead rather plus unless",
);
const ASIDE_PHRASES = ["in the end", "at the moment", "for now", "these days", "right now", "as well", "at last"].map(
  (phrase) => phrase.split(" "),
);
const OTHER_SUBJECTS = setOf("my our i he she we they");

/** Returns the words before an aside, a parenthesis or another statement: "Toronto" of "Toronto and my daughter in Bath". */
export function upToAside(words: Word[]): Word[] {
  const end = words.findIndex(
    (word, index) =>
      index > 0 &&
      (ASIDES.has(word.normal) ||
        words[index - 1]?.after.includes("(") ||
        (word.normal === "and" && OTHER_SUBJECTS.has(words[index + 1]?.normal ?? "")) ||
        ASIDE_PHRASES.some((phrase) => phrase.every((each, at) => words[index + at]?.normal === each))),
  );
  return end === -1 ? words : words.slice(0, end);
}

/** Removes an article or possessive at the start. */
export function withoutDeterminer(words: Word[]): Word[] {
  const [first] = words;
  const isBefore = hasTag(first, "Determiner") || DETERMINERS.has(first?.normal ?? "");
  return isBefore && words.length > 1 ? words.slice(1) : words;
}

const DETERMINERS = setOf("a an the my our this that these those your his her their its some any");

export function isDeterminer(word: Word | undefined): boolean {
  return hasTag(word, "Determiner") || DETERMINERS.has(word?.normal ?? "");
}

/** Returns the words up to the first comma. */
export function upToComma(words: Word[]): Word[] {
  const comma = words.findIndex(({ after }) => after.includes(","));
  return comma === -1 ? words : words.slice(0, comma + 1);
}

/** Returns the words after the last comma; none without a comma. */
export function afterComma(words: Word[]): Word[] {
  const comma = words.findLastIndex(({ after }) => after.includes(","));
  return comma === -1 ? [] : words.slice(comma + 1);
}

const PRONOUNS = setOf("it him them she he they there everything anything nothing something");
/** Pronouns if no noun follows; otherwise determiners. */
const PRONOUNS_OR_DETERMINERS = setOf("this that these those one ones her");

/** Whether words refer to what they do not name, so that they say little without their text: "give up that one". */
export function hasUnresolvedReference(words: Word[]): boolean {
  let isNamed = false;
  return words.some((word, index) => {
    const next = words[index + 1];
    const isLast = next === undefined || /[,.;:!?]/.test(word.after);
    const isUnqualified = index === 0 || isDeterminer(words[index - 1]);
    const isAlone = isLast || (isUnqualified && hasTag(next, "Preposition"));
    const isPronoun = PRONOUNS.has(word.normal) || (PRONOUNS_OR_DETERMINERS.has(word.normal) && isAlone);
    if (isPronoun && (isLast || !isNamed)) return true;
    isNamed ||= hasTag(word, "Noun") && !hasTag(word, "Pronoun") && !word.isDate;
    return false;
  });
}
