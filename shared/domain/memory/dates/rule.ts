import type { Expression, Reader } from "./expression.ts";

/** Reads a date of one form that starts at a position. */
export type Rule = (reader: Reader, place: number, context: RuleContext) => Expression | undefined;

export interface RuleContext {
  dayFirst: boolean;
  /** Where the previous date in this line ends; 0 if it is in an earlier line, undefined if there is none. */
  previousEnd: number | undefined;
}
