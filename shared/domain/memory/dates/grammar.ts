import type { Expression, Reader, Rule, RuleContext } from "./expression.ts";
import {
  dayAndMonth,
  dayOfMonth,
  holiday,
  monthAndDay,
  monthAndYear,
  partOfMonth,
  quarter,
  season,
} from "./rules-by-name.ts";
import { dayAfter, lasting, recurring, shifted, stretch } from "./rules-counted.ts";
import { markedByCharacters, numericDates, yearAlone } from "./rules-numeric.ts";
import { beforeLast, namedPeriod, relativeFirst, unitAndRelative, weekdayFirst } from "./rules-relative.ts";

const RULES: Rule[] = [
  numericDates,
  dayAndMonth,
  monthAndDay,
  monthAndYear,
  markedByCharacters,
  yearAlone,
  weekdayFirst,
  relativeFirst,
  unitAndRelative,
  namedPeriod,
  beforeLast,
  partOfMonth,
  shifted,
  stretch,
  lasting,
  dayAfter,
  recurring,
  season,
  holiday,
  quarter,
  dayOfMonth,
];

/** Returns the longest date that any rule finds at a position. */
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
