import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedMap, BoundedSet } from "./bounded.ts";

const namesOf = (map: BoundedMap<number, unknown>) => [...map].map(([name]) => name).toSorted((a, b) => a - b);

describe("a bounded map", () => {
  it("forgets what was set the longest ago", () => {
    const map = new BoundedMap<number, string>(4);
    for (const name of [1, 2, 3]) map.set(name, `value ${name}`);
    expect(namesOf(map)).toEqual([1, 2, 3]);
    map.set(1, "again");
    map.set(4, "value 4");
    expect(namesOf(map)).toEqual([1, 3, 4]);
    expect([1, 2, 3, 4].map((name) => map.get(name))).toEqual(["again", undefined, "value 3", "value 4"]);
    expect([1, 2, 3, 4].map((name) => map.has(name))).toEqual([true, false, true, true]);
  });

  it("has the value that was set last, be it none", () => {
    const map = new BoundedMap<number, string | undefined>(4);
    map.set(1, "a value");
    map.set(2, "makes a generation old");
    map.set(1, undefined);
    expect([map.get(1), map.has(1), namesOf(map)]).toEqual([undefined, true, [1, 2]]);
  });

  it("has nothing that was deleted, old or young, also while it is gone through", () => {
    const map = new BoundedMap<number, string>(6);
    for (const name of [1, 2, 3, 4]) map.set(name, "value");
    for (const [name] of map) if (name % 2 === 0) map.delete(name);
    expect([namesOf(map), map.has(2), map.has(4), map.get(1)]).toEqual([[1, 3], false, false, "value"]);
  });

  it("never holds more than it may, misses none of the last half, and tells no value of before", () => {
    const steps = fc.array(fc.record({ name: fc.nat(12), deletes: fc.boolean() }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), steps, (most, all) => {
        const map = new BoundedMap<number, number>(most);
        const whole = new Map<number, number | undefined>();
        all.forEach(({ name, deletes }, step) => {
          if (deletes) {
            map.delete(name);
            if (whole.has(name)) whole.set(name, undefined);
          } else {
            map.set(name, step);
            whole.delete(name);
            whole.set(name, step);
          }
          expect([...map].length).toBeLessThanOrEqual(most);
          for (const [known, value] of map) expect(whole.get(known)).toBe(value);
          for (const [last, value] of [...whole].slice(-Math.ceil(most / 2))) expect(map.get(last)).toBe(value);
        });
      }),
    );
  });
});

it("keeps members of a bounded set as names of a map", () => {
  const set = new BoundedSet<string>(2);
  for (const member of ["one", "two", "three"]) set.add(member);
  expect(["one", "two", "three"].map((member) => set.has(member))).toEqual([false, false, true]);
  set.delete("three");
  expect(set.has("three")).toBe(false);
});
