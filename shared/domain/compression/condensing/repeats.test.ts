import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeatsOf } from "./repeats.ts";

const LONGEST = 8;

/** Returns every phrase of up to LONGEST items that occurs at least twice, with all its places, by brute force. */
function repeatsByHand(items: number[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let start = 0; start < items.length; start++) {
    for (let length = 1; length <= LONGEST && start + length <= items.length; length++) {
      const phrase = items.slice(start, start + length).join();
      places.set(phrase, [...(places.get(phrase) ?? []), start]);
    }
  }
  return new Map([...places].filter(([, found]) => found.length > 1));
}

describe("repeats", () => {
  it("finds only phrases that repeat, with all their places", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 60 }), (items) => {
        const expected = repeatsByHand(items);
        for (const { length, places } of repeatsOf(Int32Array.from(items), LONGEST)) {
          const start = places[0] ?? 0;
          expect([...places].sort((a, b) => a - b)).toEqual(expected.get(items.slice(start, start + length).join()));
        }
      }),
    );
  });

  it("finds each phrase that cannot be prolonged without losing an occurrence", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2), { maxLength: 40 }), (items) => {
        const found = new Set<string>();
        for (const { length, places } of repeatsOf(Int32Array.from(items), LONGEST)) {
          const start = places[0] ?? 0;
          found.add(items.slice(start, start + length).join());
        }
        const byHand = repeatsByHand(items);
        for (const [phrase, places] of byHand) {
          const longer = [0, 1, 2].some((next) => byHand.get(`${phrase},${next}`)?.length === places.length);
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
