import { stemmer } from "stemmer";
import { memoized, memoizedByText } from "../memoized.ts";
import { normalized } from "../strings.ts";
import { IRREGULAR_FORMS, STOP_WORDS } from "./english.ts";
import { ASCII, bareWord, MAX_WORD_LENGTH, NOT_OF_A_WORD } from "./fold.ts";

const MAX_CACHED_STEMS = 50_000;
/** Characters of the texts whose terms are cached. */
const MAX_CACHED_TEXT = 2_000_000;
const MAX_QUERY_TERMS = 64;

/** A run of a script without spaces between words, a word with inner apostrophes, or one emoji. */
const WORD =
  /(?<unspaced>[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]&&[\p{L}\p{M}]]+)|[[\p{L}\p{Nd}\p{M}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]+(?:['’][\p{L}\p{Nd}\p{M}]+)*|\p{Extended_Pictographic}/gv;
const LATIN_WORD = /^[a-z]+$/;
const ACCENT = /[\u0300-\u036f]/g;

/** One word: `folded` is in lower case without accents and apostrophes; `start` and `end` are its range in the text. */
export interface Word {
  folded: string;
  start: number;
  end: number;
}

/** Returns the words of a text in any script, in order; for scripts without spaces, overlapping pairs of characters. */
export function words(text: string): Word[] {
  const found: Word[] = [];
  for (const match of text.matchAll(WORD)) addMatch(found, match);
  return found;
}

/** Returns the distinct words of a text, folded. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(words(text).map(({ folded }) => folded));
}

/** Returns the distinct terms of a text, which are cached: a search compares the same texts in several ways. */
export const termSet: (text: string) => ReadonlySet<string> = memoizedByText(
  (text) => new Set(analyse(text)),
  MAX_CACHED_TEXT,
);

/** Returns the first term of a text; undefined if it has none. */
export function firstTerm(text: string): string | undefined {
  for (const match of text.matchAll(WORD)) {
    const found: Word[] = [];
    addMatch(found, match);
    for (const { folded } of found) {
      const term = termOf(folded);
      if (term !== undefined) return term;
    }
  }
  return undefined;
}

/** Returns the folded words of a text with a space around each, for the search of phrases. */
export function spaced(text: string): string {
  return spacedWords(words(text));
}

/** The same for words that were read already. */
export function spacedWords(read: readonly Word[]): string {
  return ` ${read.map(({ folded }) => folded).join(" ")} `;
}

/** Returns the stem of a `Word`'s folded form, which is the `term` of its `Keyword`; undefined for a stop word. */
export function termOf(folded: string): string | undefined {
  return STOP_WORDS.has(folded) ? undefined : stem(folded);
}

/** Returns the terms of a text: its content words, stemmed, in order, with repetitions. */
export function analyse(text: string): string[] {
  return termsOfWords(words(text));
}

/** The same for words that were read already. */
export function termsOfWords(read: readonly Word[]): string[] {
  const terms: string[] = [];
  for (const { folded } of read) {
    const term = termOf(folded);
    if (term !== undefined) terms.push(term);
  }
  return terms;
}

/** Counts the terms that are also in `others`. */
export function countShared(terms: Iterable<string>, others: ReadonlySet<string>): number {
  let count = 0;
  for (const term of terms) if (others.has(term)) count++;
  return count;
}

/** Returns the distinct terms of a query in order, at most MAX_QUERY_TERMS, because each costs a lookup. */
export function queryTerms(text: string): string[] {
  return [...new Set(analyse(text))].slice(0, MAX_QUERY_TERMS);
}

const latinStem = memoized((folded) => stemmer(IRREGULAR_FORMS.get(folded) ?? folded), MAX_CACHED_STEMS);

/** Returns Porter's stem of the word's base form; a word with letters beyond a-z is its own stem. */
export function stem(folded: string): string {
  return LATIN_WORD.test(folded) ? latinStem(folded) : folded;
}

function addMatch(found: Word[], { 0: word, index, groups }: RegExpExecArray): void {
  if (groups?.unspaced !== undefined) addCharacterPairs(found, word, index);
  else addWord(found, word, index);
}

function addWord(found: Word[], word: string, start: number): void {
  const folded = fold(word);
  if (folded !== "") found.push({ folded, start, end: start + word.length });
}

function addCharacterPairs(found: Word[], run: string, start: number): void {
  const characters = [...run];
  if (characters.length === 1) addWord(found, run, start);
  let position = start;
  for (let i = 0; i + 1 < characters.length; i++) {
    addWord(found, `${characters[i]}${characters[i + 1]}`, position);
    position += characters[i]?.length ?? 0;
  }
}

function fold(word: string): string {
  const bare = bareWord(word);
  const folded = ASCII.test(bare) ? bare.toLowerCase() : foldBeyondAscii(bare);
  return folded.slice(0, MAX_WORD_LENGTH);
}

function foldBeyondAscii(word: string): string {
  const bare = normalized(word, "NFKD").toLowerCase().replace(ACCENT, "").replace(NOT_OF_A_WORD, "");
  return normalized(bare, "NFC");
}
