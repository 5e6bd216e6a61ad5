import { setOf } from "../../kernel/strings.ts";
import type { DateWords } from "./date-words.ts";
import type { Grammar } from "./grammar.ts";
import { isWhole } from "./lists.ts";
import type { LanguagePack } from "./pack.ts";
import { LATIN_LANGUAGES, type Language, PACKS } from "./packs.ts";

/** Returns the languages in Latin script by each word that tells them. */
export function languagesByWord(): Map<string, Language[]> {
  return grouped((pack) => [
    ...setOf(pack.functionWords),
    ...setOf(pack.markers),
    ...dateWords(pack.dates),
    ...grammarWords(pack.grammar),
  ]);
}

/** Returns the languages in Latin script by each letter that is typical of them. */
export function languagesByLetter(): Map<string, Language[]> {
  return grouped(({ letters = "" }) => letters);
}

function grouped(marksOf: (pack: LanguagePack) => Iterable<string>): Map<string, Language[]> {
  const found = new Map<string, Language[]>();
  for (const language of LATIN_LANGUAGES) {
    for (const mark of new Set(marksOf(PACKS[language]))) found.set(mark, [...(found.get(mark) ?? []), language]);
  }
  return found;
}

/** Returns the function words around dates, and the names of days, months and units. */
function dateWords(dates: DateWords | undefined): string[] {
  if (dates === undefined) return [];
  const { functionWords, weekdays, months = "", days, periods = {}, units, last, next } = dates;
  const names = [weekdays, months, units, last, next, days, ...Object.values(periods)].join("|").split(/[|;]/);
  return [...functionWords.split("|"), ...names.filter(isWhole)];
}

function grammarWords(grammar: Grammar | undefined): string[] {
  if (grammar === undefined) return [];
  const { firstPerson, my, articles, indefinite, is, isCalled, adverbs, please, lasting, relatives, verbs } = grammar;
  const forms = verbs.map((verb) => verb.forms.replaceAll("/", " "));
  return [firstPerson, my, articles, indefinite, is, isCalled, adverbs, please, lasting, relatives, ...forms]
    .join(" ")
    .split(" ");
}
