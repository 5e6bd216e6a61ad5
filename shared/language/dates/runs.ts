import { type Day, isDay, LEAP_YEAR, offsetAt } from "./calendar.ts";
import { hasPreposition, isCounted } from "./evidence.ts";
import type { Clock, Expression, Reader } from "./expression.ts";
import type { Lexicon } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/;
const YEAR_MONTH = /^(\d{4})-(\d{2})$/;
const DAY_AND_MONTH = /^(\d{1,2})([/.])(\d{1,2})$/;
const CENTURY = 2000;

/** Phrases that often do not mean a date. */
const IDIOMS = new Set(["24/7", "9/11", "50/50"]);

/** Returns the numeric date at a position, if any; `dayFirst` decides if both orders are possible. */
export function readRun(reader: Reader, index: number, dayFirst: boolean): Expression | undefined {
  const token = reader.tokens[index];
  if (token === undefined || token.bound) return undefined;
  const found = { from: index, to: index + 1, shape: "day" as const };
  if (token.kind === "timestamp") return readTimestamp(token, found);
  if (token.kind !== "run") return undefined;
  const month = YEAR_MONTH.exec(token.text);
  if (month !== null && Number(month[2]) >= 1 && Number(month[2]) <= 12 && hasPreposition(reader, index)) {
    return { ...found, shape: "month", year: Number(month[1]), month: Number(month[2]) };
  }
  const day = readDay(reader, index, token, dayFirst);
  if (day === undefined) return undefined;
  return { ...found, to: index + (day.year === undefined && token.text.includes(".") ? 2 : 1), ...day };
}

function readTimestamp({ text }: Token, found: Pick<Expression, "from" | "to" | "shape">): Expression | undefined {
  const parts = TIMESTAMP.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.slice(1, 6).map(Number);
  if (!isDay({ year, month, day }) || hour > 23 || minute > 59) return undefined;
  const clock: Clock = { hour, minute, exact: true, offset: parts[6] === "Z" ? 0 : offsetAt(parts[6], 0) };
  return { ...found, year, month, day, clock };
}

function readDay(reader: Reader, index: number, { text }: Token, dayFirst: boolean): Partial<Day> | undefined {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) return validDay(Number(yearFirst[1]), Number(yearFirst[3]), Number(yearFirst[4]));
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast !== null) {
    const [, first, mark, second, year = ""] = yearLast;
    if (year.length === 2 && !isIntroduced(reader, index)) return undefined;
    const full = year.length === 2 ? CENTURY + Number(year) : Number(year);
    return dayInOrder(Number(first), Number(second), full, dayFirst || mark !== "/");
  }
  const short = DAY_AND_MONTH.exec(text);
  if (short === null || IDIOMS.has(text) || !isIntroduced(reader, index) || isCounted(reader, index + 1))
    return undefined;
  const [, first, mark, second] = short;
  // With dots, the last dot is part of the date: "am 3.4."
  if (mark === "." && !(reader.isMark(index + 1, ".") && reader.isAttached(index + 1))) return undefined;
  const day = dayInOrder(Number(first), Number(second), LEAP_YEAR, dayFirst || mark === ".");
  return day === undefined ? undefined : { month: day.month, day: day.day };
}

/** Whether "on", "since", "until", "due" or a weekday precedes a position. */
function isIntroduced(reader: Reader, index: number): boolean {
  if (reader.senseBefore(index, "onDay", "since", "until", "due", "weekday") !== undefined) return true;
  return reader.isMark(index - 1, ",", ".", ":") && reader.senseBefore(index - 1, "weekday", "due") !== undefined;
}

function dayInOrder(first: number, second: number, year: number, dayFirst: boolean): Day | undefined {
  const byDay = validDay(year, second, first);
  const byMonth = validDay(year, first, second);
  return dayFirst ? (byDay ?? byMonth) : (byMonth ?? byDay);
}

function validDay(year: number, month: number, day: number): Day | undefined {
  return isDay({ year, month, day }) && year >= 1000 && year < 2200 ? { year, month, day } : undefined;
}

const SAYS_DAY_FIRST = /\b(?:european|uk|british|german) (?:format|style|date)|\bdd[/.-]mm\b/i;
const SAYS_MONTH_FIRST = /\b(?:us|american) (?:format|style|date)|\bmm[/.-]dd\b/i;
const MONTH_FIRST_ZONES = /^(?:America|US)\/|^Pacific\/(?:Honolulu|Guam)/;

const ANY_YEAR_LAST = /(?<!\d)(\d{1,2})\/(\d{1,2})\/(?:\d{4}|\d{2})(?!\d)/g;
const MAX_MONTH = 12;

/** Whether 11/12 means 11 December: decided by the text, its other dates, the language and the zone. */
export function writesDayFirst(text: string, { table }: Lexicon, zone: string | undefined): boolean {
  if (SAYS_DAY_FIRST.test(text)) return true;
  if (SAYS_MONTH_FIRST.test(text)) return false;
  for (const [, first, second] of text.matchAll(ANY_YEAR_LAST)) {
    if (Number(first) > MAX_MONTH && Number(second) <= MAX_MONTH) return true;
    if (Number(second) > MAX_MONTH && Number(first) <= MAX_MONTH) return false;
  }
  if (!table.isEnglish) return true;
  return zone?.includes("/") === true && !MONTH_FIRST_ZONES.test(zone);
}
