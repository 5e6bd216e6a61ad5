import type { Expression, Reader } from "./expression.ts";

/** Reads a date of one form that begins at a place. */
export type Rule = (reader: Reader, place: number, context: RuleContext) => Expression | undefined;

export interface RuleContext {
  dayFirst: boolean;
  /** Where the date before this place ends in its line, 0 for one of a line before; undefined where there is none. */
  previousEnd: number | undefined;
}
