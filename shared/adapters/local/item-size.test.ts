import { describe, expect, it } from "vitest";
import type { Json } from "../../ports/json.ts";
import { itemSize } from "./item-size.ts";

const KEYS = { pk: "p", sk: "s", kind: "k" };
const KEYS_BYTES = 3 + 3 + 5;

describe("itemSize", () => {
  it.each<[string, Json, number]>([
    ["text in UTF-8", "é😀", 6],
    ["an empty text", "", 0],
    ["a boolean", true, 1],
    ["null", null, 1],
    ["a number of few digits", 7, 2],
    ["a number of many digits", -1234.5678, 5],
    ["an empty list", [], 3],
    ["a list", ["ab", true], 3 + (1 + 2) + (1 + 1)],
    ["a map", { ab: "cd" }, 3 + 1 + 2 + 2],
    ["nested ones", [{ a: [] }], 3 + 1 + (3 + 1 + 1 + 3)],
  ])("counts %s", (_, value, bytes) => {
    expect(itemSize({ ...KEYS, name: value })).toBe(KEYS_BYTES + "name".length + bytes);
  });

  it("does not count undefined attributes", () => {
    expect(itemSize({ ...KEYS, name: undefined })).toBe(KEYS_BYTES);
  });
});
