import fc from "fast-check";
import { expect, it } from "vitest";
import { faceFor } from "./fonts.ts";
import { type Line, setParagraph } from "./typeset.ts";

const linesOf = (text: string, ems: number) => setParagraph(text, "text", ems);
const textOf = (line: { runs: { text: string }[] }) => line.runs.map(({ text }) => text).join("");
/** The characters of a line's glyphs from left to right. */
const drawn = (line: Line | undefined) =>
  String.fromCodePoint(
    ...(line?.runs.flatMap(({ face, text }) => face.font.layout(text).glyphs.flatMap(({ codePoints }) => codePoints)) ??
      []),
  );

it("breaks lines at break opportunities, and words only if necessary", () => {
  const lines = linesOf("one two-three four fivesixseveneightnine", 5);
  expect(lines.map(textOf).join("|")).toBe("one two-|three four|fivesixsev|eneightni|ne");
});

it("sets an empty paragraph as an empty line", () => {
  expect(linesOf("", 10)).toEqual([{ runs: [], width: 0, isRightToLeft: false }]);
});

it("reverses right-to-left text except the numbers in it", () => {
  const [line] = linesOf("שלום (abc) 12 עולם", 40);
  expect(line?.isRightToLeft).toBe(true);
  expect(drawn(line)).toBe("םלוע 12 (abc) םולש");
  const [mixed] = linesOf("see שלום עולם there", 40);
  expect(mixed?.isRightToLeft).toBe(false);
  expect(drawn(mixed)).toBe("see םלוע םולש there");
});

it("keeps the order of digits in right-to-left text", () => {
  const [line] = linesOf("رقم ١٢٣ نص", 40);
  expect(drawn(line)).toBe("صن ١٢٣ مقر");
});

it("names the characters of glyphs that were parts of others before", () => {
  const font = faceFor("ظ", "text", true)?.font;
  for (let id = 0; id < (font?.numGlyphs ?? 0); id++) font?.getGlyph(id);
  const [line] = linesOf("ظهر", 40);
  expect(drawn(line)).toBe("رهظ");
});

it("draws an emoji of several characters as one glyph, or as its parts without joiners", () => {
  const flag = linesOf("🇬🇷", 40);
  expect(flag[0]?.runs.map(({ text }) => text)).toEqual(["🇬🇷"]);
  const [line] = linesOf("❤️ ok 1️⃣ 👍🏽", 40);
  expect(line && textOf(line)).toMatch(/^❤ ok 1 👍/u);
});

it("keeps every letter, and stays within the width for any text", () => {
  const letters = fc.constantFrom("a", "W", "i", " ", "-", "你", "。", "ש", "م", "1", "😀", "é", "(", "ü", "ก");
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 80 }), fc.integer({ min: 3, max: 20 }), (text, ems) => {
      const lines = linesOf(text, ems);
      const shown = lines.flatMap((line) => [...textOf(line)]);
      const visible = (all: string[]) => all.filter((each) => !/[\s()]/.test(each)).sort();
      expect(visible(shown)).toEqual(visible([...text]));
      for (const { width } of lines) expect(width).toBeLessThanOrEqual(ems + 0.01);
    }),
    { numRuns: 60 },
  );
});
