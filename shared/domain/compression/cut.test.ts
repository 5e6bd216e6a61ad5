import fc from "fast-check";
import { expect, it } from "vitest";
import { loadTokenCounter } from "./condensing/tokens.ts";
import { cutToTokens } from "./cut.ts";

const counter = await loadTokenCounter();

it("keeps a text that fits, and the beginning of any other", () => {
  const property = fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.nat(40), (text, most) => {
    const cut = cutToTokens(text, most, counter);
    expect(counter.count(cut)).toBeLessThanOrEqual(most);
    if (counter.count(text) <= most) expect(cut).toBe(text);
    expect(cut.isWellFormed()).toBe(true);
  });
  fc.assert(property);
});

it("cuts no more than it must", () => {
  const text = "one two three four five six seven eight nine ten";
  expect(cutToTokens(text, 4, counter)).toBe("one two three four");
});
