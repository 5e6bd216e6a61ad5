import { foldAccents } from "../../kernel/text/fold.ts";
import { detectOfWords, SAMPLE_WORDS } from "../languages/detect.ts";
import type { LanguagePack } from "../languages/pack.ts";
import { LATIN_LANGUAGES, PACKS } from "../languages/packs.ts";

/** A query without a known language is analysed in all languages if it has at most this many words, else in English. */
const MAX_WORDS_WITHOUT_LANGUAGE = 12;

const LATIN = /^\p{Script=Latin}/u;
const CYRILLIC = /^\p{Script=Cyrillic}/u;

/** The languages by which a text's words are stemmed. */
export interface Stemming {
  /** Those of words in Latin script. */
  latin: readonly LanguagePack[];
  /** The text's language, if it is certain. */
  certain?: LanguagePack;
}

/** Returns the languages of a document; English if nothing in it tells. */
export function stemmingOfDocument(words: readonly string[]): Stemming {
  const { latin } = stemmingOf(words);
  return { latin: latin.length === 0 ? [PACKS.en] : latin };
}

/** Returns the languages of a query: always English, and all languages if nothing in a short query tells. */
export function stemmingOfQuery(words: readonly string[]): Stemming {
  const { latin, certain } = stemmingOf(words);
  const unknown = words.length <= MAX_WORDS_WITHOUT_LANGUAGE ? LATIN_LANGUAGES.map((code) => PACKS[code]) : [];
  return { latin: [...new Set([PACKS.en, ...(latin.length === 0 ? unknown : latin)])], ...(certain && { certain }) };
}

function stemmingOf(words: readonly string[]): Stemming {
  const { language, isCertain, candidates } = detectOfWords(words.slice(0, SAMPLE_WORDS));
  const latin = candidates.filter((code) => LATIN_LANGUAGES.includes(code)).map((code) => PACKS[code]);
  return { latin, ...(isCertain && language !== undefined && { certain: PACKS[language] }) };
}

/** Returns a word's stems, without accents, in the languages of its script; none for a script without a stemmer. */
export function stemsOf(word: string, { latin }: Stemming): string[] {
  if (CYRILLIC.test(word)) return stemsIn(PACKS.ru, word);
  if (!LATIN.test(word)) return [];
  const [only] = latin;
  if (latin.length === 1 && only !== undefined) return stemsIn(only, word);
  return [...new Set(latin.flatMap((pack) => stemsIn(pack, word)))];
}

/** A language without a stemmer has each word's form without accents. */
function stemsIn({ stems }: LanguagePack, word: string): string[] {
  return stems?.(word) ?? [foldAccents(word)];
}
