import type { Reader } from "./expression.ts";

/** Whether "last" and "next" only precede their noun. */
export function isPrefixed({ lexicon: { table } }: Reader): boolean {
  return table.isEnglish === true || table.yearMark !== undefined;
}

/** Returns NaN, the next one to come, for "next" in languages where it does not mean the next week: "vendredi prochain". */
export function ofFollowing(reader: Reader, relative: number): number {
  return relative === 1 && !reader.lexicon.table.nextIsOfNextWeek ? Number.NaN : relative;
}
