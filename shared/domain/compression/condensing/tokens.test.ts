import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../../test/support/any-character.ts";
import { processorTimeOf } from "../../../../test/support/processor-time.ts";
import { loadTokenCounter, VOCABULARY_SIZE } from "./tokens.ts";

const tokens = await loadTokenCounter();

describe("token counter", () => {
  it("counts as o200k_base does", () => {
    expect(tokens.count("")).toBe(0);
    expect(tokens.count("hello world")).toBe(2);
    expect(tokens.encode("hello world")).toEqual([24912, 2375]);
  });

  it("is loaded once", async () => {
    expect(await loadTokenCounter()).toBe(tokens);
  });

  it("counts special tokens as text", () => {
    expect(tokens.count("<|endoftext|>")).toBeGreaterThan(1);
    expect(tokens.encode("<|endoftext|><|im_start|>").every((id) => id < VOCABULARY_SIZE)).toBe(true);
  });

  it.each(["a", " ", "\n", ".", "é", "😀", "汉", "ا", "\u0301", "0"])(
    "counts 100,000 of %j in bounded time",
    async (unit) => {
      const text = unit.repeat(100_000 / unit.length);
      expect(await processorTimeOf(() => tokens.count(text))).toBeLessThan(2_000);
    },
  );

  it("counts in bounded time after many different words", async () => {
    tokens.count(Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("\n"));
    const text = "\u0085 ".repeat(150_000);
    expect(await processorTimeOf(() => tokens.count(text))).toBeLessThan(2_000);
  });

  it("counts a long text without spaces as the sum of its pieces", () => {
    expect(tokens.count("a".repeat(1_280))).toBe(10 * tokens.count("a".repeat(128)));
  });

  it("counts any text, including lone surrogates, as many as there are ids", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (text) => {
        expect(tokens.count(text)).toBe(tokens.encode(text).length);
      }),
    );
    expect(tokens.count("\ud800 hello \udc00")).toBeGreaterThan(2);
  });
});
