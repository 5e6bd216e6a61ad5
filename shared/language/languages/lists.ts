import { setOf } from "../../kernel/strings.ts";
import type { LanguageWords } from "./pack.ts";
import { ALL_WORDS, PACKS } from "./packs.ts";

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

/** Names of months and weekdays up to this length are abbreviations, which are words of other languages. */
const MAX_ABBREVIATION = 3;

/** Whether a name of a month or a weekday is no abbreviation. */
export const isWhole = (name: string): boolean => name.length > MAX_ABBREVIATION;

/** Names of months and weekdays in all languages. */
export const CALENDAR_NAMES: readonly string[] = Object.values(PACKS)
  .flatMap(({ dates }) => [dates?.months ?? "", dates?.weekdays ?? ""])
  .flatMap((names) => names.split(/[|;]/))
  .filter(isWhole);

/** Lower-case parts of names, as alternatives. */
export const PARTICLES = wordAlternatives(({ names }) => names?.particles);
