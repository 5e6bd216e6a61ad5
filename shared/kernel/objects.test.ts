import { describe, expect, it } from "vitest";
import { changedNames } from "./objects.ts";

describe("changedNames", () => {
  it("names what differs, however deep, and nothing else", () => {
    const before = { mode: "balanced", settings: { on: true, limits: { low: 1, high: 2 } } };
    const after = { mode: "balanced", settings: { on: false, limits: { low: 1, high: 3 } } };
    expect(changedNames(before, after)).toEqual(["settings.on", "settings.limits.high"]);
    expect(changedNames(before, structuredClone(before))).toEqual([]);
  });

  it("names what is there on one side alone", () => {
    expect(changedNames({ a: 1 }, { a: 1, b: 2 })).toEqual(["b"]);
  });
});
