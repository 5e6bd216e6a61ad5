import { setOf } from "../../kernel/strings.ts";
import { hasTag } from "../statements/tagging.ts";
import { trimEdges, upToAside, type Word, withoutAdverbs } from "./words.ts";

/** A preposition and the words after it, up to the next preposition. */
export interface Phrase {
  preposition: string;
  /** Range of the words after the preposition; `end` is exclusive. */
  start: number;
  end: number;
}

/** The words after a verb: its object, and the prepositional phrases after it. */
export interface Predicate {
  words: Word[];
  /** Index after the object. */
  objectEnd: number;
  phrases: Phrase[];
}

const PREPOSITIONS =
  setOf(`in at on to from into near with for as by since until till about against around during after before under over between
   instead because via through towards onto within without`);

export function predicateOf(words: Word[]): Predicate {
  const phrases: Phrase[] = [];
  for (const [index, word] of words.entries()) {
    if (!PREPOSITIONS.has(word.normal) || (word.isDate && words[index - 1]?.isDate && word.normal !== "to")) continue;
    const last = phrases.at(-1);
    if (last !== undefined) last.end = index;
    phrases.push({ preposition: word.normal, start: index + 1, end: words.length });
  }
  const [first] = phrases;
  return { words, objectEnd: first === undefined ? words.length : first.start - 1, phrases };
}

/** Prepositions that end a value, because another statement follows. */
const ENDS_VALUE = setOf("as since until till from because instead after before with for by during");

/** Returns the words of the object, with the phrases that belong to it. */
export function objectOf(predicate: Predicate): Word[] {
  return predicate.objectEnd === 0 ? [] : trimEdges(upToAside(predicate.words.slice(0, valueEnd(predicate, 0))));
}

/** Returns the words after the first of these prepositions, with the phrases that belong to them. */
export function afterPreposition(
  predicate: Predicate,
  prepositions: readonly string[],
  { dates = false }: { /** Whether the words may be a date. */ dates?: boolean } = {},
): Word[] {
  const { words, phrases } = predicate;
  const index = phrases.findIndex(
    ({ preposition, start, end }) =>
      prepositions.includes(preposition) && (dates || !words.slice(start, end).every(({ isDate }) => isDate)),
  );
  const phrase = phrases[index];
  if (phrase === undefined) return [];
  const end = phrase.preposition === "from" ? phrase.end : valueEnd(predicate, index + 1);
  return (dates ? withoutAdverbs : trimEdges)(upToAside(words.slice(phrase.start, end)));
}

/** Returns the index after a value; `from` is the index of the first phrase that may belong to it. */
function valueEnd({ words, phrases }: Predicate, from: number): number {
  for (const { preposition, start, end } of phrases.slice(from)) {
    if (ENDS_VALUE.has(preposition) || words.slice(start, end).every(({ isDate }) => isDate)) return start - 1;
    if (start > 1 && words[start - 2]?.isDate) return start - 1;
  }
  return words.length;
}

/** Whether a phrase contains a name: a capital letter, a number or a name that the tagger knows. */
export function isNamed(words: Word[]): boolean {
  return words.some((word) => /^[\p{Lu}\d]/u.test(word.text) || hasTag(word, "ProperNoun", "Acronym"));
}

/** Particles that may follow the object of a change: "put the dose up". */
const DIRECTIONS = setOf("up down back over");

/** Returns the object of a change, without what it changes from or to. */
export function changedObject(predicate: Predicate): Word[] {
  const phrase = predicate.phrases.find(({ preposition }) => BOUNDS.has(preposition));
  const words = predicate.words.slice(0, phrase === undefined ? predicate.objectEnd : phrase.start - 1);
  const end = words.findLastIndex(({ normal }) => !DIRECTIONS.has(normal));
  return trimEdges(words.slice(0, end + 1));
}

const BOUNDS = setOf("from to into by");
