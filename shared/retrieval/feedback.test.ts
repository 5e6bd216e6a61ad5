import fc from "fast-check";
import { expect, it } from "vitest";
import { feedbackFactor, isRatedRelevant, rankByFeedback } from "./feedback.ts";
import type { Ranked } from "./fusion.ts";

const ratings = fc.record({
  count: fc.integer({ min: 1, max: 10_000 }),
  mean: fc.double({ min: 1, max: 5, noNaN: true }),
});

function hit(id: string, score: number, rated?: { count: number; mean: number }): Ranked {
  const document = {
    org: "org_1",
    id,
    version: 1,
    content: "",
    metadata: {},
    entity_ids: [],
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    original_tokens: 0,
    compressed_tokens: 0,
    processing_ms: 0,
    ratings: rated,
  };
  return { id, score, semanticScore: score, keywordScore: score, document };
}

it("leaves alone what nobody rated, and what people are neutral about", () => {
  expect(feedbackFactor(undefined)).toBe(1);
  expect(feedbackFactor({ count: 7, mean: 3 })).toBe(1);
});

it("moves a score by no more than 5 %, in the direction of the ratings, more with more of them", () => {
  fc.assert(
    fc.property(ratings, ({ count, mean }) => {
      const factor = feedbackFactor({ count, mean });
      expect(Math.abs(factor - 1)).toBeLessThanOrEqual(0.05);
      expect(Math.sign(factor - 1)).toBe(Math.sign(mean - 3));
      const withMore = feedbackFactor({ count: count * 2, mean });
      expect(Math.abs(withMore - 1)).toBeGreaterThanOrEqual(Math.abs(factor - 1));
    }),
  );
});

it("orders what is equally relevant by its ratings, also at the top", () => {
  const good = { count: 2, mean: 5 };
  const bad = { count: 2, mean: 1 };
  for (const score of [0.7, 1]) {
    const ranked = rankByFeedback([hit("a", score, bad), hit("b", score), hit("c", score, good)]);
    expect(ranked.map(({ id }) => id)).toEqual(["c", "b", "a"]);
    for (const { score: moved } of ranked) expect(moved).toBeLessThanOrEqual(1);
  }
});

it("brings up nothing that is clearly less relevant", () => {
  const ranked = rankByFeedback([hit("a", 0.9, { count: 100, mean: 1 }), hit("b", 0.8, { count: 100, mean: 5 })]);
  expect(ranked.map(({ id }) => id)).toEqual(["a", "b"]);
});

it("knows what people found relevant", () => {
  expect(isRatedRelevant(undefined)).toBeUndefined();
  expect(isRatedRelevant({ count: 1, mean: 4 })).toBe(true);
  expect(isRatedRelevant({ count: 1, mean: 2 })).toBe(false);
});
