import { setOf } from "../../kernel/strings.ts";
import type { LanguageWords } from "./pack.ts";
import { ALL_WORDS } from "./packs.ts";

type List = (pack: LanguageWords) => string | undefined;

/** Returns a list of every language that has it. */
function listsOf(list: List): string[] {
  return ALL_WORDS.flatMap((pack) => list(pack) ?? []);
}

/** Returns the words of a list in all languages, separated by spaces. */
export function allWords(list: List): string {
  return listsOf(list).join(" ");
}

/** Returns the words and phrases of a list in all languages, which `|` separates. */
export function allPhrases(list: List): string[] {
  return listsOf(list).flatMap((phrases) => phrases.split("|"));
}

/** Returns the words of a list in all languages as alternatives of a regular expression. */
export function wordAlternatives(list: List): string {
  return [...setOf(allWords(list))].join("|");
}

/** Returns the alternatives of a list in all languages, for a regular expression. */
export function alternatives(list: List): string {
  return listsOf(list).join("|");
}

/** Lower-case parts of names, as alternatives. */
export const PARTICLES = wordAlternatives(({ names }) => names?.particles);
