import {
  addDays,
  addMonths,
  DAYS_PER_WEEK,
  type Day,
  daysUntil,
  isDay,
  mondayOf,
  numberOf,
  weekdayOf,
} from "./calendar.ts";
import type { Expression } from "./expression.ts";
import type { DateAnnotation } from "./schema.ts";

type Precision = DateAnnotation["precision"];

/** The days of a date; both ends are inclusive. */
export interface Period {
  precision: Precision;
  first: Day;
  last: Day;
}

/** How to choose between several possible dates. */
export type Preference = "past" | "future" | "nearest";

export interface Setting {
  today: Day;
  preference: Preference;
  /** The previous date in the text. */
  context: Day | undefined;
}

const MONTHS_PER_YEAR = 12;
const MONTHS_PER_QUARTER = 3;
const YEARS_PER_DECADE = 10;
const SATURDAY = 5;

const MAX_YEAR = 9999;

/** Returns the days of an expression, or undefined if there is no such day or its year is not from 1 to 9999. */
export function resolve(expression: Expression, setting: Setting): Period | undefined {
  const period = periodOf(expression, setting);
  return period !== undefined && period.first.year > 0 && period.last.year <= MAX_YEAR ? period : undefined;
}

function periodOf(expression: Expression, setting: Setting): Period | undefined {
  switch (expression.shape) {
    case "day":
      return dayPeriod(expression, setting);
    case "month":
      return yearly(expression, setting, (year) => monthsPeriod("month", year, expression.month ?? 1, 1));
    case "season":
      // Spring starts in March. Winter belongs to the year in which it starts.
      return yearly(expression, setting, (year) =>
        monthsPeriod("season", year, ((expression.season ?? 0) + 1) * MONTHS_PER_QUARTER, MONTHS_PER_QUARTER),
      );
    case "quarter":
      return yearly(expression, setting, (year) =>
        monthsPeriod("range", year, expression.month ?? 1, MONTHS_PER_QUARTER),
      );
    case "year":
      return monthsPeriod("year", expression.year ?? 0, 1, MONTHS_PER_YEAR);
    case "decade":
      return monthsPeriod("range", expression.year ?? 0, 1, YEARS_PER_DECADE * MONTHS_PER_YEAR);
    case "weekday":
      return onWeekday(expression, setting);
    case "partOfMonth":
      return yearly(expression, setting, (year) => partOfMonth(year, expression));
    case "dayOfMonth":
      return onDayOfMonth(expression.day ?? 1, setting);
    case "period":
      return aroundToday(expression, setting);
    case "shift":
      return shifted(expression, setting);
    case "span":
      return untilOrFromToday(expression, setting);
    default:
      return undefined;
  }
}

function single(day: Day): Period {
  return { precision: "day", first: day, last: day };
}

function monthsPeriod(precision: Precision, year: number, month: number, months: number): Period {
  const first = { year, month, day: 1 };
  return { precision, first, last: addDays(addMonths(first, months), -1) };
}

function dayPeriod(expression: Expression, setting: Setting): Period | undefined {
  const { month = 1, day = 1, weekday } = expression;
  const ofYear = (year: number) => (isDay({ year, month, day }) ? single({ year, month, day }) : undefined);
  if (expression.year === undefined && weekday !== undefined) {
    const fitting = yearsAround(setting.today.year, 3)
      .map(ofYear)
      .filter((period) => period !== undefined && weekdayOf(period.first) === weekday);
    const chosen = choose(fitting, { ...setting, preference: "nearest" });
    if (chosen !== undefined) return chosen;
  }
  return yearly(expression, setting, ofYear);
}

function yearsAround(year: number, distance: number): number[] {
  return Array.from({ length: 2 * distance + 1 }, (_, index) => year - distance + index);
}

type PeriodOfYear = (year: number) => Period | undefined;

/** Returns an annual date in the given year, or in the year that fits. */
function yearly({ year, yearsAway, relative }: Expression, setting: Setting, ofYear: PeriodOfYear) {
  const { today } = setting;
  if (year !== undefined || yearsAway !== undefined) return ofYear(year ?? today.year + (yearsAway ?? 0));
  const candidates = yearsAround(today.year, MAX_LEAP_GAP).map(ofYear);
  if (relative === undefined) return choose(candidates, setting);
  const now = numberOf(today);
  if (relative < 0) return candidates.filter((period) => period && numberOf(period.last) < now).at(relative);
  if (relative === 0)
    return choose(candidates, { ...setting, preference: setting.preference === "past" ? "past" : "future" });
  return candidates.find((period) => period && numberOf(period.first) > now);
}

/** The 29th of February recurs within this many years. */
const MAX_LEAP_GAP = 8;

function choose(candidates: (Period | undefined)[], { today, preference }: Setting): Period | undefined {
  const now = numberOf(today);
  const valid = candidates.filter((period) => period !== undefined);
  if (preference === "past") return valid.findLast(({ first }) => numberOf(first) <= now);
  if (preference === "future") return valid.find(({ last }) => numberOf(last) >= now);
  const distance = ({ first, last }: Period) => Math.max(0, numberOf(first) - now, now - numberOf(last));
  return valid.toSorted((one, other) => distance(one) - distance(other))[0];
}

function onWeekday({ weekday = 0, relative, unit, amount = 1 }: Expression, setting: Setting): Period | undefined {
  const { today, preference } = setting;
  const ofWeek = (weeks: number) => addDays(mondayOf(today), weeks * DAYS_PER_WEEK + weekday);
  const ahead = daysUntil(weekday, today);
  const upcoming = single(addDays(today, ahead));
  const latest = single(addDays(today, ahead === DAYS_PER_WEEK ? -DAYS_PER_WEEK : ahead - DAYS_PER_WEEK));
  if (unit === "week" && relative !== undefined) return single(ofWeek(relative));
  if (relative !== undefined && relative < 0) {
    return single(addDays(latest.first, (2 + relative - amount) * DAYS_PER_WEEK));
  }
  if (relative === 1) return single(ofWeek(1));
  if (relative === 0 && preference === "past") return latest;
  return preference === "past" && relative === undefined ? latest : upcoming;
}

/** Returns the week (from the first of the month) or weekday of a month that an ordinal names; -1 is the last one. */
function partOfMonth(year: number, { month = 1, amount = 1, weekday, unit }: Expression): Period | undefined {
  const { first, last } = monthsPeriod("month", year, month, 1);
  const ahead = weekday === undefined ? 0 : daysUntil(weekday, addDays(first, -1)) - 1;
  const back = weekday === undefined ? DAYS_PER_WEEK - 1 : DAYS_PER_WEEK - daysUntil(weekday, last);
  const start = amount < 0 ? addDays(last, -back) : addDays(first, ahead + (amount - 1) * DAYS_PER_WEEK);
  return unit === "week" ? week(start) : single(start);
}

function onDayOfMonth(day: number, setting: Setting): Period | undefined {
  const { today } = setting;
  const months = [-2, -1, 0, 1, 2].map((months) => {
    const { year, month } = addMonths({ ...today, day: 1 }, months);
    return isDay({ year, month, day }) ? single({ year, month, day }) : undefined;
  });
  return choose(months, setting);
}

function aroundToday({ unit, relative = 0 }: Expression, setting: Setting): Period | undefined {
  const amount = Number.isNaN(relative) ? Number(unit !== "weekend") : relative;
  if (unit === "week") return week(addDays(mondayOf(setting.today), amount * DAYS_PER_WEEK));
  return shifted({ unit, amount }, setting);
}

function week(monday: Day): Period {
  return { precision: "week", first: monday, last: addDays(monday, DAYS_PER_WEEK - 1) };
}

/** Returns the days from a past date until today, or from today until a future date. */
function untilOrFromToday(expression: Expression, setting: Setting): Period | undefined {
  const other = shifted({ ...expression, unit: expression.unit === "weekend" ? "week" : expression.unit }, setting);
  if (other === undefined) return undefined;
  const isPast = numberOf(other.first) < numberOf(setting.today);
  return isPast ? { ...other, last: setting.today } : { ...other, first: setting.today };
}

function shifted(
  { unit, amount = 0, fromContext }: Pick<Expression, "unit" | "amount" | "fromContext">,
  { today, context }: Setting,
): Period | undefined {
  const base = fromContext ? context : today;
  if (base === undefined) return undefined;
  switch (unit) {
    case "day":
      return single(addDays(base, amount));
    case "week": {
      const day = addDays(base, amount * DAYS_PER_WEEK);
      return { precision: "week", first: day, last: day };
    }
    case "weekend": {
      const first = addDays(mondayOf(base), amount * DAYS_PER_WEEK + SATURDAY);
      return { precision: "day", first, last: addDays(first, 1) };
    }
    case "month": {
      const { year, month } = addMonths(base, amount);
      return monthsPeriod("month", year, month, 1);
    }
    case "year":
      return monthsPeriod("year", base.year + amount, 1, MONTHS_PER_YEAR);
    default:
      return undefined;
  }
}
