import fc from "fast-check";
import { expect, it } from "vitest";
import { type Frequencies, mergeFrequencies, mostFrequent } from "./frequent.ts";

const CAPACITY = 4;
const things = fc.array(fc.constantFrom(..."abcdefgh"), { maxLength: 200 });

function countAll(all: string[]): Frequencies {
  return all.reduce<Frequencies>((sum, thing) => mergeFrequencies(sum, new Map([[thing, 1]]), CAPACITY), new Map());
}

function exact(all: string[], thing: string): number {
  return all.filter((each) => each === thing).length;
}

it("counts exactly while not full", () => {
  expect(countAll([..."abacab"])).toEqual(
    new Map([
      ["a", 3],
      ["b", 2],
      ["c", 1],
    ]),
  );
});

it("never counts too much, nor too little by more than its bound, in any order of merges", () => {
  fc.assert(
    fc.property(things, things, (one, other) => {
      const merged = mergeFrequencies(countAll(one), countAll(other), CAPACITY);
      const all = [...one, ...other];
      expect(merged.size).toBeLessThanOrEqual(CAPACITY);
      for (const thing of new Set(all)) {
        const counted = merged.get(thing) ?? 0;
        expect(counted).toBeLessThanOrEqual(exact(all, thing));
        expect(counted).toBeGreaterThanOrEqual(exact(all, thing) - all.length / (CAPACITY + 1));
      }
    }),
  );
});

it("lists the most frequent first, equal ones in their own order", () => {
  const frequencies = new Map([
    ["b", 2],
    ["a", 2],
    ["c", 5],
    ["d", 1],
  ]);
  expect(mostFrequent(frequencies, 3).map(({ thing }) => thing)).toEqual(["c", "a", "b"]);
});
