import { compareTexts } from "../../kernel/strings.ts";

/**
 * The most frequent things with their counts: a Misra-Gries summary. A count is never too high, and too low by at most
 * (total count) / (capacity + 1). Merging keeps that bound (Agarwal et al., "Mergeable Summaries", 2012).
 */
export type Frequencies = ReadonlyMap<string, number>;

/** Merges two summaries into one of at most `capacity` things. */
export function mergeFrequencies(one: Frequencies, other: Frequencies, capacity: number): Frequencies {
  const sums = new Map(one);
  for (const [thing, count] of other) sums.set(thing, (sums.get(thing) ?? 0) + count);
  if (sums.size <= capacity) return sums;
  const counts = [...sums.values()].sort((a, b) => b - a);
  const excess = counts[capacity] ?? 0;
  return new Map([...sums].flatMap(([thing, count]) => (count > excess ? [[thing, count - excess]] : [])));
}

/** Returns the `most` most frequent things, the most frequent first; ties in alphabetical order. */
export function mostFrequent(frequencies: Frequencies, most: number): { thing: string; count: number }[] {
  return [...frequencies]
    .map(([thing, count]) => ({ thing, count }))
    .sort((a, b) => b.count - a.count || compareTexts(a.thing, b.thing))
    .slice(0, most);
}
