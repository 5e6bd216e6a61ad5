import { type ClockFound, inHalf } from "./clock.ts";
import type { Expression, Reader } from "./expression.ts";

/** Tokens between a date and its time of day. */
const MAX_CLOCK_GAP = 3;

/** What one line names, with times, ranges and lists put together. */
export function combined(reader: Reader, found: (Expression | ClockFound)[]): Expression[] {
  return withHabits(reader, withRanges(reader, withClocks(reader, found)));
}

function isClock(found: Expression | ClockFound | undefined): found is ClockFound {
  return found !== undefined && !("shape" in found);
}

/** A time of day belongs to the date next to it: "14:30 yesterday", "tomorrow at 3 pm"; one without a date is none. */
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
  const part = clock.exact ? undefined : partOfDay(reader, date);
  if (!clock.exact && part === undefined) return date;
  const exact = part === undefined ? clock : { ...clock, ...inHalf(clock.hour, part), half: part, exact: true };
  return { ...date, from: Math.min(from, date.from), to: Math.max(to, date.to), clock: exact };
}

/** "this morning", "tonight" */
function partOfDay(reader: Reader, { from, to }: Expression): "am" | "pm" | undefined {
  const sense = reader.sense(from, "am", "pm") ?? reader.senseBefore(to, "am", "pm");
  return sense?.kind === "am" ? "am" : sense?.kind === "pm" ? "pm" : undefined;
}

/** Two dates become a range where the words between and before them say so. */
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

/** "every Tuesday and Thursday": a weekday in a list of recurring ones recurs. */
function withHabits(reader: Reader, dates: Expression[]): Expression[] {
  const habits: Expression[] = [];
  for (const date of dates) {
    const before = habits.at(-1);
    const link = before && reader.sense(before.to, "and");
    const isListed = before !== undefined && (link !== undefined || reader.isMark(before.to, ","));
    const follows = isListed && before.to + (link?.length ?? 1) === date.from;
    const recurs = follows && before.shape === "recurring" && before.weekday !== undefined && isPlainWeekday(date);
    habits.push(recurs ? { ...date, shape: "recurring", amount: before.amount } : date);
  }
  return habits;
}

function isPlainWeekday({ shape, relative }: Expression): boolean {
  return shape === "weekday" && relative === undefined;
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
