import { describe, expect, it } from "vitest";
import { changedNames, mergePatch } from "./objects.ts";

describe("changedNames", () => {
  it("names what differs, at any depth, and nothing else", () => {
    const before = { mode: "balanced", settings: { on: true, limits: { low: 1, high: 2 } } };
    const after = { mode: "balanced", settings: { on: false, limits: { low: 1, high: 3 } } };
    expect(changedNames(before, after)).toEqual(["settings.on", "settings.limits.high"]);
    expect(changedNames(before, structuredClone(before))).toEqual([]);
  });

  it("names what exists on one side only", () => {
    expect(changedNames({ a: 1 }, { a: 1, b: 2 })).toEqual(["b"]);
  });
});

describe("mergePatch", () => {
  /** The test cases of RFC 7396, appendix A, with objects as target and patch. */
  it.each<[object, object, object]>([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])("%j with %j is %j", (target, patch, merged) => {
    const before = structuredClone(target);
    expect(mergePatch(target, patch)).toEqual(merged);
    expect(target, "the target stays as it is").toEqual(before);
  });

  it("accepts any member name and changes no prototype", () => {
    const patch = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"x": 1}}');
    const merged = mergePatch({}, patch);
    expect(Object.keys(merged)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
  });
});
