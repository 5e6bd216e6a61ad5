import fc from "fast-check";
import { expect, test } from "vitest";
import { selectBest } from "./select.ts";

test("returns the same as sorting all, ties by key", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.nat(12), (values, limit) => {
      const keys = values.map((_, i) => (i * 7919) % 10_007);
      const all = values.map((score, i) => ({ key: keys[i] ?? 0, score }));
      const expected = all.sort((a, b) => b.score - a.score || a.key - b.key).slice(0, limit);
      expect(selectBest({ keys, scores: Float32Array.from(values) }, limit)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
