import fc from "fast-check";
import { expect, it } from "vitest";
import { confidenceOf, type Evidence, lowerBound, pooledConfidence, stated } from "./confidence.ts";

const evidence: fc.Arbitrary<Evidence> = fc
  .record({
    stated_confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    outcomes: fc.nat(10_000),
    share: fc.nat(100),
  })
  .map(({ share, outcomes, ...rest }) => ({ ...rest, outcomes, successes: Math.floor((outcomes * share) / 100) }));

it("keeps only the decimals that every store keeps", () => {
  const none = { outcomes: 0, successes: 0 };
  expect(stated(1e-300)).toEqual({ confidence: 0, stated_confidence: 0, ...none });
  expect(stated(1 / 3)).toEqual({ confidence: 0.333333, stated_confidence: 0.333333, ...none });
});

it("is the stated value until an outcome is known", () => {
  expect(confidenceOf({ stated_confidence: 0.8, outcomes: 0, successes: 0 })).toBeCloseTo(0.8);
});

it("is the mean of the Beta posterior", () => {
  expect(confidenceOf({ stated_confidence: 0.5, outcomes: 1, successes: 1 })).toBeCloseTo(6 / 11);
  expect(confidenceOf({ stated_confidence: 0.9, outcomes: 90, successes: 45 })).toBeCloseTo((9 + 45) / 100);
});

it("stays within 0 and 1, rises with a success and falls with a failure", () => {
  fc.assert(
    fc.property(evidence, (given) => {
      const confidence = confidenceOf(given);
      const after = (success: number) =>
        confidenceOf({ ...given, outcomes: given.outcomes + 1, successes: given.successes + success });
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
      expect(after(1)).toBeGreaterThanOrEqual(confidence);
      expect(after(0)).toBeLessThanOrEqual(confidence);
    }),
  );
});

it("pools evidence to a value between the two, closer to the one with more outcomes", () => {
  fc.assert(
    fc.property(fc.array(evidence, { minLength: 1, maxLength: 5 }), (skills) => {
      const each = skills.map(confidenceOf);
      const pooled = pooledConfidence(skills);
      expect(pooled).toBeGreaterThanOrEqual(Math.min(...each) - 1e-9);
      expect(pooled).toBeLessThanOrEqual(Math.max(...each) + 1e-9);
    }),
  );
  const proven = { stated_confidence: 0.5, outcomes: 90, successes: 90 };
  const stated = { stated_confidence: 0.5, outcomes: 0, successes: 0 };
  expect(pooledConfidence([proven, stated])).toBeCloseTo((5 + 90 + 5) / 110);
});

it("bounds the confidence from below, by the Wilson score interval", () => {
  // Of 50 successes in 100: 0.5 - 0.064, by the formula.
  expect(lowerBound({ stated_confidence: 0.5, outcomes: 90, successes: 45 })).toBeCloseTo(0.4364, 3);
  expect(lowerBound({ stated_confidence: 0, outcomes: 0, successes: 0 })).toBe(0);
  fc.assert(
    fc.property(evidence, (given) => {
      const bound = lowerBound(given);
      expect(bound).toBeGreaterThanOrEqual(0);
      expect(bound).toBeLessThanOrEqual(confidenceOf(given));
      const proven = { ...given, outcomes: given.outcomes + 1, successes: given.successes + 1 };
      expect(lowerBound(proven)).toBeGreaterThanOrEqual(bound - 1e-12);
    }),
  );
});
