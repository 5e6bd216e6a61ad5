import type { DateWords, KindWords } from "../languages/date-words.ts";
import { type Language, PACKS } from "../languages/packs.ts";
import { type Token, tokenize } from "./tokens.ts";

export type SenseKind =
  | keyof KindWords
  | "month"
  | "weekday"
  | "habit"
  | "unit"
  | "season"
  | "number"
  | "few"
  | "period"
  | "relative"
  | "ordinal"
  | "holiday"
  | "era";

const UNITS = ["minute", "hour", "day", "week", "weekend", "month", "year"] as const;
export type Unit = (typeof UNITS)[number];

/** A meaning of the tokens that start at a position. */
export interface Sense {
  kind: SenseKind;
  /** Number of the month or weekday, distance of a period, …; NaN for the next upcoming one. */
  value: number;
  unit?: Unit;
  /** Number of tokens. */
  length: number;
}

interface Phrase extends Sense {
  words: string[];
}

export interface Lexicon {
  table: DateWords;
  /** Whether every noun of the language is capitalized. */
  capitalNouns: boolean;
  phrases: Map<string, Phrase[]>;
  ambiguous: ReadonlySet<string>;
  functionWords: ReadonlySet<string>;
}

/** The next one to come, whichever week it is in. */
const COMING = Number.NaN;

const lexicons = new Map<Language, Lexicon>();

/** Returns the date words of a language; those of English for a language that has none. */
export function lexiconOf(language: Language): Lexicon {
  const known = lexicons.get(language);
  if (known !== undefined) return known;
  const { dates: table = PACKS.en.dates, capitalNouns = false } = PACKS[language];
  const lexicon = {
    table,
    capitalNouns,
    phrases: phrasesOf(table),
    ambiguous: new Set(split(table.ambiguous)),
    functionWords: new Set(split(table.functionWords)),
  };
  lexicons.set(language, lexicon);
  return lexicon;
}

function split(list: string | undefined, separator = "|"): string[] {
  return list === undefined || list === "" ? [] : list.split(separator);
}

function phrasesOf(table: DateWords): Map<string, Phrase[]> {
  const phrases = new Map<string, Phrase[]>();
  const add = (kind: SenseKind, list: string | undefined, value = 0, unit?: Unit) => {
    for (const phrase of split(list)) {
      const words = tokenize(phrase).map(({ lower }) => lower);
      const [first] = words;
      if (first === undefined) continue;
      const sense = { kind, value, words, length: words.length, ...(unit && { unit }) };
      phrases.set(first, [...(phrases.get(first) ?? []), sense]);
    }
  };
  const addEach = (kind: SenseKind, list: string | undefined, first: number, unit?: Unit) => {
    for (const [index, names] of split(list, ";").entries()) add(kind, names, index + first, unit);
  };
  const { months, weekdays, habits, seasons, ordinals, numbers, units, days, periods = {}, ...lists } = table;
  const { few, last, penultimate, this: current, next, coming, ...others } = lists;
  const { holidays, eras, ambiguous, functionWords, ...words } = others;
  addEach("month", months, 1);
  addEach("weekday", weekdays, 0);
  addEach("habit", habits, 0);
  addEach("season", seasons, 0);
  addEach("ordinal", ordinals, 1);
  addEach("number", numbers, 1);
  addEach("period", days, -2, "day");
  add("few", few, 3);
  for (const [index, names] of split(units, ";").entries()) add("unit", names, 0, UNITS[index]);
  for (const [period, names] of Object.entries(periods)) {
    const [unit, distance] = period.split(" ");
    add("period", names, Number(distance), unit as Unit);
  }
  for (const [day, names] of Object.entries(holidays)) {
    const [month = 0, dayOfMonth = 0] = day.split("-").map(Number);
    add("holiday", names, month * 100 + dayOfMonth);
  }
  for (const [era, year] of Object.entries(eras ?? {})) add("era", era, year);
  for (const [index, list] of [penultimate, last, current, next].entries()) add("relative", list, index - 2);
  add("relative", coming, COMING);
  for (const [kind, list] of Object.entries(words)) if (typeof list === "string") add(kind as keyof KindWords, list);
  return phrases;
}

/** The senses of the tokens by their first index and by the index after them; both arrays are sparse. */
export interface Senses {
  from: Sense[][];
  to: Sense[][];
}

export function sensesOf(tokens: Token[], { phrases }: Lexicon): Senses {
  const from: Sense[][] = [];
  const to: Sense[][] = [];
  for (let index = 0; index < tokens.length; index++) {
    const candidates = phrases.get(tokens[index]?.lower ?? "");
    if (candidates === undefined) continue;
    for (const sense of candidates) {
      if (!sense.words.every((word, at) => tokens[index + at]?.lower === word)) continue;
      const end = index + sense.length;
      from[index] = [...(from[index] ?? []), sense];
      to[end] = [...(to[end] ?? []), sense];
    }
  }
  return { from, to };
}
