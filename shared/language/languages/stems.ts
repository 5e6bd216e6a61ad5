import { memoized } from "../../kernel/memoized.ts";
import { foldAccents } from "../../kernel/text/fold.ts";

/** Maximum number of words per language whose stems are cached. */
const MAX_CACHED_WORDS = 20_000;

/**
 * Returns the function that stems the words of a language. A word's stems are those of the word as written and of the
 * word without accents, because people omit accents; all stems are without accents.
 */
export function stemsBy(stemmer: (word: string) => string): (word: string) => string[] {
  const stemsOfForms = (word: string) => [
    ...new Set([word, foldAccents(word)].map((form) => foldAccents(stemmer(form)))),
  ];
  return memoized(stemsOfForms, MAX_CACHED_WORDS);
}
