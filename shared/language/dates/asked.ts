import { dateOf } from "../../kernel/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/durations.ts";
import { annotateLines } from "./annotate.ts";
import { type Anchor, addDays, type Day, daysIn, numberOf, offsetAtLocal } from "./calendar.ts";
import type { DatedText } from "./dated-text.ts";
import { Reader } from "./expression.ts";
import { lexiconOf, sensesOf } from "./lexicon.ts";
import type { DateAnnotation } from "./schema.ts";

/** A range in epoch milliseconds, inclusive; infinite if open. */
export interface TimeRange {
  from: number;
  to: number;
  /** The question's words for the range, if they are not a date. */
  said?: string;
}

/** Longer texts are not questions, and they mention times that nobody asks about. */
const MAX_QUESTION_LENGTH = 300;
const MAX_RANGES = 4;
/** Days of a week before and after the date that represents it. */
const HALF_WEEK = 3;

/**
 * Returns the time ranges of a question: "last week", "in March", "before 2020". A date without a year may be the last
 * or the next one, depending on the tense; the last one comes first. Recurring dates and durations are not ranges.
 */
export function askedRanges(question: DatedText, anchor: Anchor): TimeRange[] {
  const { text, lines, language } = question;
  if (text.length > MAX_QUESTION_LENGTH) return [];
  const ranges = (["past", "nearest"] as const).flatMap((unstated) =>
    annotateLines(text, lines, anchor, language, unstated).flatMap((date) => rangeOf(question, date, anchor) ?? []),
  );
  const narrow = ranges.filter((range) => !ranges.some((other) => other !== range && isNarrower(other, range)));
  const distinct = new Map(narrow.map((range) => [`${range.from} ${range.to}`, range]));
  return [...distinct.values()].slice(0, MAX_RANGES);
}

/** Returns the dates that a question names. */
export function datesOf({ text, lines, language }: DatedText, anchor: Anchor): DateAnnotation[] {
  return annotateLines(text, lines, anchor, language);
}

/** Returns the first and last moment of a date, or undefined for recurring dates and durations. */
export function timeOfDate({ kind, precision, value, end_value = value }: DateAnnotation, zone?: string) {
  if (kind === "recurring" || kind === "duration") return undefined;
  const isWeek = precision === "week" && kind === "point";
  const first = addDays(daysOf(value).first, isWeek ? -HALF_WEEK : 0);
  const last = addDays(daysOf(end_value).last, isWeek ? HALF_WEEK : 0);
  return { from: startOf(first, zone), to: startOf(addDays(last, 1), zone) - 1 };
}

function rangeOf(question: DatedText, date: DateAnnotation, { instant, zone }: Anchor): TimeRange | undefined {
  const time = timeOfDate(date, zone);
  if (time === undefined) return undefined;
  const now = instant.getTime();
  switch (sideOf(question, date)) {
    case "before":
      return { from: time.from > now ? now : Number.NEGATIVE_INFINITY, to: time.from - 1 };
    case "until":
      return { from: time.to > now ? now : Number.NEGATIVE_INFINITY, to: time.to };
    case "since":
      return { from: time.from, to: time.from < now ? now : Number.POSITIVE_INFINITY };
    case "after":
      return { from: time.to + 1, to: time.to < now ? now : Number.POSITIVE_INFINITY };
    default:
      return time;
  }
}

/** The side of a date that a question asks about, by the word before it, or in Japanese and Chinese after it. */
function sideOf({ tokens, language }: DatedText, { start, end }: DateAnnotation): (typeof SIDES)[number] | undefined {
  const lexicon = lexiconOf(language);
  const reader = new Reader(tokens, sensesOf(tokens, lexicon), lexicon);
  const from = tokens.findIndex((token) => token.start === start);
  const to = tokens.findIndex((token) => token.start >= end);
  const found =
    lexicon.table.yearMark === undefined ? wordBefore(reader, from) : to < 0 ? undefined : reader.sense(to, ...SIDES);
  return SIDES.find((side) => side === found?.kind);
}

const SIDES = ["before", "after", "since", "until"] as const;

function wordBefore(reader: Reader, index: number) {
  return reader.senseBefore(index, ...SIDES) ?? reader.senseBefore(reader.skipBack(index, "article"), ...SIDES);
}

function isNarrower(one: TimeRange, other: TimeRange): boolean {
  return one.from >= other.from && one.to <= other.to && one.to - one.from < other.to - other.from;
}

function startOf(day: Day, zone: string | undefined): number {
  const local = numberOf(day) * DAY_MS;
  return local - (offsetAtLocal(zone, local) ?? 0) * MINUTE_MS;
}

/** Returns the first and the last day of a year, a month or a day. */
function daysOf(value: string): { first: Day; last: Day } {
  const [year = 0, month, day] = dateOf(value).split("-").map(Number);
  const lastMonth = month ?? 12;
  return {
    first: { year, month: month ?? 1, day: day ?? 1 },
    last: { year, month: lastMonth, day: day ?? daysIn(year, lastMonth) },
  };
}
