import { isDay } from "./calendar.ts";
import { hasPreposition, isCalendarName, isListed, isWeekday, isYear } from "./evidence.ts";
import type { Expression, Reader } from "./expression.ts";
import type { Sense } from "./lexicon.ts";
import { readRun } from "./runs.ts";

type Rule = (reader: Reader, place: number, context: RuleContext) => Expression | undefined;

export interface RuleContext {
  dayFirst: boolean;
  /** Where the date before this place ends in its line, 0 for one of a line before; undefined where there is none. */
  previousEnd: number | undefined;
}

/** The date that begins at a place: the longest that any rule finds. */
export function readDate(reader: Reader, place: number, context: RuleContext): Expression | undefined {
  const token = reader.tokens[place];
  if (token === undefined) return undefined;
  const isNumeric = token.kind !== "word" && token.kind !== "mark";
  const isQuarter = token.lower.length === 2 && token.lower.startsWith("q");
  if (!isNumeric && !isQuarter && !reader.hasSenses(place)) return undefined;
  let best: Expression | undefined;
  for (const rule of RULES) {
    const found = rule(reader, place, context);
    if (found !== undefined && found.to > (best?.to ?? 0)) best = found;
  }
  return best;
}

/** "3", "3rd", "1er", "3." */
function ordinalAt(reader: Reader, place: number): { value: number; to: number; marked: boolean } | undefined {
  const value = reader.number(place, 31);
  if (value === undefined || value === 0) return undefined;
  const next = place + 1;
  if (reader.isAttached(next) && /^(?:st|nd|rd|th|er|e|º|ª|°|de|ste)$/.test(reader.tokens[next]?.lower ?? "")) {
    return { value, to: next + 1, marked: true };
  }
  const isDotted = reader.isMark(next, ".", "º") && reader.isAttached(next) && !reader.isAttached(next + 1);
  return isDotted ? { value, to: next + 1, marked: true } : { value, to: next, marked: false };
}

/** "2026" or ", 2026" or "de 2026" behind a month. */
function yearBehind(reader: Reader, place: number): { year: number | undefined; to: number } {
  const dot = reader.isMark(place, ".") && reader.isAttached(place) ? place + 1 : place;
  const start = reader.skip(reader.isMark(dot, ",") ? dot + 1 : dot, "article");
  const year = reader.year(start);
  return year === undefined ? { year, to: place } : { year, to: start + 1 };
}

/** A month behind a day: beside a number its name is enough, in English with a capital where it is also a verb. */
function monthBehind(reader: Reader, place: number): Sense | undefined {
  const start = reader.skip(place, "article");
  const month = reader.sense(start, "month");
  if (month === undefined) return undefined;
  const isVerb = reader.lexicon.ambiguous.has(reader.tokens[start]?.lower ?? "") && reader.lexicon.table.twelveHours;
  return isVerb && !reader.isCapital(start) ? undefined : { ...month, length: start + month.length - place };
}

/** Names of a range of days: "3-5", "3 to 5", "3. bis 5." */
function daysAt(reader: Reader, place: number): { first: number; last: number | undefined; to: number } | undefined {
  const token = reader.tokens[place];
  const run = token?.kind === "run" && !token.bound ? /^(\d{1,2})[-–](\d{1,2})$/.exec(token.text) : null;
  if (run !== null) {
    const dot = reader.isMark(place + 1, ".") && reader.isAttached(place + 1) ? 1 : 0;
    return { first: Number(run[1]), last: Number(run[2]), to: place + 1 + dot };
  }
  const first = ordinalAt(reader, place);
  if (first === undefined) return undefined;
  const link = reader.sense(first.to, "to", "and");
  const isDash = reader.isMark(first.to, "-", "–");
  const start = reader.skip(first.to + (link?.length ?? (isDash ? 1 : 0)), "article");
  const last = link === undefined && !isDash ? undefined : ordinalAt(reader, start);
  return { first: first.value, last: last?.value, to: last?.to ?? first.to };
}

const dayAndMonth: Rule = (reader, place) => {
  const days = daysAt(reader, place);
  const month = days && monthBehind(reader, days.to);
  if (days === undefined || month === undefined) return undefined;
  const { year, to } = yearBehind(reader, days.to + month.length);
  return dayRange({ from: place, to, shape: "day", year, month: month.value, day: days.first }, days.last);
};

const monthAndDay: Rule = (reader, place) => {
  const month = reader.sense(place, "month");
  if (
    month === undefined ||
    (!reader.isCapital(place) && reader.lexicon.ambiguous.has(reader.tokens[place]?.lower ?? ""))
  )
    return undefined;
  const dot = reader.isMark(place + month.length, ".") && reader.isAttached(place + month.length) ? 1 : 0;
  const days = daysAt(reader, reader.skip(place + month.length + dot, "article"));
  if (days === undefined || reader.sense(days.to, "unit", "oclock") !== undefined) return undefined;
  const { year, to } = yearBehind(reader, days.to);
  return dayRange({ from: place, to, shape: "day", year, month: month.value, day: days.first }, days.last);
};

const LEAP_YEAR = 2024;

function dayRange(first: Expression, last: number | undefined): Expression | undefined {
  const { year = LEAP_YEAR, month = 0, day = 0 } = first;
  if (!isDay({ year, month, day })) return undefined;
  if (last === undefined) return first;
  return isDay({ year, month, day: last }) && last > day ? { ...first, end: { ...first, day: last } } : undefined;
}

const monthAndYear: Rule = (reader, place, { previousEnd }) => {
  const month = reader.sense(place, "month");
  if (month === undefined || isBehindDay(reader, place)) return undefined;
  const { year, to } = yearBehind(reader, place + month.length);
  if (year !== undefined) return { from: place, to, shape: "month", year, month: month.value };
  const relative = reader.sense(place + month.length, "relative");
  const behind = place + month.length + (relative?.length ?? 0);
  const unit = relative && reader.sense(behind, "unit");
  if (relative !== undefined && unit?.unit === "year") {
    const end = behind + unit.length;
    return { from: place, to: end, shape: "month", month: month.value, yearsAway: relative.value };
  }
  if (relative !== undefined && !isPrefixed(reader)) {
    return { from: place, to: behind, shape: "month", month: month.value, relative: relative.value };
  }
  if (!isCalendarName(reader, place, month) && !isListed(reader, place, month, previousEnd)) return undefined;
  return { from: place, to: place + month.length, shape: "month", month: month.value };
};

/** A day that the month does not have: "29 February 2025" is no date at all. */
function isBehindDay(reader: Reader, place: number): boolean {
  const start = reader.skipBack(place, "article");
  return reader.number(reader.isMark(start - 1, ".") ? start - 2 : start - 1, 99) !== undefined;
}

/** "2019年5月3日", "5月", "三月份" */
const markedByCharacters: Rule = (reader, place) => {
  let at = place;
  const found: Expression = { from: place, to: place, shape: "day" };
  const year = reader.year(at);
  if (year !== undefined && reader.sense(at + 1, "yearMark")) {
    Object.assign(found, { year, shape: "year" });
    at += 2;
  }
  const month = smallNumber(reader, at);
  const monthMark = month && reader.sense(at + month.length, "monthMark");
  if (month !== undefined && monthMark !== undefined && month.value <= 12) {
    Object.assign(found, { month: month.value, shape: "month" });
    at += month.length + monthMark.length;
    const day = smallNumber(reader, at);
    const dayMark = day && reader.sense(at + day.length, "dayMark");
    if (day !== undefined && dayMark !== undefined) {
      Object.assign(found, { day: day.value, shape: "day" });
      at += day.length + dayMark.length;
      if (!isDay({ year: found.year ?? LEAP_YEAR, month: month.value, day: day.value })) return undefined;
    }
  }
  return at === place ? undefined : { ...found, to: at };
};

function smallNumber(reader: Reader, place: number): { value: number; length: number } | undefined {
  const digits = reader.number(place, 31);
  if (digits !== undefined) return { value: digits, length: 1 };
  return reader.sense(place, "number");
}

const inFigures: Rule = (reader, place, { dayFirst }) => readRun(reader, place, dayFirst);

const yearAlone: Rule = (reader, place, { previousEnd }) => {
  const year = reader.year(place);
  if (year === undefined) return undefined;
  const isDecade = reader.isAttached(place + 1) && reader.tokens[place + 1]?.lower === "s";
  if (isDecade) return { from: place, to: place + 2, shape: "decade", year: year - (year % 10) };
  const isDate = isYear(reader, place, year) || isListed(reader, place, { length: 1 }, previousEnd);
  return isDate ? { from: place, to: place + 1, shape: "year", year } : undefined;
};

const WEEKDAY_GAP = ["article", "on"] as const;

/** "Thursday 26 November", "Fri, 20 Nov 2026", "last Friday", "vendredi prochain", "Friday". */
const weekdayFirst: Rule = (reader, place, context) => {
  const weekday = reader.sense(place, "weekday");
  if (weekday === undefined) return undefined;
  let end = place + weekday.length;
  if (
    reader.isMark(end, ".") &&
    reader.isAttached(end) &&
    reader.lexicon.ambiguous.has(reader.tokens[place]?.lower ?? "")
  )
    end++;
  const next = reader.skip(reader.isMark(end, ",") ? end + 1 : end, ...WEEKDAY_GAP);
  const day =
    dayAndMonth(reader, next, context) ?? monthAndDay(reader, next, context) ?? inFigures(reader, next, context);
  if (day?.shape === "day") return { ...day, from: place, weekday: weekday.value };
  const found: Expression = { from: place, to: end, shape: "weekday", weekday: weekday.value };
  const relative = reader.sense(end, "relative");
  if (relative !== undefined && !isPrefixed(reader)) {
    return { ...found, to: end + relative.length, relative: ofFollowing(reader, relative.value) };
  }
  return isWeekday(reader, place, weekday, context.previousEnd) ? found : undefined;
};

/** Where "next" does not mean the next week, "vendredi prochain" is the one to come. */
function ofFollowing(reader: Reader, relative: number): number {
  return relative === 1 && !reader.lexicon.table.nextIsOfNextWeek ? Number.NaN : relative;
}

/** "last week", "next Friday", "this March", "来週の金曜日". */
const relativeFirst: Rule = (reader, place) => {
  const first = reader.sense(place, "relative");
  if (first === undefined) return undefined;
  const second = reader.sense(place + first.length, "relative");
  const start = place + first.length + (second?.length ?? 0);
  return ofRelative(reader, place, start, (second ?? first).value);
};

function ofRelative(reader: Reader, place: number, start: number, relative: number): Expression | undefined {
  const { sense } = { sense: reader.sense(start, "weekday", "month", "season", "holiday", "unit") };
  if (sense === undefined) return undefined;
  const to = start + sense.length;
  switch (sense.kind) {
    case "weekday": {
      const unit = reader.lexicon.table.relativeWeekdays ? ("week" as const) : undefined;
      return { from: place, to, shape: "weekday", weekday: sense.value, relative: ofFollowing(reader, relative), unit };
    }
    case "month": {
      if (reader.number(to, 31) !== undefined || reader.year(to) !== undefined) return undefined;
      return { from: place, to, shape: "month", month: sense.value, relative };
    }
    case "season":
      return { from: place, to, shape: "season", season: sense.value, relative };
    case "holiday":
      return { from: place, to, shape: "day", month: Math.floor(sense.value / 100), day: sense.value % 100, relative };
    default:
      return withinPeriod(reader, { from: place, to, shape: "period", unit: sense.unit, relative });
  }
}

/** "去年の夏", "今年5月3日", "来週の金曜日": what a year or a week is followed by. */
function withinPeriod(reader: Reader, period: Expression): Expression | undefined {
  if (period.unit === "minute" || period.unit === "hour") return undefined;
  if (period.unit === "week") {
    const start = reader.skip(period.to, "article", "on");
    const weekday = reader.sense(start, "weekday");
    return weekday === undefined || reader.lexicon.ambiguous.has(reader.tokens[start]?.lower ?? "")
      ? period
      : { ...period, to: start + weekday.length, shape: "weekday", weekday: weekday.value };
  }
  if (period.unit !== "year") return period;
  const start = reader.skip(period.to, "article");
  const season = reader.sense(start, "season");
  if (season !== undefined && reader.lexicon.table.yearMark !== undefined) {
    return {
      from: period.from,
      to: start + season.length,
      shape: "season",
      season: season.value,
      yearsAway: period.relative,
    };
  }
  const inside = markedByCharacters(reader, start, { dayFirst: true, previousEnd: undefined });
  const hasMark = reader.lexicon.table.yearMark !== undefined && inside?.year === undefined;
  return inside !== undefined && hasMark ? { ...inside, from: period.from, yearsAway: period.relative } : period;
}

/** Whether "last" and "next" go before their noun only. */
function isPrefixed({ lexicon: { table } }: Reader): boolean {
  return table.twelveHours === true || table.yearMark !== undefined;
}

/** "la semaine dernière", "el mes que viene", "l'été dernier". */
const unitAndRelative: Rule = (reader, place) => {
  const noun = reader.sense(place, "unit", "season");
  const relative = noun && reader.sense(place + noun.length, "relative");
  if (noun === undefined || relative === undefined || isPrefixed(reader)) return undefined;
  const isCounted = reader.number(place - 1) !== undefined || reader.senseBefore(place, "number", "few") !== undefined;
  if (isCounted && relative.value !== -1) return undefined;
  if (reader.number(place - 1) !== undefined) return undefined;
  const found = { from: place, to: place + noun.length + relative.length, relative: relative.value };
  if (noun.kind === "season") return { ...found, shape: "season", season: noun.value };
  return withinPeriod(reader, { ...found, shape: "period", unit: noun.unit });
};

/** "yesterday", "tomorrow morning", "去年の夏". */
const namedPeriod: Rule = (reader, place) => {
  const period = reader.sense(place, "period");
  if (period === undefined) return undefined;
  const found: Expression = {
    from: place,
    to: place + period.length,
    shape: "period",
    unit: period.unit,
    relative: period.value,
  };
  return withinPeriod(reader, found);
};

interface Amount {
  value: number;
  to: number;
  approximate: boolean;
}

function amountAt(reader: Reader, place: number): Amount | undefined {
  const modifier = reader.sense(place, "approximate");
  const few = reader.sense(place, "few");
  if (few !== undefined) return { value: few.value, to: place + few.length, approximate: true };
  const start = place + (modifier?.length ?? 0);
  const isExactly = reader.tokens[start]?.lower === "exactly" ? 1 : 0;
  const digits = reader.number(start + isExactly, 9999);
  if (digits !== undefined) return { value: digits, to: start + isExactly + 1, approximate: modifier !== undefined };
  const word = reader.sense(start + isExactly, "number");
  return word && { value: word.value, to: start + isExactly + word.length, approximate: modifier !== undefined };
}

/** "two weeks ago", "a week later", "3日前"; "vor zwei Wochen", "in two weeks". */
const shifted: Rule = (reader, place, context) => {
  const lead = reader.sense(place, "agoBefore", "ahead");
  const amount = amountAt(reader, place + (lead?.length ?? 0));
  const unit = amount && reader.sense(amount.to, "unit");
  if (amount === undefined || unit === undefined) return undefined;
  const end = amount.to + unit.length;
  const found = {
    from: place,
    shape: "shift" as const,
    unit: unit.unit,
    ...(amount.approximate || isApproximate(reader, place) ? { approximate: true } : {}),
  };
  const trail = reader.sense(end, "ago", "fromNow", "later");
  if (trail !== undefined) {
    const sign = trail.kind === "ago" ? -1 : 1;
    const fromContext = trail.kind === "later";
    if (fromContext && context.previousEnd === undefined) return undefined;
    return { ...found, to: end + trail.length, amount: sign * amount.value, ...(fromContext && { fromContext }) };
  }
  const both = reader.sense(place, "agoBefore");
  if (lead === undefined) return undefined;
  if (both !== undefined) return { ...found, to: end, amount: -amount.value };
  return { ...found, to: end, amount: amount.value, onlyAhead: true };
};

function isApproximate(reader: Reader, place: number): boolean {
  return reader.senseBefore(place, "approximate") !== undefined;
}

const lasting: Rule = (reader, place) => {
  const lead = reader.sense(place, "lasting");
  const amount = lead && amountAt(reader, place + lead.length);
  const unit = amount && !amount.approximate && reader.sense(amount.to, "unit");
  if (!amount || !unit || unit.unit === "weekend") return undefined;
  const to = amount.to + unit.length;
  if (reader.sense(to, "ago", "fromNow") !== undefined) return undefined;
  return { from: place, to, shape: "duration", amount: amount.value, unit: unit.unit };
};

/** "two weekends ago" is counted in weekends; "the next day" from the date before. */
const dayAfter: Rule = (reader, place, { previousEnd }) => {
  const sense = previousEnd === undefined ? undefined : reader.sense(place, "nextDay");
  if (sense === undefined) return undefined;
  return { from: place, to: place + sense.length, shape: "shift", unit: "day", amount: 1, fromContext: true };
};

const recurring: Rule = (reader, place) => {
  const habit = reader.sense(place, "habit");
  if (habit !== undefined && !isDated(reader, place + habit.length)) {
    return { from: place, to: place + habit.length, shape: "recurring", weekday: habit.value };
  }
  const every = reader.sense(place, "every", "everyOther");
  if (every === undefined) return undefined;
  const start = place + every.length;
  const digits = reader.number(start, 99);
  const amount = every.kind === "everyOther" ? 2 : digits;
  const noun = reader.sense(start + (digits === undefined ? 0 : 1), "weekday", "habit", "unit", "month");
  if (noun === undefined) return undefined;
  const to = start + (digits === undefined ? 0 : 1) + noun.length;
  const found = { from: place, to, shape: "recurring" as const, amount: amount ?? 1 };
  if (noun.kind === "unit") {
    const weekday = noun.unit === "week" ? reader.sense(to, "weekday") : undefined;
    if (weekday !== undefined) return { ...found, to: to + weekday.length, weekday: weekday.value };
    return noun.unit === "weekend" ? { ...found, weekday: 5 } : { ...found, unit: noun.unit };
  }
  return noun.kind === "month" ? { ...found, month: noun.value } : { ...found, weekday: noun.value };
};

/** "le lundi 3 mai" is one Monday. */
function isDated(reader: Reader, place: number): boolean {
  return (
    reader.number(place, 31) !== undefined ||
    reader.sense(place, "relative") !== undefined ||
    reader.tokens[place]?.kind === "run"
  );
}

const season: Rule = (reader, place) => {
  const sense = reader.sense(place, "season");
  if (sense === undefined) return undefined;
  const { year, to } = yearBehind(reader, place + sense.length);
  return year === undefined ? undefined : { from: place, to, shape: "season", season: sense.value, year };
};

const holiday: Rule = (reader, place) => {
  const sense = reader.sense(place, "holiday");
  if (sense === undefined) return undefined;
  const { year, to } = yearBehind(reader, place + sense.length);
  return { from: place, to, shape: "day", month: Math.floor(sense.value / 100), day: sense.value % 100, year };
};

const quarter: Rule = (reader, place) => {
  const number = /^q([1-4])$/.exec(reader.tokens[place]?.lower ?? "");
  if (number === null) return undefined;
  const { year, to } = yearBehind(reader, place + 1);
  if (year === undefined && !hasPreposition(reader, place)) return undefined;
  return { from: place, to, shape: "quarter", month: (Number(number[1]) - 1) * 3 + 1, year };
};

/** "on the 5th", followed by nothing that it counts. */
const dayOfMonth: Rule = (reader, place) => {
  const ordinal = ordinalAt(reader, place);
  if (ordinal === undefined || !ordinal.marked || reader.isMark(place + 1, ".")) return undefined;
  const article = reader.senseBefore(place, "article");
  if (article === undefined || !hasPreposition(reader, place - article.length)) return undefined;
  const next = reader.tokens[ordinal.to];
  if (next?.kind === "word" && reader.sense(ordinal.to, "at", "on", "and", "to", "until") === undefined)
    return undefined;
  return { from: place, to: ordinal.to, shape: "dayOfMonth", day: ordinal.value };
};

const RULES: Rule[] = [
  inFigures,
  dayAndMonth,
  monthAndDay,
  monthAndYear,
  markedByCharacters,
  yearAlone,
  weekdayFirst,
  relativeFirst,
  unitAndRelative,
  namedPeriod,
  shifted,
  lasting,
  dayAfter,
  recurring,
  season,
  holiday,
  quarter,
  dayOfMonth,
];
