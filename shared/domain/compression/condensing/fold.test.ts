import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../../test/support/any-character.ts";
import { type FoldCost, fold, unfold } from "./fold.ts";

const characters: FoldCost = { of: (text) => text.length, minGain: 1 };
const eager: FoldCost = { of: (text) => (text.trim() === "" ? 0 : 1), minGain: -1_000 };

/** Text with repetitions, made of phrases that include the format's own characters and arbitrary text. */
const repetitive = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."§ a|¶|\n\n|\n| |§ phrase one\n\n§|the support group|§¶†|\r\n|\u2028|  tab\t".split("|")),
      fc.string({ unit: anyCharacter, maxLength: 12 }),
      fc.array(fc.nat(0xffff), { maxLength: 6 }).map((units) => String.fromCharCode(...units)),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .chain((phrases) => fc.array(fc.constantFrom(...phrases), { maxLength: 120 }))
  .map((parts) => parts.join(""));

describe("fold", () => {
  it("puts a dictionary in front and replaces phrases by markers", () => {
    const text =
      "So the support group met. I like the support group. Is the support group open? No, the support group is not.";
    const folded = fold(text, characters);
    expect(folded).toBe("§ the support group\n\nSo § met. I like §. Is § open? No, § is not.");
    expect(unfold(folded ?? "")).toBe(text);
  });

  it("leaves a text without repetitions unchanged", () => {
    expect(fold("one two three four five six seven eight nine ten", characters)).toBeUndefined();
    expect(fold("", characters)).toBeUndefined();
  });

  it("skips markers that the text contains", () => {
    const text = "§ and ¶ are signs. ".repeat(20);
    const folded = fold(text, characters) ?? "";
    expect(folded).toMatch(/^† /);
    expect(unfold(folded)).toBe(text);
  });

  it("folds phrases of phrases, so that long runs shrink much further than one phrase's length", () => {
    const text = "alpha beta ".repeat(5_000);
    const folded = fold(text, characters) ?? "";
    expect(folded.length).toBeLessThan(text.length / 64);
    expect(unfold(folded)).toBe(text);
  });

  it("is reversible on any text, also one that looks folded", () => {
    fc.assert(
      fc.property(repetitive, fc.constantFrom(characters, eager), (text, cost) => {
        const folded = fold(text, cost);
        if (folded !== undefined) expect(unfold(folded)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is reversible on its own result", () => {
    const text = "the red fox and the red dog and the red hen. ".repeat(9);
    const once = fold(text, characters) ?? "";
    const doubled = `${once}\n${once}\n${once}`;
    expect(unfold(fold(doubled, characters) ?? "")).toBe(doubled);
  });
});
