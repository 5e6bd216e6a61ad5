import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeatsOf } from "./repeats.ts";

const LONGEST = 8;

/** Returns every phrase of up to LONGEST items that occurs at least twice, with all its positions, by brute force. */
function repeatsByHand(items: number[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (let start = 0; start < items.length; start++) {
    for (let length = 1; length <= LONGEST && start + length <= items.length; length++) {
      const phrase = items.slice(start, start + length).join();
      positions.set(phrase, [...(positions.get(phrase) ?? []), start]);
    }
  }
  return new Map([...positions].filter(([, found]) => found.length > 1));
}

describe("repeats", () => {
  it("finds only phrases that repeat, with all their positions", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 60 }), (items) => {
        const expected = repeatsByHand(items);
        for (const { length, positions } of repeatsOf(Int32Array.from(items), LONGEST)) {
          const start = positions[0] ?? 0;
          expect([...positions].sort((a, b) => a - b)).toEqual(expected.get(items.slice(start, start + length).join()));
        }
      }),
    );
  });

  it("finds each phrase that cannot be prolonged without losing an occurrence", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2), { maxLength: 40 }), (items) => {
        const found = new Set<string>();
        for (const { length, positions } of repeatsOf(Int32Array.from(items), LONGEST)) {
          const start = positions[0] ?? 0;
          found.add(items.slice(start, start + length).join());
        }
        const byHand = repeatsByHand(items);
        for (const [phrase, positions] of byHand) {
          const longer = [0, 1, 2].some((next) => byHand.get(`${phrase},${next}`)?.length === positions.length);
          if (!longer) expect(found).toContain(phrase);
        }
      }),
    );
  });

  it("finds nothing in an empty list", () => {
    expect([...repeatsOf(new Int32Array(0), LONGEST)]).toEqual([]);
    expect([...repeatsOf(Int32Array.of(1), LONGEST)]).toEqual([]);
  });
});
