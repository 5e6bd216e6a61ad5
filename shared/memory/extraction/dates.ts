import type { Chrono, ParsedResult } from "chrono-node";
import { trimmedEnd } from "../../kernel/trimmed.ts";
import type { JsonObject } from "../../platform/ports.ts";

/** A date that a text names, as it reads in full. */
export interface DateMention {
  /** "7 May 2023", "May 2023", "2022", "week of 1 May 2023", "weekend of 6 May 2023". */
  name: string;
  /** ISO, as precise as the name: "2023-05-07", "2023-05", "2023". */
  iso: string;
}

export interface DatedText {
  /** The text with its relative dates replaced: "yesterday" reads "on 7 May 2023". */
  text: string;
  dates: DateMention[];
}

/** Resolves the dates of a sentence against `time`; without a time only dates that name their year count as dates. */
export type DateReader = (text: string, time: Date | undefined) => DatedText;

type Precision = "year" | "month" | "week" | "weekend" | "day";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const WEEKDAYS_IN_SHORT = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const DAY_MS = 86_400_000;
const DAYS_A_WEEK = 7;
const SATURDAY = 6;

/** Words the parser takes for a time that say none worth keeping: durations, parts of a day, a lone weekday. */
const NO_DATE =
  /^(?:for|within|in the last|in the past|past|over|under|every)\b.*\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)$|^(?:now|night|tonight|noon|midnight|morning|evening|afternoon|weekend|the weekend|(?:on )?(?:mon|tues?|wed|thurs?|fri|sat|sun)[a-z]*)[,.]?$|(?:second|minute|hour)s?\b/i;
/** What the parser takes along: punctuation behind, and "them", in which it sees an article and a unit of minutes. */
const SURPLUS_BEFORE = /^them\s+/i;
const SURPLUS_BEHIND = /[\s,.]/;
const VAGUE = /\b(?:few|couple|several|some|about|around|almost|nearly|roughly|over)\b/i;
const NAMES_A_YEAR = /\b(?:1[89]|20)\d{2}\b/;
/** The sun and the past of "sit", where the parser sees days of the week. */
const NO_WEEKDAY = /^(?:sun|sat|wed)\b/;
/** "at 3pm" of "tomorrow at 3pm" is not lost. */
const CLOCK_TIME = /\bat \d{1,2}(?::\d{2})?\s*(?:[ap]\.?m\b\.?)?$/i;
/** A date that is what the clause is about takes no preposition: "last weekend was fun". */
const AS_SUBJECT = /^\s+(?:was|is|were|will be|has been|had)\b/i;
const BEFORE_KEPT = /\b(?:since|until|till|by|from|before|after|of|around|about)\s+$/i;
const BEFORE_DROPPED = /\b(?:(?:on|in|at|during)\s+)?(?:(?:the|this)\s+)?$/i;

let loading: Promise<DateReader> | undefined;

export function loadDateReader(): Promise<DateReader> {
  loading ??= import("chrono-node/en").then(({ casual }) => {
    const parser = withFurtherPhrases(casual.clone());
    return (text, time) => resolveDates(parser, text, time);
  });
  return loading;
}

/** The time that a memory's metadata gives it, in ISO, in epoch seconds or milliseconds, or in words; else `otherwise`. */
export async function timeOf(metadata: JsonObject, otherwise: string | undefined): Promise<Date | undefined> {
  const keys = ["occurred_at", "timestamp", "event_time", "session_date_time", "date_time", "datetime", "date", "time"];
  for (const key of keys) {
    const time = await readTime(metadata[key]);
    if (time !== undefined) return time;
  }
  return readTime(otherwise);
}

/** Below it a number is taken for seconds: in milliseconds it would be January 1970. */
const LEAST_MILLISECONDS = 100_000_000_000;
/** A bare number in a string is no date, though Date.parse takes "5" for one. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}/;

async function readTime(value: unknown): Promise<Date | undefined> {
  if (typeof value === "number") return valid(new Date(value < LEAST_MILLISECONDS ? value * 1000 : value));
  if (typeof value !== "string" || value.length > 100) return undefined;
  if (ISO_DATE.test(value)) return valid(new Date(value));
  const { casual } = await import("chrono-node/en");
  const [found] = casual.parse(value, { instant: new Date(0), timezone: 0 });
  return found?.start.isCertain("year") ? found.start.date() : undefined;
}

function valid(time: Date): Date | undefined {
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** What English says of dates and the parser's own phrases leave out. */
function withFurtherPhrases(parser: Chrono): Chrono {
  parser.parsers.unshift(
    {
      pattern: () => /\b(?:in|since|until|during|from|by)\s+((?:19|20)\d{2})\b(?![-/:.]\d)/i,
      extract: (_context, match) => ({ year: Number(match[1]) }),
    },
    {
      pattern: () => /\b(?:the\s+)?day before yesterday\b/i,
      extract: ({ reference }) => partsOf(shift(reference.instant, -2)),
    },
    {
      pattern: () => /\b(two|three|2|3) weekends ago\b/i,
      extract: ({ reference }, match) => {
        const weekends = ["two", "2"].includes(match[1]?.toLowerCase() ?? "") ? 2 : 3;
        return partsOf(shift(saturdayBefore(reference.instant), -(weekends - 1) * DAYS_A_WEEK));
      },
    },
    {
      pattern: () => /\b(?:last|past)\s+weekend\b/i,
      extract: ({ reference }) => partsOf(saturdayBefore(reference.instant)),
    },
    {
      pattern: () => /\bthis\s+week\b/i,
      extract: ({ reference }) => partsOf(reference.instant),
    },
    {
      pattern: () => /\blast\s+(tues|weds|thurs?)\b/i,
      extract: ({ reference }, match) => {
        const weekday = WEEKDAYS_IN_SHORT.indexOf(match[1]?.slice(0, 3).toLowerCase() ?? "");
        const back = (reference.instant.getUTCDay() - weekday + DAYS_A_WEEK) % DAYS_A_WEEK || DAYS_A_WEEK;
        return partsOf(shift(reference.instant, -back));
      },
    },
  );
  return parser;
}

function partsOf(date: Date) {
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function shift(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS);
}

function saturdayBefore(date: Date): Date {
  return shift(date, -((date.getUTCDay() + 1) % DAYS_A_WEEK || DAYS_A_WEEK));
}

function resolveDates(parser: Chrono, text: string, time: Date | undefined): DatedText {
  const dates: DateMention[] = [];
  let resolved = "";
  let end = 0;
  for (const found of parser.parse(text, { instant: time ?? new Date(0), timezone: 0 })) {
    const named = trimmedEnd(found.text.replace(SURPLUS_BEFORE, ""), SURPLUS_BEHIND);
    const precision = precisionOf(found, named);
    if (precision === undefined || isNoDate(found, named) || (time === undefined && !NAMES_A_YEAR.test(named)))
      continue;
    const mention = mentionOf(found, precision);
    const start = text.indexOf(named, found.index);
    const before = text.slice(end, start);
    end = start + named.length;
    resolved += worded(mention.name, precision, named, before, text.slice(end));
    if (!VAGUE.test(named)) dates.push(mention);
  }
  return { text: resolved + text.slice(end), dates };
}

function isNoDate(found: ParsedResult, named: string): boolean {
  return found.end !== null || NO_DATE.test(named) || NO_WEEKDAY.test(named);
}

/** The text before a date and the date, with the preposition that it takes there. */
function worded(name: string, precision: Precision, named: string, before: string, after: string): string {
  const article = precision === "week" || precision === "weekend" ? "the " : "";
  const date = article + name + (CLOCK_TIME.exec(named)?.[0].replace(/^/, " ") ?? "");
  if (VAGUE.test(named)) return `${before.replace(BEFORE_DROPPED, "")}around ${date}`;
  if (BEFORE_KEPT.test(before)) return before + date;
  if (AS_SUBJECT.test(after)) return before.replace(BEFORE_DROPPED, "") + date;
  return `${before.replace(BEFORE_DROPPED, "")}${precision === "day" || precision === "weekend" ? "on" : "in"} ${date}`;
}

function precisionOf({ start }: ParsedResult, named: string): Precision | undefined {
  if (/\bweekends?\b/i.test(named)) return "weekend";
  if (/\bweeks?\b/i.test(named)) return "week";
  if (start.isCertain("day") || start.isCertain("weekday")) return "day";
  if (start.isCertain("month")) return "month";
  return start.isCertain("year") ? "year" : undefined;
}

function mentionOf({ start }: ParsedResult, precision: Precision): DateMention {
  const day = new Date(Date.UTC(start.get("year") ?? 0, (start.get("month") ?? 1) - 1, start.get("day") ?? 1));
  switch (precision) {
    case "year":
      return { name: String(day.getUTCFullYear()), iso: iso(day, 4) };
    case "month":
      return { name: `${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`, iso: iso(day, 7) };
    case "week": {
      const monday = shift(day, -((day.getUTCDay() + SATURDAY) % DAYS_A_WEEK));
      return { name: `week of ${inWords(monday)}`, iso: iso(monday, 10) };
    }
    case "weekend": {
      const saturday = day.getUTCDay() === SATURDAY ? day : saturdayBefore(day);
      return { name: `weekend of ${inWords(saturday)}`, iso: iso(saturday, 10) };
    }
    case "day":
      return { name: inWords(day), iso: iso(day, 10) };
  }
}

function inWords(day: Date): string {
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

function iso(day: Date, length: number): string {
  return day.toISOString().slice(0, length);
}
