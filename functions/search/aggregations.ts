import type { Input } from "../../shared/kernel/schema-input.ts";
import { compareTexts } from "../../shared/kernel/strings.ts";
import type { SearchSource } from "../../shared/ports/search-index.ts";
import type * as schemas from "./schemas.ts";

/** Intervals of date aggregations in UTC; weeks start on Monday. */
export const INTERVALS = ["hour", "day", "week", "month", "year"] as const;

export type Interval = (typeof INTERVALS)[number];

/** Maximum values of a field's aggregation. */
const MAX_VALUES = 100;

type Request = Input<typeof schemas.AdvancedSearch>["aggregation"];

/**
 * Counts matches as requested: values of a field most frequent first, without matches that lack the field; the latest
 * intervals by their start, without those that have no matches.
 */
export function aggregate(matches: SearchSource[], { by_category, by_user, by_date }: Request) {
  return {
    by_category: by_category ? countValues(matches.map(({ category }) => category)) : undefined,
    by_user: by_user ? countValues(matches.map(({ user_id }) => user_id)) : undefined,
    by_date: by_date && countDates(matches, by_date),
  };
}

function countBy(values: (string | undefined)[]): [string, number][] {
  const groups = Map.groupBy(
    values.filter((value) => value !== undefined),
    (value) => value,
  );
  return [...groups].map(([value, group]) => [value, group.length]);
}

function countValues(values: (string | undefined)[]): Record<string, number> {
  const counts = countBy(values).sort(([a, m], [b, n]) => n - m || compareTexts(a, b));
  return Object.fromEntries(counts.slice(0, MAX_VALUES));
}

function countDates(matches: SearchSource[], { interval, limit }: NonNullable<Request["by_date"]>) {
  return countBy(matches.map(({ created_at }) => startOf(interval, created_at)))
    .map(([date, count]) => ({ date, count }))
    .sort((a, b) => (a.date < b.date ? 1 : -1))
    .slice(0, limit);
}

/** Returns the start of the interval that contains a moment; both are ISO 8601 times in UTC. */
export function startOf(interval: Interval, moment: string): string {
  const start = new Date(moment);
  start.setUTCMinutes(0, 0, 0);
  if (interval !== "hour") start.setUTCHours(0);
  if (interval === "week") start.setUTCDate(start.getUTCDate() - ((start.getUTCDay() + 6) % 7));
  if (interval === "month" || interval === "year") start.setUTCDate(1);
  if (interval === "year") start.setUTCMonth(0);
  return start.toISOString();
}
