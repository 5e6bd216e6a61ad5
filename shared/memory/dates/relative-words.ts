import type { Reader } from "./expression.ts";

/** Whether "last" and "next" go before their noun only. */
export function isPrefixed({ lexicon: { table } }: Reader): boolean {
  return table.isEnglish === true || table.yearMark !== undefined;
}

/** Where "next" does not mean the next week, "vendredi prochain" is the one to come. */
export function ofFollowing(reader: Reader, relative: number): number {
  return relative === 1 && !reader.lexicon.table.nextIsOfNextWeek ? Number.NaN : relative;
}
