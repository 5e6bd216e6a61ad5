import { type ClockFound, inHalf } from "./clock.ts";
import type { Clock, Expression, Reader } from "./expression.ts";

/** Maximum tokens between a date and its time of day. */
const MAX_CLOCK_GAP = 3;

/** Combines the dates of a line with times, ranges and lists. */
export function combined(reader: Reader, found: (Expression | ClockFound)[]): Expression[] {
  return withHabits(reader, withRanges(reader, withClocks(reader, withHours(reader, found))));
}

function isClock(found: Expression | ClockFound | undefined): found is ClockFound {
  return found !== undefined && !("shape" in found);
}

/** "from 9 to 11", "2–4 pm": two times of day become a range of hours. */
function withHours(reader: Reader, found: (Expression | ClockFound)[]): (Expression | ClockFound)[] {
  const merged: (Expression | ClockFound)[] = [];
  for (const item of found) {
    const before = merged.at(-1);
    const link = before && (reader.sense(before.to, "to")?.length ?? (reader.isMark(before.to, "-", "–") ? 1 : 0));
    if (!isClock(item) || !isClock(before) || before.clock.until || !link || before.to + link !== item.from) {
      merged.push(item);
      continue;
    }
    const half = before.clock.half ?? (before.clock.hour <= item.clock.hour % HALF_DAY ? item.clock.half : undefined);
    const first = before.clock.exact ? before.clock : inPart(before.clock, half);
    merged[merged.length - 1] = { from: before.from, to: item.to, clock: { ...first, until: item.clock } };
  }
  return merged;
}

const HALF_DAY = 12;

function inPart(clock: Clock, half: Clock["half"]): Clock {
  return half === undefined ? clock : { ...clock, ...inHalf(clock.hour, half), half, exact: true };
}

/** A time of day belongs to the date next to it: "14:30 yesterday", "tomorrow at 3 pm". A time without a date is dropped. */
function withClocks(reader: Reader, found: (Expression | ClockFound)[]): Expression[] {
  const dates: Expression[] = [];
  for (let place = 0; place < found.length; place++) {
    const item = found[place];
    const next = found[place + 1];
    if (isClock(item)) {
      if (next === undefined || isClock(next) || !joins(reader, item, next)) continue;
      dates.push(timed(reader, next, item));
      place++;
    } else if (item !== undefined && isClock(next) && joins(reader, item, next)) {
      dates.push(timed(reader, item, next));
      place++;
    } else if (item !== undefined) dates.push(item);
  }
  return dates;
}

function joins(reader: Reader, first: { to: number }, second: { from: number }): boolean {
  if (second.from - first.to > MAX_CLOCK_GAP) return false;
  for (let place = first.to; place < second.from; ) {
    const link = reader.sense(place, "at", "on", "article", "ahead", "am", "pm");
    if (link === undefined && !reader.isMark(place, ",", "-", "–", "(", "'")) return false;
    place += link?.length ?? 1;
  }
  return true;
}

function timed(reader: Reader, date: Expression, { from, to, clock }: ClockFound): Expression {
  if (date.shape === "recurring") return date;
  const isDay = date.shape === "day" || date.shape === "weekday" || date.shape === "dayOfMonth" || date.unit === "day";
  if (!isDay || date.clock !== undefined) return date;
  const part = clock.half === undefined ? partOfDay(reader, date) : undefined;
  if (!clock.exact && part === undefined) return date;
  // "At 2 last night" may be either day.
  if (part?.isNight && clock.hour < FIRST_EVENING_HOUR) return clock.exact ? { ...date, clock } : date;
  const until = clock.until && (clock.until.half === undefined ? inPart(clock.until, part?.half) : clock.until);
  const exact = { ...inPart(clock, part?.half), until };
  return { ...date, from: Math.min(from, date.from), to: Math.max(to, date.to, part?.to ?? 0), clock: exact };
}

/** Earlier hours belong to the morning or the afternoon, even if the text calls them night. */
const FIRST_EVENING_HOUR = 6;
const NIGHT = /night|nacht|nuit|noche|noite|notte|夜|晚/;

/** "this morning", "tonight", "tomorrow morning" */
function partOfDay(reader: Reader, { from, to }: Expression) {
  const behind = reader.sense(to, "am", "pm");
  const sense = reader.sense(from, "am", "pm") ?? reader.senseBefore(to, "am", "pm") ?? behind;
  if (sense === undefined) return undefined;
  const end = sense === behind ? to + sense.length : to;
  const words = reader.tokens.slice(from, end).map(({ lower }) => lower);
  const half: Clock["half"] = sense.kind === "am" ? "am" : "pm";
  return { half, isNight: words.some((word) => NIGHT.test(word)), to: end };
}

/** Two dates become a range if the words between and before them say so. */
function withRanges(reader: Reader, dates: Expression[]): Expression[] {
  const ranges: Expression[] = [];
  for (let place = 0; place < dates.length; place++) {
    const first = dates[place];
    const second = dates[place + 1];
    if (first === undefined) continue;
    if (second === undefined || !isRange(reader, first, second)) ranges.push(first);
    else {
      ranges.push({ ...first, end: second });
      place++;
    }
  }
  return ranges;
}

/** "every Tuesday and Thursday": a weekday listed after a recurring one also recurs. */
function withHabits(reader: Reader, dates: Expression[]): Expression[] {
  const habits: Expression[] = [];
  for (const date of dates) {
    const before = habits.at(-1);
    const link = before && reader.sense(before.to, "and");
    const isListed = before !== undefined && (link !== undefined || reader.isMark(before.to, ","));
    const follows = isListed && before.to + (link?.length ?? 1) === date.from;
    const isPlainWeekday = date.shape === "weekday" && date.relative === undefined;
    const recurs = follows && before.shape === "recurring" && before.weekday !== undefined && isPlainWeekday;
    habits.push(recurs ? { ...date, shape: "recurring", amount: before.amount } : date);
  }
  return habits;
}

const RANGE_SHAPES = new Set<Expression["shape"]>(["day", "month", "year", "weekday", "dayOfMonth", "period"]);

function isRange(reader: Reader, first: Expression, second: Expression): boolean {
  if (!RANGE_SHAPES.has(first.shape) || !RANGE_SHAPES.has(second.shape) || first.end || second.end) return false;
  const isBetween = reader.senseBefore(first.from, "between") !== undefined;
  const link = reader.sense(first.to, "to", ...(isBetween ? (["and"] as const) : []));
  const isDash = reader.isMark(first.to, "-", "–", "—");
  if (link === undefined && !isDash) return false;
  const start = reader.skip(first.to + (link?.length ?? 1), "article", "on");
  return start >= second.from && first.to + (link?.length ?? 1) <= second.from;
}
