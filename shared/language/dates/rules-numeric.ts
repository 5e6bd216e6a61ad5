import { isDay, LEAP_YEAR } from "./calendar.ts";
import { isListed, isYear } from "./evidence.ts";
import type { Expression, Reader, Rule } from "./expression.ts";
import { readRun } from "./runs.ts";

const MAX_ERA_YEARS = 64;

/** "2019年5月3日", "5月", "三月份" */
export const markedByCharacters: Rule = (reader, index) => {
  let end = index;
  const found: Expression = { from: index, to: index, shape: "day" };
  const era = reader.sense(end, "era");
  const numberAt = end + (era?.length ?? 0);
  const ofEra = era && reader.number(numberAt, MAX_ERA_YEARS);
  const year = era === undefined ? reader.year(end) : ofEra && era.value + ofEra;
  if (year !== undefined && reader.sense(numberAt + 1, "yearMark")) {
    Object.assign(found, { year, shape: "year" });
    end = numberAt + 2;
  }
  const month = smallNumber(reader, end);
  const monthMark = month && reader.sense(end + month.length, "monthMark");
  if (month !== undefined && monthMark !== undefined && month.value <= 12) {
    Object.assign(found, { month: month.value, shape: "month" });
    end += month.length + monthMark.length;
    const day = smallNumber(reader, end);
    const dayMark = day && reader.sense(end + day.length, "dayMark");
    if (day !== undefined && dayMark !== undefined) {
      Object.assign(found, { day: day.value, shape: "day" });
      end += day.length + dayMark.length;
      if (!isDay({ year: found.year ?? LEAP_YEAR, month: month.value, day: day.value })) return undefined;
    }
  }
  return end === index ? undefined : withLastDay(reader, { ...found, to: end });
};

/** "12月3日から6日": the month is stated once. */
function withLastDay(reader: Reader, first: Expression): Expression {
  const link = first.shape === "day" ? reader.sense(first.to, "to") : undefined;
  const start = first.to + (link?.length ?? 0);
  const day = link && smallNumber(reader, start);
  const mark = day && reader.sense(start + day.length, "dayMark");
  if (day === undefined || mark === undefined) return first;
  const { year = LEAP_YEAR, month = 0 } = first;
  if (!isDay({ year, month, day: day.value }) || day.value <= (first.day ?? 0)) return first;
  return { ...first, to: start + day.length + mark.length, end: { ...first, day: day.value } };
}

function smallNumber(reader: Reader, index: number): { value: number; length: number } | undefined {
  const digits = reader.number(index, 31);
  if (digits !== undefined) return { value: digits, length: 1 };
  return reader.sense(index, "number");
}

export const numericDates: Rule = (reader, index, { dayFirst }) => readRun(reader, index, dayFirst);

const yearAlone: Rule = (reader, index, { previousEnd }) => {
  const year = reader.year(index);
  if (year === undefined) return undefined;
  const isDecade = reader.isAttached(index + 1) && reader.tokens[index + 1]?.lower === "s";
  if (isDecade) return { from: index, to: index + 2, shape: "decade", year: year - (year % 10) };
  const isDate = isYear(reader, index, year) || isListed(reader, index, { length: 1 }, previousEnd);
  return isDate ? { from: index, to: index + 1, shape: "year", year } : undefined;
};

export const NUMERIC_RULES = [numericDates, markedByCharacters, yearAlone];
