import { stemmer } from "stemmer";
import { normalized } from "../strings.ts";
import { IRREGULAR_FORMS, STOP_WORDS } from "./english.ts";

/**
 * Maximum length of a word in characters; a longer word is an encoded blob and is cut, because its start identifies it
 * well enough.
 */
const MAX_WORD_LENGTH = 64;
/** Maximum number of cached stems; the cache is cleared when it is full. */
const MAX_REMEMBERED_STEMS = 50_000;
const MAX_QUERY_TERMS = 64;

/** A run of a script without spaces between words, a word with inner apostrophes, or one emoji. */
const WORD =
  /(?<unspaced>[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]&&[\p{L}\p{M}]]+)|[[\p{L}\p{Nd}\p{M}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]+(?:['’][\p{L}\p{Nd}\p{M}]+)*|\p{Extended_Pictographic}/gv;
/** English clitics: Anna's, she'd, we'll. */
const CLITIC = /['’](?:s|d|m|ll|re|ve)$/i;
const APOSTROPHE = /['’]/g;
const ASCII = /^[\0-\x7f]*$/;
const LATIN_WORD = /^[a-z]+$/;
const ACCENT = /[\u0300-\u036f]/g;
const NOT_OF_A_WORD = /[^\p{L}\p{Nd}\p{M}\p{Extended_Pictographic}]/gu;

/**
 * One word: `folded` is in lower case without accents and apostrophes; `start` and `end` are its position in the given
 * text.
 */
export interface Word {
  folded: string;
  start: number;
  end: number;
}

/** The words of a text in any script, in order. Scripts without spaces yield overlapping pairs of characters. */
export function words(text: string): Word[] {
  const found: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    if (match.groups?.unspaced !== undefined) addCharacterPairs(found, word, match.index);
    else addWord(found, word, match.index);
  }
  return found;
}

/** The distinct words of a text, folded. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(words(text).map(({ folded }) => folded));
}

/** The folded words of a text with a space around each, for the search of phrases. */
export function spaced(text: string): string {
  return ` ${words(text)
    .map(({ folded }) => folded)
    .join(" ")} `;
}

/** The word's stem, which is the `term` of its `Keyword`; undefined for a stop word. `folded` is that of a `Word`. */
export function termOf(folded: string): string | undefined {
  return STOP_WORDS.has(folded) ? undefined : stem(folded);
}

/** The terms of a text: its content words, stemmed, in order, with repetitions. */
export function analyse(text: string): string[] {
  const terms: string[] = [];
  for (const { folded } of words(text)) {
    const term = termOf(folded);
    if (term !== undefined) terms.push(term);
  }
  return terms;
}

/** The number of terms that are also among others. */
export function countShared(terms: Iterable<string>, others: ReadonlySet<string>): number {
  let count = 0;
  for (const term of terms) if (others.has(term)) count++;
  return count;
}

/** The distinct terms of a query in order, at most MAX_QUERY_TERMS, because each costs a lookup. */
export function queryTerms(text: string): string[] {
  return [...new Set(analyse(text))].slice(0, MAX_QUERY_TERMS);
}

const stems = new Map<string, string>();

/** Porter's stem of the word's base form; a word with letters beyond a-z is its own stem. */
export function stem(folded: string): string {
  const remembered = stems.get(folded);
  if (remembered !== undefined) return remembered;
  if (!LATIN_WORD.test(folded)) return folded;
  const stemmed = stemmer(IRREGULAR_FORMS.get(folded) ?? folded);
  if (stems.size >= MAX_REMEMBERED_STEMS) stems.clear();
  stems.set(folded, stemmed);
  return stemmed;
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
  const bare = word.replace(CLITIC, "").replace(APOSTROPHE, "");
  const folded = ASCII.test(bare) ? bare.toLowerCase() : foldBeyondAscii(bare);
  return folded.length > MAX_WORD_LENGTH ? folded.slice(0, MAX_WORD_LENGTH) : folded;
}

function foldBeyondAscii(word: string): string {
  const bare = normalized(word, "NFKD").toLowerCase().replace(ACCENT, "").replace(NOT_OF_A_WORD, "");
  return normalized(bare, "NFC");
}
