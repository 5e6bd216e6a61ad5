import type { LanguageTable } from "./languages/tables.ts";
import { LANGUAGES, type Language } from "./languages.ts";
import { type Token, tokenize } from "./tokens.ts";

export type SenseKind =
  | "month"
  | "weekday"
  | "habit"
  | "past"
  | "coming"
  | "unit"
  | "season"
  | "number"
  | "few"
  | "period"
  | "relative"
  | "ago"
  | "agoBefore"
  | "fromNow"
  | "ahead"
  | "later"
  | "nextDay"
  | "every"
  | "on"
  | "since"
  | "until"
  | "before"
  | "after"
  | "beforeLast"
  | "ordinal"
  | "from"
  | "to"
  | "between"
  | "and"
  | "article"
  | "at"
  | "oclock"
  | "am"
  | "pm"
  | "lasting"
  | "approximate"
  | "holiday"
  | "monthMark"
  | "dayMark"
  | "dayOfMonth"
  | "yearMark"
  | "era"
  | "due"
  | "weak"
  | "everyOther"
  | "onDay"
  | "noDate";

export type Unit = "minute" | "hour" | "day" | "week" | "weekend" | "month" | "year";

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
  table: LanguageTable;
  phrases: Map<string, Phrase[]>;
  ambiguous: ReadonlySet<string>;
  functionWords: ReadonlySet<string>;
}

/** The next one to come, whichever week it is in. */
const COMING = Number.NaN;

const lexicons = new Map<Language, Lexicon>();

export function lexiconOf(language: Language): Lexicon {
  const known = lexicons.get(language);
  if (known !== undefined) return known;
  const table = LANGUAGES[language];
  const lexicon = {
    table,
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

function phrasesOf(table: LanguageTable): Map<string, Phrase[]> {
  const phrases = new Map<string, Phrase[]>();
  const add = (kind: SenseKind, list: string | undefined, value = 0, unit?: Unit) => {
    for (const phrase of split(list)) {
      const words = tokenize(phrase).map(({ lower }) => lower);
      const [first] = words;
      if (first === undefined) continue;
      phrases.set(first, [
        ...(phrases.get(first) ?? []),
        { kind, value, words, length: words.length, ...(unit && { unit }) },
      ]);
    }
  };
  const addEach = (kind: SenseKind, list: string | undefined, first: number) => {
    for (const [place, names] of split(list, ";").entries()) add(kind, names, place + first);
  };
  addEach("month", table.months, 1);
  addEach("weekday", table.weekdays, 0);
  addEach("habit", table.habits, 0);
  addEach("season", table.seasons, 0);
  addEach("ordinal", table.ordinals, 1);
  addEach("number", table.numbers, 1);
  add("few", table.few, 3);
  for (const [unit, names] of Object.entries(table.units)) add("unit", names, 0, unit as Unit);
  for (const [period, names] of Object.entries(table.periods)) {
    const [unit, distance] = period.split(" ");
    add("period", names, Number(distance), unit as Unit);
  }
  for (const [day, names] of Object.entries(table.holidays)) {
    const [month = 0, dayOfMonth = 0] = day.split("-").map(Number);
    add("holiday", names, month * 100 + dayOfMonth);
  }
  for (const [era, year] of Object.entries(table.eras ?? {})) add("era", era, year);
  add("relative", table.last, -1);
  add("relative", table.penultimate, -2);
  add("relative", table.this, 0);
  add("relative", table.next, 1);
  add("relative", table.coming, COMING);
  for (const [kind, list] of wordsWithoutValue(table)) add(kind, list);
  return phrases;
}

function wordsWithoutValue(table: LanguageTable): [SenseKind, string | undefined][] {
  return [
    ["past", table.pastMany],
    ["coming", table.nextMany],
    ["ago", table.ago],
    ["agoBefore", table.agoBefore],
    ["fromNow", table.fromNow],
    ["ahead", table.ahead],
    ["later", table.later],
    ["nextDay", table.nextDay],
    ["every", table.every],
    ["on", table.on],
    ["weak", table.weak],
    ["since", table.since],
    ["until", table.until],
    ["before", table.before],
    ["after", table.after],
    ["beforeLast", table.beforeLast],
    ["from", table.from],
    ["to", table.to],
    ["between", table.between],
    ["and", table.and],
    ["article", table.articles],
    ["at", table.at],
    ["oclock", table.oclock],
    ["am", table.morning],
    ["pm", table.afternoon],
    ["lasting", table.lasting],
    ["approximate", table.approximate],
    ["due", table.due],
    ["onDay", table.onDay],
    ["everyOther", table.everyOther],
    ["noDate", table.noDates],
    ["monthMark", table.monthMark],
    ["dayMark", table.dayMark],
    ["dayOfMonth", table.dayOfMonth],
    ["yearMark", table.yearMark],
  ];
}

/** The senses of the tokens, by start and by end. */
export interface Senses {
  from: Sense[][];
  to: Sense[][];
}

const NONE: Sense[] = [];

export function sensesOf(tokens: Token[], { phrases }: Lexicon): Senses {
  const from: Sense[][] = new Array(tokens.length).fill(NONE);
  const to: Sense[][] = new Array(tokens.length + 1).fill(NONE);
  for (let place = 0; place < tokens.length; place++) {
    const candidates = phrases.get(tokens[place]?.lower ?? "");
    if (candidates === undefined) continue;
    for (const sense of candidates) {
      if (!sense.words.every((word, at) => tokens[place + at]?.lower === word)) continue;
      if (from[place] === NONE) from[place] = [];
      from[place]?.push(sense);
      const end = place + sense.length;
      if (to[end] === NONE) to[end] = [];
      to[end]?.push(sense);
    }
  }
  return { from, to };
}
