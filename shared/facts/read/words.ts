import type { Sentence } from "../../memory/extraction/passage.ts";
import { hasTag, type Token } from "../../memory/extraction/tagging.ts";

/** A token with its place in the sentence. */
export interface Word extends Token {
  start: number;
  end: number;
  /** It belongs to a date that the sentence names. */
  isDate: boolean;
  /** It stands in quotation marks: somebody else's words, or a title. */
  isQuoted: boolean;
}

/** The tokens of a sentence with their places; the second word of a contraction takes none. */
export function wordsOf(sentence: Pick<Sentence, "text" | "dates">, tokens: Token[], opensQuoted = false): Word[] {
  let quoted = opensQuoted;
  let from = 0;
  let nextDate = 0;
  return tokens.map((token) => {
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
}

/** Whether what follows a text is quoted, by the double marks in it. */
export function isInQuotes(text: string, before: boolean): boolean {
  let isInside = before;
  for (const mark of text) {
    if (mark === '"') isInside = !isInside;
    else if (mark === "“" || mark === "„" || mark === "«") isInside = true;
    else if (mark === "”" || mark === "»") isInside = false;
  }
  return isInside;
}

/** A part of a compound that another part follows: "notify" of "notify-hub". */
export function isCompoundPart({ after }: Word): boolean {
  return after === "-" || after === "_";
}

/** Without what stands in brackets between a sentence's words, so that what it interrupts stays one clause. */
export function withoutInsertions(words: Word[]): Word[] {
  const opening = words.findIndex(
    ({ after, before }, place) => place > 0 && (after.includes("(") || before.includes("(")),
  );
  if (opening === -1) return words;
  const first = words[opening]?.before.includes("(") ? opening : opening + 1;
  const length = words.slice(first).findIndex(({ after }) => after.includes(")"));
  const rest = length === -1 ? [] : words.slice(first + length + 1);
  if (rest.length === 0) return words;
  const before = words.slice(0, first).map((word, place) => (place === first - 1 ? { ...word, after: " " } : word));
  return [...before, ...withoutInsertions(rest)];
}

/** The text between two words, as it is written, without the marks at its ends. */
export function textBetween(text: string, words: Word[]): string {
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined) return "";
  return text.slice(first.start, last.end).trim();
}

/** Words that say how or when, before and behind what is said. */
const EDGES = new Set(
  `now currently nowadays anymore any more again too also already still just really actually finally recently lately today
   then though either once please btw yet instead meanwhile anyway honestly`.split(/\s+/),
);
const OPEN_PREPOSITIONS = new Set(
  "in on at since from until till by for as of to with and or but so because the a an".split(" "),
);

/** Without adverbs at the ends; a date may be what is said. */
export function withoutAdverbs(words: Word[]): Word[] {
  return trimEdges(words.map((word) => (word.isDate ? { ...word, isDate: false } : word)));
}

/** Without dates, adverbs and loose prepositions at the ends. */
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

/** Without an article or possessive in front. */
export function withoutDeterminer(words: Word[]): Word[] {
  const [first] = words;
  const isBefore = hasTag(first, "Determiner") || DETERMINERS.has(first?.normal ?? "");
  return isBefore && words.length > 1 ? words.slice(1) : words;
}

const DETERMINERS = new Set("a an the my our this that these those your his her their its some any".split(" "));

export function isDeterminer(word: Word | undefined): boolean {
  return hasTag(word, "Determiner") || DETERMINERS.has(word?.normal ?? "");
}
