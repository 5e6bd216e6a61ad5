import { isWeekday } from "./evidence.ts";
import type { Expression, Reader, Rule } from "./expression.ts";
import { dayAndMonth, isPrefixed, monthAndDay, ofFollowing } from "./rules-by-name.ts";
import { markedByCharacters, numericDates } from "./rules-numeric.ts";

const WEEKDAY_GAP = ["article", "on"] as const;

/** "Thursday 26 November", "Fri, 20 Nov 2026", "last Friday", "vendredi prochain", "Friday". */
const weekdayFirst: Rule = (reader, index, context) => {
  const weekday = reader.sense(index, "weekday");
  if (weekday === undefined) return undefined;
  let end = index + weekday.length;
  if (reader.isMark(end, ".") && reader.isAttached(end) && reader.isAmbiguous(index)) end++;
  const next = reader.skip(reader.isMark(end, ",") ? end + 1 : end, ...WEEKDAY_GAP);
  const day =
    dayAndMonth(reader, next, context) ?? monthAndDay(reader, next, context) ?? numericDates(reader, next, context);
  if (day?.shape === "day") return { ...day, from: index, weekday: weekday.value };
  const found: Expression = { from: index, to: end, shape: "weekday", weekday: weekday.value };
  const relative = reader.sense(end, "relative");
  if (relative !== undefined && !isPrefixed(reader)) {
    return { ...found, to: end + relative.length, relative: ofFollowing(reader, relative.value) };
  }
  return isWeekday(reader, index, weekday, context.previousEnd) ? found : undefined;
};

/** "last week", "next Friday", "this March", "来週の金曜日". */
const relativeFirst: Rule = (reader, index) => {
  const first = reader.sense(index, "relative");
  if (first === undefined) return undefined;
  const second = reader.sense(index + first.length, "relative");
  const start = index + first.length + (second?.length ?? 0);
  return ofRelative(reader, index, start, (second ?? first).value);
};

function ofRelative(reader: Reader, index: number, start: number, relative: number): Expression | undefined {
  const sense = reader.sense(start, "weekday", "month", "season", "holiday", "unit");
  if (sense === undefined) return undefined;
  const to = start + sense.length;
  switch (sense.kind) {
    case "weekday": {
      const unit = reader.lexicon.table.relativeWeekdays ? ("week" as const) : undefined;
      return { from: index, to, shape: "weekday", weekday: sense.value, relative: ofFollowing(reader, relative), unit };
    }
    case "month": {
      if (reader.number(to, 31) !== undefined || reader.year(to) !== undefined) return undefined;
      return { from: index, to, shape: "month", month: sense.value, relative };
    }
    case "season":
      return { from: index, to, shape: "season", season: sense.value, relative };
    case "holiday":
      return { from: index, to, shape: "day", month: Math.floor(sense.value / 100), day: sense.value % 100, relative };
    default:
      return withinPeriod(reader, { from: index, to, shape: "period", unit: sense.unit, relative });
  }
}

/** "去年の夏", "今年5月3日", "来週の金曜日": a date within a year or a week. */
function withinPeriod(reader: Reader, period: Expression): Expression | undefined {
  if (period.unit === "minute" || period.unit === "hour") return undefined;
  if (period.unit === "week") {
    const start = reader.skip(period.to, "article", "on");
    const weekday = reader.sense(start, "weekday");
    if (weekday === undefined || reader.isAmbiguous(start)) return period;
    return { ...period, to: start + weekday.length, shape: "weekday", weekday: weekday.value };
  }
  if (period.unit !== "year") return period;
  const { from, relative: yearsAway } = period;
  const start = reader.skip(period.to, "article");
  const season = reader.sense(start, "season");
  if (season !== undefined && reader.lexicon.table.yearMark !== undefined) {
    return { from, to: start + season.length, shape: "season", season: season.value, yearsAway };
  }
  const inside = markedByCharacters(reader, start, { dayFirst: true, previousEnd: undefined });
  const hasMark = reader.lexicon.table.yearMark !== undefined && inside?.year === undefined;
  return inside !== undefined && hasMark ? { ...inside, from, yearsAway } : period;
}

/** "la semaine dernière", "el mes que viene", "l'été dernier". */
const unitAndRelative: Rule = (reader, index) => {
  const noun = reader.sense(index, "unit", "season");
  const relative = noun && reader.sense(index + noun.length, "relative");
  if (noun === undefined || relative === undefined || isPrefixed(reader)) return undefined;
  if (reader.number(index - 1) !== undefined) return undefined;
  const found = { from: index, to: index + noun.length + relative.length, relative: relative.value };
  if (noun.kind === "season") return { ...found, shape: "season", season: noun.value };
  return withinPeriod(reader, { ...found, shape: "period", unit: noun.unit });
};

/** "yesterday", "tomorrow morning", "去年の夏". */
const namedPeriod: Rule = (reader, index) => {
  const period = reader.sense(index, "period");
  if (period === undefined) return undefined;
  const to = index + period.length;
  return withinPeriod(reader, { from: index, to, shape: "period", unit: period.unit, relative: period.value });
};

/** "the week before last", "the Saturday before last". */
const beforeLast: Rule = (reader, index) => {
  const noun = reader.sense(index, "unit", "weekday");
  const after = noun && reader.sense(index + noun.length, "beforeLast");
  if (noun === undefined || after === undefined) return undefined;
  const found = { from: index, to: index + noun.length + after.length, relative: -2 };
  if (noun.kind === "weekday") return { ...found, shape: "weekday", weekday: noun.value };
  if (noun.unit === "minute" || noun.unit === "hour") return undefined;
  return { ...found, shape: "period", unit: noun.unit };
};

export const RELATIVE_RULES = [weekdayFirst, relativeFirst, unitAndRelative, namedPeriod, beforeLast];
