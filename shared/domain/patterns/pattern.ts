/**
 * What many memories of a user amount to, counted without a model: something said on several days (`count`), mostly on one
 * day of the week (`habit`), a quantity or a property over time (`series`), a name that recurs.
 */
export const PATTERN_TYPES = ["count", "habit", "series", "name"] as const;
export type PatternType = (typeof PATTERN_TYPES)[number];

/** A memory that a pattern rests on. */
export interface Evidence {
  memory_id: string;
  /** ISO date: when it was said or happened. */
  day: string;
  /** What it says in a series: "82 kg". */
  value?: string;
}

/** A pattern as it is found, before it is stored. */
export interface FoundPattern {
  type: PatternType;
  /** Identifies it among the user's patterns, also if its type changes. */
  key: string;
  /** What recurs, in the user's words. */
  label: string;
  /** The stems or folded words of the label, by which a query finds it. */
  terms: string[];
  /** One per day, oldest first: the latest MAX_EVIDENCE. */
  evidence: Evidence[];
  /** The number of earlier days, whose memories are not listed. */
  earlier: number;
  /** 0..1 */
  confidence: number;
}

/** Maximum memories listed per pattern. */
export const MAX_EVIDENCE = 20;
/** Minimum days on which something is said. */
export const MIN_DAYS = 3;
