import { isDay, LEAP_YEAR } from "./calendar.ts";
import { hasPreposition, isAddress, isCalendarName, isListed } from "./evidence.ts";
import type { Expression, Reader, Rule } from "./expression.ts";
import type { Sense } from "./lexicon.ts";

/** "3", "3rd", "1er", "3." */
function ordinalAt(reader: Reader, index: number): { value: number; to: number; marked: boolean } | undefined {
  const value = reader.number(index, 31);
  if (value === undefined || value === 0) return undefined;
  const next = index + 1;
  if (reader.isAttached(next) && /^(?:st|nd|rd|th|er|e|º|ª|°|de|ste)$/.test(reader.tokens[next]?.lower ?? "")) {
    return { value, to: next + 1, marked: true };
  }
  const isDotted = reader.isMark(next, ".", "º") && reader.isAttached(next) && !reader.isAttached(next + 1);
  return isDotted ? { value, to: next + 1, marked: true } : { value, to: next, marked: false };
}

/** "2026", ", 2026" or "de 2026" after a month. */
function yearAfter(reader: Reader, index: number): { year: number | undefined; to: number } {
  const dot = reader.isMark(index, ".") && reader.isAttached(index) ? index + 1 : index;
  const start = reader.skip(reader.isMark(dot, ",") ? dot + 1 : dot, "article");
  const year = reader.year(start);
  return year === undefined ? { year, to: index } : { year, to: start + 1 };
}

/** Returns the month after a day. In English, a name that is also another word must be capitalized. */
function monthAfter(reader: Reader, index: number): Sense | undefined {
  const start = reader.skip(index, "article");
  const month = reader.sense(start, "month");
  if (month === undefined) return undefined;
  const isVerb = reader.isAmbiguous(start) && reader.lexicon.table.isEnglish;
  return isVerb && !reader.isCapital(start) ? undefined : { ...month, length: start + month.length - index };
}

/** Reads a day or a range of days: "3-5", "3 to 5", "3. bis 5." */
function daysAt(reader: Reader, index: number): { first: number; last: number | undefined; to: number } | undefined {
  const token = reader.tokens[index];
  const run = token?.kind === "run" && !token.bound ? /^(\d{1,2})[-–](\d{1,2})$/.exec(token.text) : null;
  if (run !== null) {
    const dot = reader.isMark(index + 1, ".") && reader.isAttached(index + 1) ? 1 : 0;
    return { first: Number(run[1]), last: Number(run[2]), to: index + 1 + dot };
  }
  const first = ordinalAt(reader, index);
  if (first === undefined) return undefined;
  const link = reader.sense(first.to, "to", "and");
  const isDash = reader.isMark(first.to, "-", "–");
  const start = reader.skip(first.to + (link?.length ?? (isDash ? 1 : 0)), "article");
  const last = link === undefined && !isDash ? undefined : ordinalAt(reader, start);
  return { first: first.value, last: last?.value, to: last?.to ?? first.to };
}

/** Reads the number of a day in words: "the eighteenth of April". In English, "of" follows: "the first May" is a month. */
function spelledDay(reader: Reader, index: number): { first: number; last?: undefined; to: number } | undefined {
  const ordinal = reader.sense(index, "ordinal");
  if (ordinal === undefined) return undefined;
  const to = index + ordinal.length;
  const isMonth = reader.lexicon.table.isEnglish && reader.sense(to, "article") === undefined;
  return isMonth ? undefined : { first: ordinal.value, to };
}

export const dayAndMonth: Rule = (reader, index) => {
  const days = daysAt(reader, index) ?? spelledDay(reader, index);
  const month = days && monthAfter(reader, days.to);
  if (days === undefined || month === undefined) return undefined;
  if (isAddress(reader, index, days.to + month.length)) return undefined;
  const { year, to } = yearAfter(reader, days.to + month.length);
  return dayRange({ from: index, to, shape: "day", year, month: month.value, day: days.first }, days.last);
};

export const monthAndDay: Rule = (reader, index) => {
  const month = reader.sense(index, "month");
  if (month === undefined || (!reader.isCapital(index) && reader.isAmbiguous(index))) return undefined;
  const dot = reader.isMark(index + month.length, ".") && reader.isAttached(index + month.length) ? 1 : 0;
  const days = daysAt(reader, reader.skip(index + month.length + dot, "article"));
  if (days === undefined || reader.sense(days.to, "unit", "oclock") !== undefined) return undefined;
  const { year, to } = yearAfter(reader, days.to);
  return dayRange({ from: index, to, shape: "day", year, month: month.value, day: days.first }, days.last);
};

function dayRange(first: Expression, last: number | undefined): Expression | undefined {
  const { year = LEAP_YEAR, month = 0, day = 0 } = first;
  if (!isDay({ year, month, day })) return undefined;
  if (last === undefined) return first;
  return isDay({ year, month, day: last }) && last > day ? { ...first, end: { ...first, day: last } } : undefined;
}

const monthAndYear: Rule = (reader, index, { previousEnd }) => {
  const month = reader.sense(index, "month");
  if (month === undefined || followsDay(reader, index)) return undefined;
  const { year, to } = yearAfter(reader, index + month.length);
  if (year !== undefined) return { from: index, to, shape: "month", year, month: month.value };
  const relative = reader.sense(index + month.length, "relative");
  const after = index + month.length + (relative?.length ?? 0);
  const unit = relative && reader.sense(after, "unit");
  if (relative !== undefined && unit?.unit === "year") {
    const end = after + unit.length;
    return { from: index, to: end, shape: "month", month: month.value, yearsAway: relative.value };
  }
  if (relative !== undefined && !isPrefixed(reader)) {
    return { from: index, to: after, shape: "month", month: month.value, relative: relative.value };
  }
  if (!isCalendarName(reader, index, month) && !isListed(reader, index, month, previousEnd)) return undefined;
  return { from: index, to: index + month.length, shape: "month", month: month.value };
};

/** Whether a number precedes the month, which then lacks that day: "29 February 2025" is not a date. */
function followsDay(reader: Reader, index: number): boolean {
  const start = reader.skipBack(index, "article");
  return reader.number(reader.isMark(start - 1, ".") ? start - 2 : start - 1, 99) !== undefined;
}

const season: Rule = (reader, index) => {
  const sense = reader.sense(index, "season");
  if (sense === undefined) return undefined;
  const { year, to } = yearAfter(reader, index + sense.length);
  return year === undefined ? undefined : { from: index, to, shape: "season", season: sense.value, year };
};

const holiday: Rule = (reader, index) => {
  const sense = reader.sense(index, "holiday");
  if (sense === undefined) return undefined;
  const { year, to } = yearAfter(reader, index + sense.length);
  return { from: index, to, shape: "day", month: Math.floor(sense.value / 100), day: sense.value % 100, year };
};

const quarter: Rule = (reader, index) => {
  const number = /^q([1-4])$/.exec(reader.tokens[index]?.lower ?? "");
  if (number === null) return undefined;
  const { year, to } = yearAfter(reader, index + 1);
  if (year === undefined && !hasPreposition(reader, index)) return undefined;
  return { from: index, to, shape: "quarter", month: (Number(number[1]) - 1) * 3 + 1, year };
};

/** "on the 5th", not followed by a word that it counts. */
const dayOfMonth: Rule = (reader, index) => {
  const ordinal = ordinalAt(reader, index);
  const particle = ordinal && reader.sense(ordinal.to, "dayOfMonth");
  if (ordinal !== undefined && particle !== undefined) {
    if (reader.number(ordinal.to + particle.length) !== undefined) return undefined;
    return { from: index, to: ordinal.to + 1, shape: "dayOfMonth", day: ordinal.value };
  }
  if (ordinal === undefined || !ordinal.marked || reader.isMark(index + 1, ".")) return undefined;
  const article = reader.senseBefore(index, "article");
  if (article === undefined || !hasPreposition(reader, index - article.length)) return undefined;
  if (countsWordAt(reader, ordinal.to)) return undefined;
  return { from: index, to: ordinal.to, shape: "dayOfMonth", day: ordinal.value };
};

/** Whether an ordinal may count the word at a position: "the 5th floor", but not "on the 5th at noon". */
function countsWordAt(reader: Reader, index: number): boolean {
  const next = reader.tokens[index];
  const isFunctionWord =
    reader.lexicon.functionWords.has(next?.lower ?? "") && reader.sense(index, "article") === undefined;
  return (
    next?.kind === "word" && !isFunctionWord && reader.sense(index, "at", "on", "and", "to", "until") === undefined
  );
}

/** "Saturday the 14th", "Thursday, the 19th": the number decides. */
const weekdayAndDay: Rule = (reader, index) => {
  const weekday = reader.sense(index, "weekday");
  if (weekday === undefined) return undefined;
  const after = index + weekday.length;
  const comma = reader.isMark(after, ",") ? after + 1 : after;
  const start = reader.skip(comma, "article");
  const ordinal = start === comma ? undefined : ordinalAt(reader, start);
  if (ordinal?.marked !== true || countsWordAt(reader, ordinal.to)) return undefined;
  return { from: index, to: ordinal.to, shape: "dayOfMonth", day: ordinal.value };
};

/** Whether "last" and "next" always precede their noun in the language. */
export function isPrefixed({ lexicon: { table } }: Reader): boolean {
  return table.isEnglish === true || table.yearMark !== undefined;
}

/** Returns NaN, the next one to come, for "next" where it does not mean the next week: "vendredi prochain". */
export function ofFollowing(reader: Reader, relative: number): number {
  return relative === 1 && !reader.lexicon.table.nextIsOfNextWeek ? Number.NaN : relative;
}

const LAST = -1;

/** "the first week of November 2026", "el primer sábado de noviembre", "the last Friday in March". */
const partOfMonth: Rule = (reader, index) => {
  const ordinal = reader.sense(index, "ordinal", "relative");
  if (ordinal === undefined || (ordinal.kind === "relative" && ordinal.value !== LAST)) return undefined;
  const noun = reader.sense(index + ordinal.length, "unit", "weekday");
  if (noun === undefined || (noun.kind === "unit" && noun.unit !== "week")) return undefined;
  const after = index + ordinal.length + noun.length;
  const start = reader.skip(after, "article", "on");
  const month = start === after ? undefined : reader.sense(start, "month");
  if (month === undefined) return undefined;
  const { year, to } = yearAfter(reader, start + month.length);
  const unit = noun.kind === "unit" ? ("week" as const) : undefined;
  const weekday = noun.kind === "weekday" ? noun.value : undefined;
  return { from: index, to, shape: "partOfMonth", amount: ordinal.value, unit, weekday, month: month.value, year };
};

export const RULES_BY_NAME = [
  dayAndMonth,
  monthAndDay,
  monthAndYear,
  partOfMonth,
  season,
  holiday,
  quarter,
  weekdayAndDay,
  dayOfMonth,
];
