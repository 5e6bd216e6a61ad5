import type { LanguagePack } from "./pack.ts";
import { PACKS } from "./packs.ts";

type List = (pack: LanguagePack) => string | undefined;

/** Returns a list of every pack that has it. */
export function listsOf(list: List): string[] {
  return Object.values(PACKS).flatMap((pack: LanguagePack) => list(pack) ?? []);
}

/** Returns the words of a list in all languages, separated by spaces. */
export function allWords(list: List): string {
  return listsOf(list).join(" ");
}

/** Returns the words and phrases of a list in all languages, which `|` separates. */
export function allPhrases(list: List): string[] {
  return listsOf(list).flatMap((phrases) => phrases.split("|"));
}

/** Returns the alternatives of a list in all languages, for a regular expression. */
export function alternatives(list: List): string {
  return listsOf(list).join("|");
}
