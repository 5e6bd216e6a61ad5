import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextAttemptAt } from "./schedule.ts";
import { DELIVERY_DEFAULTS } from "./webhook.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const FAILED = { outcome: "retryable" } as const;
const { retry_delay_ms: _delay, ...defaults } = DELIVERY_DEFAULTS;

/** Returns the milliseconds until the attempt after the given one, or undefined if there is none. */
function delayAfter(
  attempt_number: number,
  config: object = {},
  result: object = {},
  chance = 0.5,
): number | undefined {
  const webhook = { delivery_config: { ...defaults, ...config } };
  const next = nextAttemptAt(webhook, { attempt_number }, { ...FAILED, ...result }, NOW, chance);
  return next === undefined ? undefined : Date.parse(next) - NOW;
}

describe("nextAttemptAt", () => {
  it("doubles the default delay with each attempt, up to the configured number", () => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) => delayAfter(attempt));
    expect(delays).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, undefined]);
    expect(delayAfter(1, { retry_count: 0 })).toBeUndefined();
  });

  it("varies the default delay by a fifth at most, and a configured one not at all", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 5 }), (chance, attempt) => {
        const plainDelay = 5_000 * 2 ** (attempt - 1);
        const delay = delayAfter(attempt, {}, {}, chance)!;
        expect(Math.abs(delay - plainDelay)).toBeLessThanOrEqual(0.2 * plainDelay);
        expect(delayAfter(attempt, { retry_delay_ms: 700 }, {}, chance)).toBe(700);
      }),
    );
    expect([0, 1].map((chance) => delayAfter(1, {}, {}, chance))).toEqual([4_000, 6_000]);
  });

  it("waits as long as the receiver asks, or for the delay if that is longer", () => {
    expect(delayAfter(1, { retry_delay_ms: 700 }, { retry_after_ms: 3_600_000 })).toBe(3_600_000);
    expect(delayAfter(1, { retry_delay_ms: 700 }, { retry_after_ms: 1 })).toBe(700);
  });

  it("grows to a day at most", () => {
    expect(delayAfter(20, { retry_count: 20 })).toBe(86_400_000);
  });

  it("ends with a success, and if the receiver is gone", () => {
    for (const outcome of ["success", "gone"]) expect(delayAfter(1, {}, { outcome })).toBeUndefined();
  });
});
