import { expect, it } from "vitest";
import type { SearchSource } from "../../shared/ports/search-index.ts";
import { BLANK_DOCUMENT } from "../../test/fixtures/blank-document.ts";
import { aggregate, INTERVALS, startOf } from "./aggregations.ts";

const match = (fields: Partial<SearchSource>): SearchSource => ({
  ...BLANK_DOCUMENT,
  ...{ org: "org_1", id: "mem_1" },
  ...fields,
});

const NOTHING = { by_category: false, by_user: false };

it.each([
  ["hour", "2026-03-04T05:00:00.000Z"],
  ["day", "2026-03-04T00:00:00.000Z"],
  ["week", "2026-03-02T00:00:00.000Z"],
  ["month", "2026-03-01T00:00:00.000Z"],
  ["year", "2026-01-01T00:00:00.000Z"],
] as const)("finds the start of a %s", (interval, start) => {
  expect(startOf(interval, "2026-03-04T05:06:07.890Z")).toBe(start);
  expect(startOf(interval, start)).toBe(start);
});

it("starts the week of a Sunday on the Monday before, even across months and years", () => {
  expect(startOf("week", "2026-03-01T23:59:59.999Z")).toBe("2026-02-23T00:00:00.000Z");
  expect(startOf("week", "2026-01-01T00:00:00.000Z")).toBe("2025-12-29T00:00:00.000Z");
});

it("counts the latest intervals, latest first, without empty ones", () => {
  const days = ["01", "03", "03", "07"].map((day) => match({ created_at: `2026-03-${day}T12:00:00.000Z` }));
  expect(aggregate(days, { ...NOTHING, by_date: { interval: "day", limit: 2 } }).by_date).toEqual([
    { date: "2026-03-07T00:00:00.000Z", count: 1 },
    { date: "2026-03-03T00:00:00.000Z", count: 2 },
  ]);
  for (const interval of INTERVALS) {
    const counted = aggregate(days, { ...NOTHING, by_date: { interval, limit: 100 } }).by_date ?? [];
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(4);
  }
});

it("counts at most 100 values, most frequent first, without missing ones", () => {
  const matches = ["b", "a", "b", undefined, "__proto__"].map((category) => match({ category, user_id: "ann" }));
  const { by_category, by_user, by_date } = aggregate(matches, { by_category: true, by_user: true });
  expect(Object.entries(by_category ?? {})).toEqual([
    ["b", 2],
    ["__proto__", 1],
    ["a", 1],
  ]);
  expect(by_user).toEqual({ ann: 5 });
  expect(by_date).toBeUndefined();
  const many = Array.from({ length: 150 }, (_, position) => match({ category: `category ${position}` }));
  expect(Object.keys(aggregate(many, { ...NOTHING, by_category: true }).by_category ?? {})).toHaveLength(100);
});
