import { memoizedByText } from "../../kernel/memoized.ts";
import { languagesByLetter, languagesByWord } from "./markers.ts";
import type { Language } from "./packs.ts";

export type { Language };

/** The languages of a text. */
export interface Detected {
  /** The language with the most votes; undefined if nothing in the text tells. */
  language?: Language;
  /** Whether at least CERTAIN_MARKS words or letters voted for that language, and no other has as many votes. */
  isCertain: boolean;
  /** The languages with more than half of the most votes, best first, at most MAX_CANDIDATES. */
  candidates: Language[];
}

/** The parts of a text that are read. */
export const SAMPLE_CHARACTERS = 4000;
export const SAMPLE_WORDS = 400;
const MAX_CANDIDATES = 3;
const CERTAIN_MARKS = 2;
/** Minimum votes by word; a text with fewer is in a language that no pack knows, or is no prose. */
const MIN_SHARE = 0.08;
/** Characters of the texts whose languages are cached. */
const MAX_CACHED_TEXT = 500_000;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HAN = /\p{Script=Han}/u;
const BEYOND_ASCII = /[^\0-\x7f]/;

const BY_WORD = languagesByWord();
const BY_LETTER = languagesByLetter();

/** Detects the languages of a text by its script, words and letters. Linear in the first SAMPLE_CHARACTERS. */
export const detectLanguage: (text: string) => Detected = memoizedByText(detect, MAX_CACHED_TEXT);

/** Returns the most likely language of a text; English if nothing tells. */
export function languageOf(text: string): Language {
  return detectLanguage(text).language ?? "en";
}

/** Returns the language of a part of a text: the whole text's, unless the part is certainly in another. */
export function languageOfPart(part: string, whole: Language): Language {
  const { language, isCertain, candidates } = detectLanguage(part);
  return isCertain && language !== undefined && !candidates.includes(whole) ? language : whole;
}

function detect(text: string): Detected {
  const words = text.slice(0, SAMPLE_CHARACTERS).toLowerCase().match(WORD) ?? [];
  return detectOfWords(words.slice(0, SAMPLE_WORDS));
}

/** Detects the languages of words in lower case. */
export function detectOfWords(words: readonly string[]): Detected {
  const other = otherScript(words);
  if (other !== undefined) return { language: other, isCertain: true, candidates: [other] };
  const [best, ...others] = votesOf(words);
  if (best === undefined || best.votes < MIN_SHARE * words.length) return { isCertain: false, candidates: [] };
  const near = others.filter(({ votes }) => 2 * votes > best.votes);
  return {
    language: best.language,
    isCertain: best.marks >= CERTAIN_MARKS && best.votes > (others[0]?.votes ?? 0),
    candidates: [best, ...near].slice(0, MAX_CANDIDATES).map(({ language }) => language),
  };
}

/** Returns the languages with votes, best first. Each word and each distinct letter has one vote for all its languages. */
function votesOf(words: readonly string[]): { language: Language; votes: number; marks: number }[] {
  const found = new Map<Language, { votes: number; marks: number }>();
  const vote = (languages: Language[] = []) => {
    for (const language of languages) {
      const { votes, marks } = found.get(language) ?? { votes: 0, marks: 0 };
      found.set(language, { votes: votes + 1 / languages.length, marks: marks + 1 });
    }
  };
  const letters = new Set<string>();
  for (const word of words) {
    vote(BY_WORD.get(word));
    if (BEYOND_ASCII.test(word)) for (const letter of word) letters.add(letter);
  }
  for (const letter of letters) vote(BY_LETTER.get(letter));
  return [...found]
    .map(([language, counts]) => ({ language, ...counts }))
    .sort((one, other) => other.votes - one.votes);
}

/** Returns the language of words that are mostly in another script than Latin. */
function otherScript(words: readonly string[]): Language | undefined {
  const count = { latin: 0, cyrillic: 0, kana: 0, han: 0 };
  for (const word of words) {
    if (LATIN.test(word)) count.latin++;
    else if (CYRILLIC.test(word)) count.cyrillic++;
    else for (const letter of word) countCharacter(count, letter);
  }
  // A word of an alphabet counts as two characters of other scripts.
  if (count.kana + count.han > 2 * (count.latin + count.cyrillic)) return count.kana > 0 ? "ja" : "zh";
  return count.cyrillic > count.latin ? "ru" : undefined;
}

function countCharacter(count: { kana: number; han: number }, letter: string): void {
  if (KANA.test(letter)) count.kana++;
  else if (HAN.test(letter)) count.han++;
}
