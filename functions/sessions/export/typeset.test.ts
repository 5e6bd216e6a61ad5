import fc from "fast-check";
import { expect, it } from "vitest";
import { FontShelf } from "./fonts.ts";
import { setParagraph } from "./typeset.ts";

const shelf = new FontShelf();

async function linesOf(text: string, ems: number) {
  const finder = await shelf.prepare(`${text} [U+0123456789ABCDEF]`, "text");
  return setParagraph(text, finder, ems);
}

const textOf = (line: { runs: { text: string }[] }) => line.runs.map(({ text }) => text).join("");

it("breaks lines where the text may break, and words only where they must", async () => {
  const lines = await linesOf("one two-three four fivesixseveneightnine", 5);
  expect(lines.map(textOf).join("|")).toBe("one two-|three four|fivesixsev|eneightni|ne");
});

it("sets an empty paragraph as an empty line", async () => {
  expect(await linesOf("", 10)).toEqual([{ runs: [], width: 0, isRightToLeft: false }]);
});

it("turns around what is read from right to left, and not the numbers within", async () => {
  const [line] = await linesOf("שלום (abc) 12 עולם", 40);
  expect(line?.isRightToLeft).toBe(true);
  expect(line?.runs.map(({ text }) => text.trim()).filter((text) => text !== "")).toEqual(["עולם", "12 (abc)", "שלום"]);
  const [mixed] = await linesOf("see שלום עולם there", 40);
  expect(mixed?.isRightToLeft).toBe(false);
  expect(mixed && textOf(mixed)).toBe("see עולם שלום there");
});

it("leaves the digits of a script that turns around in their order", async () => {
  const [line] = await linesOf("رقم ١٢٣ نص", 40);
  const digits = line?.runs.find(({ text }) => text.includes("١"));
  const drawn = digits?.face.font.layout(digits.text).glyphs.flatMap(({ codePoints }) => codePoints);
  expect(String.fromCodePoint(...(drawn ?? []))).toBe("١٢٣");
  const word = line?.runs.find(({ text }) => text.includes("ر"));
  const letters = word?.face.font.layout(word.text).glyphs.flatMap(({ codePoints }) => codePoints);
  expect(String.fromCodePoint(...(letters ?? []))).toBe("مقر");
});

it("draws an emoji of several characters as one, in parts where there is no such picture, without their joiners", async () => {
  const flag = await linesOf("🇬🇷", 40);
  expect(flag[0]?.runs.map(({ text }) => text)).toEqual(["🇬🇷"]);
  const [line] = await linesOf("❤️ ok 1️⃣ 👍🏽", 40);
  expect(line && textOf(line)).toMatch(/^❤ ok 1 👍/u);
});

it("loses no letter and keeps within the width, whatever the text", async () => {
  const letters = fc.constantFrom("a", "W", "i", " ", "-", "你", "。", "ש", "م", "1", "😀", "é", "(", "ü", "ก");
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: letters, maxLength: 80 }),
      fc.integer({ min: 3, max: 20 }),
      async (text, ems) => {
        const lines = await linesOf(text, ems);
        const drawn = lines.flatMap((line) => [...textOf(line)]);
        const visible = (all: string[]) => all.filter((each) => !/[\s()]/.test(each)).sort();
        expect(visible(drawn)).toEqual(visible([...text]));
        for (const { width } of lines) expect(width).toBeLessThanOrEqual(ems + 0.01);
      },
    ),
    { numRuns: 60 },
  );
});
