import { type Word, words } from "../../../kernel/text/text.ts";
import type { LanguagePack } from "../../../language/languages/pack.ts";
import { PACKS } from "../../../language/languages/packs.ts";

/**
 * The salience lost with each word that a reader can restore or do without; a content word has 1 to 8.6. Words that change
 * what a sentence claims (not, never, can, might, before, because, all, only) are in no list.
 */
const SALIENCE = { fillers: 0.05, prepositions: 0.3, courtesies: 0.4, pronouns: 0.5 };

/** Salience of each word that may be dropped on its own. Keys have the form of `words` (lower case, no apostrophe). */
export type FunctionWords = ReadonlyMap<string, number>;

function functionWordsIn({ salience = {} }: LanguagePack): FunctionWords {
  return new Map(
    Object.entries(SALIENCE).flatMap(([list, lost]) =>
      words(salience[list as keyof typeof SALIENCE] ?? "").map(({ folded }): [string, number] => [folded, lost]),
    ),
  );
}

export const ENGLISH_WORDS = functionWordsIn(PACKS.en);
const LANGUAGES = Object.values(PACKS)
  .filter(({ salience }: LanguagePack) => salience !== undefined)
  .map(functionWordsIn);
const NONE: FunctionWords = new Map();
/** Minimum share of a language's function words in its prose; code and other languages stay below. */
const PROSE_SHARE = 0.2;

/** Returns the function words of the text's language, or an empty map if the language is unknown. */
export function functionWordsOf(text: Word[]): FunctionWords {
  let best = NONE;
  let bestCount = PROSE_SHARE * text.length;
  for (const language of LANGUAGES) {
    const known = text.filter(({ folded }) => language.has(folded)).length;
    if (known < bestCount || (known === bestCount && best !== NONE)) continue;
    best = language;
    bestCount = known;
  }
  return best;
}
