/**
 * What many memories of a user amount to, counted without a model: something said on several days (`count`), mostly on one
 * day of the week (`habit`), a quantity or a property over time (`series`), a name that recurs.
 */
export const COUNTED_TYPES = ["count", "habit", "series", "name"] as const;
/** The types of all patterns; a language model states an `observation` with quotes of the memories that show it. */
export const PATTERN_TYPES = [...COUNTED_TYPES, "observation"] as const;
export type CountedType = (typeof COUNTED_TYPES)[number];
export type PatternType = (typeof PATTERN_TYPES)[number];

/** A memory that a pattern rests on. */
export interface Evidence {
  memory_id: string;
  /** ISO date: when it was said or happened. */
  day: string;
  /** What it says in a series: "82 kg". */
  value?: string;
  /** The user's words that show an observation. */
  quote?: string;
}

/** A text of the user with the names in it. */
export interface Said {
  memory_id: string;
  /** ISO date: when it was said or happened. */
  day: string;
  content: string;
  names: { name: string }[];
}

/** A pattern as it is found, before it is stored. */
export interface FoundPattern {
  type: PatternType;
  /** Identifies it among the user's patterns, also if its type changes. */
  key: string;
  /** What recurs, in the user's words; the sentence of an observation. */
  label: string;
  /** The stems or folded words of the label, by which a query finds it. */
  terms: string[];
  /** One per day, oldest first: the latest MAX_EVIDENCE. An observation has one per memory. */
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

/** The number of days on which a pattern was said. */
export function daysOf({ evidence, earlier }: Pick<FoundPattern, "evidence" | "earlier">): number {
  return new Set(evidence.map(({ day }) => day)).size + earlier;
}

/** More days make it less likely that something recurs by chance: 3 days are 0.75, 9 are 0.9. */
export function confidenceIn(days: number): number {
  return Math.round((100 * days) / (days + 1)) / 100;
}
