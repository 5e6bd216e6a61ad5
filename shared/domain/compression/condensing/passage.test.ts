import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../../test/support/any-character.ts";
import { words } from "../../../kernel/text/text.ts";
import { readPassage } from "./passage.ts";

function cut(text: string): string[][] {
  return readPassage(text).map(({ label, sentences }) =>
    [label, ...sentences].map((unit) => text.slice(unit.start, unit.end)),
  );
}

/** Returns the words that contain a sentence end. */
function halved(text: string): string[] {
  const units = readPassage(text).flatMap(({ label, sentences }) => [label, ...sentences]);
  return units.flatMap((unit) => unit.words.filter(({ end }) => end > unit.end).map(({ folded }) => folded));
}

describe("passage", () => {
  it("splits lines into a label and sentences", () => {
    expect(cut("Anna: I met Dr. Smith at 5.30 p.m. today! Great?!\n\n汉字。你好！")).toEqual([
      ["Anna: ", "I met Dr. Smith at 5.30 p.m. today! ", "Great?!"],
      [""],
      ["", "汉字。", "你好！"],
    ]);
  });

  it("keeps all characters and words of any text", () => {
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.lorem({ mode: "sentences" }),
      fc.string({ unit: fc.constantFrom(..."aB: .!?\n。汉\u0301") }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(
          cut(text)
            .map((units) => units.join(""))
            .join("\n"),
        ).toBe(text);
        const found = readPassage(text).flatMap(({ label, sentences }) =>
          [label, ...sentences].flatMap((unit) => unit.words),
        );
        expect(found).toEqual(words(text));
        expect(halved(text)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
