import { alternatives } from "../languages/lists.ts";
import { type ClockFound, hourOfDay } from "./clock.ts";
import type { Clock, Expression, Reader } from "./expression.ts";

/** Maximum tokens between a date and its time of day. */
const MAX_CLOCK_GAP = 3;

type Found = Expression | ClockFound;

/** Combines the dates of a line with times, ranges and lists. A time without a date is dropped. */
export function combineDates(reader: Reader, found: Found[]): Expression[] {
  const withHours = mergePairs(found, (first, second) => hourRange(reader, first, second));
  const withClocks = mergePairs(withHours, (first, second) => timedDate(reader, first, second));
  const dates = withClocks.filter((item) => "shape" in item);
  const withRanges = mergePairs(dates, (first, second) => dateRange(reader, first, second));
  return withHabits(reader, withRanges);
}

/** Replaces two adjacent items by the item that `merge` returns, if any; an item is part of at most one pair. */
function mergePairs<Item extends object>(items: Item[], merge: (first: Item, second: Item) => Item | undefined) {
  const merged: Item[] = [];
  for (let index = 0; index < items.length; index++) {
    const [first, second] = items.slice(index, index + 2);
    const pair = first && second && merge(first, second);
    if (first) merged.push(pair ?? first);
    if (pair) index++;
  }
  return merged;
}

function isClock(found: Found): found is ClockFound {
  return !("shape" in found);
}

/** "from 9 to 11", "2–4 pm": two times of day become a range of hours. */
function hourRange(reader: Reader, start: Found, end: Found): ClockFound | undefined {
  const link = reader.sense(start.to, "to")?.length ?? (reader.isMark(start.to, "-", "–") ? 1 : 0);
  if (!isClock(start) || !isClock(end) || link === 0 || start.to + link !== end.from) return undefined;
  const meridiem =
    start.clock.meridiem ?? (start.clock.hour <= end.clock.hour % HALF_DAY ? end.clock.meridiem : undefined);
  const first = start.clock.exact ? start.clock : withMeridiem(start.clock, meridiem);
  return { from: start.from, to: end.to, clock: { ...first, until: end.clock } };
}

const HALF_DAY = 12;

function withMeridiem(clock: Clock, meridiem: Clock["meridiem"]): Clock {
  return meridiem === undefined ? clock : { ...clock, hour: hourOfDay(clock.hour, meridiem), meridiem, exact: true };
}

/** A time of day belongs to the date next to it: "14:30 yesterday", "tomorrow at 3 pm". */
function timedDate(reader: Reader, first: Found, second: Found): Expression | undefined {
  if (!areAdjacent(reader, first, second)) return undefined;
  if (isClock(first)) return isClock(second) ? undefined : withClock(reader, second, first);
  return isClock(second) ? withClock(reader, first, second) : undefined;
}

function areAdjacent(reader: Reader, first: Found, second: Found): boolean {
  if (second.from - first.to > MAX_CLOCK_GAP) return false;
  for (let index = first.to; index < second.from; ) {
    const link = reader.sense(index, "at", "on", "article", "ahead", "am", "pm");
    if (link === undefined && !reader.isMark(index, ",", "-", "–", "(", "'")) return false;
    index += link?.length ?? 1;
  }
  return true;
}

function withClock(reader: Reader, date: Expression, { from, to, clock }: ClockFound): Expression {
  if (date.shape === "recurring") return date;
  const isDay = date.shape === "day" || date.shape === "weekday" || date.shape === "dayOfMonth" || date.unit === "day";
  if (!isDay || date.clock !== undefined) return date;
  const part = clock.meridiem === undefined ? partOfDay(reader, date) : undefined;
  if (!clock.exact && part === undefined) return date;
  // "At 2 last night" may be either day.
  if (part?.isNight && clock.hour < FIRST_EVENING_HOUR) return clock.exact ? { ...date, clock } : date;
  const until =
    clock.until && (clock.until.meridiem === undefined ? withMeridiem(clock.until, part?.meridiem) : clock.until);
  const exact = { ...withMeridiem(clock, part?.meridiem), until };
  return { ...date, from: Math.min(from, date.from), to: Math.max(to, date.to, part?.to ?? 0), clock: exact };
}

/** Earlier hours belong to the morning or the afternoon, even if the text calls them night. */
const FIRST_EVENING_HOUR = 6;
const NIGHT = new RegExp(alternatives(({ values }) => values?.nights));

/** "this morning", "tonight", "tomorrow morning" */
function partOfDay(reader: Reader, { from, to }: Expression) {
  const after = reader.sense(to, "am", "pm");
  const sense = reader.sense(from, "am", "pm") ?? reader.senseBefore(to, "am", "pm") ?? after;
  if (sense === undefined) return undefined;
  const end = sense === after ? to + sense.length : to;
  const words = reader.tokens.slice(from, end).map(({ lower }) => lower);
  const meridiem: Clock["meridiem"] = sense.kind === "am" ? "am" : "pm";
  return { meridiem, isNight: words.some((word) => NIGHT.test(word)), to: end };
}

/** "every Tuesday and Thursday": a weekday listed after a recurring one also recurs. */
function withHabits(reader: Reader, dates: Expression[]): Expression[] {
  const habits: Expression[] = [];
  for (const date of dates) {
    const before = habits.at(-1);
    const link = before && reader.sense(before.to, "and");
    const isListed = before !== undefined && (link !== undefined || reader.isMark(before.to, ","));
    const isAdjacent = isListed && before.to + (link?.length ?? 1) === date.from;
    const isPlainWeekday = date.shape === "weekday" && date.relative === undefined;
    const recurs = isAdjacent && before.shape === "recurring" && before.weekday !== undefined && isPlainWeekday;
    habits.push(recurs ? { ...date, shape: "recurring", amount: before.amount } : date);
  }
  return habits;
}

const RANGE_SHAPES = new Set<Expression["shape"]>(["day", "month", "year", "weekday", "dayOfMonth", "period"]);

/** Two dates become a range if the words between and before them say so. */
function dateRange(reader: Reader, first: Expression, second: Expression): Expression | undefined {
  if (!RANGE_SHAPES.has(first.shape) || !RANGE_SHAPES.has(second.shape) || first.end || second.end) return undefined;
  const isBetween = reader.senseBefore(first.from, "between") !== undefined;
  const link = reader.sense(first.to, "to", ...(isBetween ? (["and"] as const) : []));
  const isDash = reader.isMark(first.to, "-", "–", "—");
  if (link === undefined && !isDash) return undefined;
  const after = first.to + (link?.length ?? 1);
  const isAdjacent = reader.skip(after, "article", "on") >= second.from && after <= second.from;
  return isAdjacent ? { ...withYearOf(second, first), end: second } : undefined;
}

/** "3 February to 10 April 2025": the year belongs to both dates. */
function withYearOf({ year, month = 0 }: Expression, first: Expression): Expression {
  if (year === undefined || first.year !== undefined || first.month === undefined) return first;
  return { ...first, year: first.month > month ? year - 1 : year };
}
