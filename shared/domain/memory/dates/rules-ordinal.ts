import type { Rule } from "./expression.ts";
import { yearBehind } from "./rules-by-name.ts";

const LAST = -1;

/** "the first week of November 2026", "el primer sábado de noviembre", "the last Friday in March". */
export const partOfMonth: Rule = (reader, place) => {
  const ordinal = reader.sense(place, "ordinal", "relative");
  if (ordinal === undefined || (ordinal.kind === "relative" && ordinal.value !== LAST)) return undefined;
  const noun = reader.sense(place + ordinal.length, "unit", "weekday");
  if (noun === undefined || (noun.kind === "unit" && noun.unit !== "week")) return undefined;
  const behind = place + ordinal.length + noun.length;
  const start = reader.skip(behind, "article", "on");
  const month = start === behind ? undefined : reader.sense(start, "month");
  if (month === undefined) return undefined;
  const { year, to } = yearBehind(reader, start + month.length);
  const unit = noun.kind === "unit" ? ("week" as const) : undefined;
  const weekday = noun.kind === "weekday" ? noun.value : undefined;
  return { from: place, to, shape: "partOfMonth", amount: ordinal.value, unit, weekday, month: month.value, year };
};
