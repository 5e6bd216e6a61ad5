import fc from "fast-check";
import { expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../../test/fixtures/blank-document.ts";
import {
  demotionFactor,
  feedbackFactor,
  isRatedRelevant,
  isRatedUseless,
  promotionTerm,
  rankByFeedback,
} from "./feedback.ts";
import type { Ranked } from "./fusion.ts";

const ratings = fc.record({
  count: fc.integer({ min: 1, max: 10_000 }),
  mean: fc.double({ min: 1, max: 5, noNaN: true }),
});

function hit(id: string, score: number, rated?: { count: number; mean: number }): Ranked {
  const document = { ...BLANK_DOCUMENT, org: "org_1", id, ratings: rated };
  return { id, score, semanticScore: score, keywordScore: score, document };
}

it("leaves alone what nobody rated, and what people are neutral about", () => {
  expect(feedbackFactor(undefined)).toBe(1);
  expect(feedbackFactor({ count: 7, mean: 3 })).toBe(1);
});

it("moves a score in the direction of the ratings, more with more of them, up by 5 % at most", () => {
  fc.assert(
    fc.property(ratings, ({ count, mean }) => {
      const moved = feedbackFactor({ count, mean });
      expect(moved).toBeLessThanOrEqual(1.05);
      expect(Math.sign(moved - 1)).toBe(Math.sign(mean - 3));
      expect(Math.abs(feedbackFactor({ count: count * 2, mean }) - 1)).toBeGreaterThanOrEqual(Math.abs(moved - 1));
      expect(promotionTerm({ count, mean }) > 0).toBe(mean > 3);
      expect(demotionFactor({ count, mean }) < 1).toBe(moved < 1);
      expect(feedbackFactor({ count, mean })).toBeGreaterThan(0);
    }),
  );
});

it("lets one bad rating cost a little, and five all that tells a hit from a miss", () => {
  expect(feedbackFactor({ count: 1, mean: 1 })).toBeGreaterThan(0.9);
  expect(feedbackFactor({ count: 5, mean: 1 })).toBeLessThan(0.4);
  const divided = { count: 10, mean: 3 };
  expect(feedbackFactor(divided)).toBe(1);
  const ranked = rankByFeedback([hit("a", 1, { count: 5, mean: 1 }), hit("b", 0.5)]);
  expect(ranked.map(({ id }) => id)).toEqual(["b", "a"]);
});

it("knows what people agree is useless", () => {
  for (const rated of [undefined, { count: 2, mean: 1 }, { count: 5, mean: 2 }, { count: 9, mean: 3 }]) {
    expect(isRatedUseless(rated), JSON.stringify(rated)).toBe(false);
  }
  expect(isRatedUseless({ count: 3, mean: 1 })).toBe(true);
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
  const ranked = rankByFeedback([hit("a", 0.9), hit("b", 0.8, { count: 100, mean: 5 })]);
  expect(ranked.map(({ id }) => id)).toEqual(["a", "b"]);
});

it("knows what people found relevant", () => {
  expect(isRatedRelevant(undefined)).toBeUndefined();
  expect(isRatedRelevant({ count: 1, mean: 4 })).toBe(true);
  expect(isRatedRelevant({ count: 1, mean: 2 })).toBe(false);
});
