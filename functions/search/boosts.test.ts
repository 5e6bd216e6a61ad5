import { expect, it } from "vitest";
import { Query } from "../../shared/language/questions/query.ts";
import type { SearchSource } from "../../shared/ports/search-index.ts";
import { BLANK_DOCUMENT } from "../../test/fixtures/blank-document.ts";
import { booster, isBoostable } from "./boosts.ts";

const NOW = Date.parse("2026-03-01T00:00:00.000Z");
const memory: SearchSource = {
  ...BLANK_DOCUMENT,
  org: "org_1",
  id: "mem_1",
  content: "Ada drank green tea.",
  category: "drinks",
  metadata: { title: "Tea time", place: { names: ["Green Park", "Oslo"] }, cups: 2 },
  created_at: "2026-01-30T00:00:00.000Z",
  updated_at: "2026-03-01T00:00:00.000Z",
};

it.each([
  ["no boost", {}, 1],
  ["a boost of 1", { content: 1 }, 1],
  ["a field with all words", { content: 3 }, 3],
  ["a field with half of the words", { "metadata.title": 3 }, 2],
  ["a field without the words", { user_id: 3, "metadata.absent": 3 }, 1],
  ["a list in a nested field", { "metadata.place.names": 3 }, 2],
  ["a number", { "metadata.cups": 3 }, 1],
  ["several fields", { content: 2, "metadata.title": 2 }, 3],
  ["a boost below 1", { content: 0.5 }, 0.5],
  ["a new date", { updated_at: 2 }, 2],
  ["a date 30 days ago", { created_at: 2 }, 1.5],
])("multiplies by %s", (_what, boosts, factor) => {
  expect(booster(boosts, new Query("green teas"), NOW)(0.4, memory)).toBeCloseTo(0.4 * factor);
});

it("does not change scores for a query without content words", () => {
  expect(booster({ content: 5 }, new Query("who is it"), NOW)(0.4, memory)).toBe(0.4);
});

it("knows what can be boosted", () => {
  const named = ["content", "category", "type", "user_id", "created_at", "updated_at", "metadata.a", "metadata.a.b"];
  expect(named.every(isBoostable)).toBe(true);
  expect(["colour", "metadata", "metadata.", "", "toString"].some(isBoostable)).toBe(false);
});
