import fc from "fast-check";
import { expect, it } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { Query } from "../../language/questions/query.ts";
import { highlighter } from "./highlight.ts";

const highlight = (text: string, query: string) => highlighter(new Query(query))(text);

it.each([
  [
    "every form of the query's words",
    "Who painted?",
    "She paints. A painting!",
    "She <em>paints</em>. A <em>painting</em>!",
  ],
  ["no stop words", "What is the tea?", "What is it? The tea.", "What is it? The <em>tea</em>."],
  ["words with apostrophes and accents whole", "anna cafe", "Anna’s café", "<em>Anna’s</em> <em>café</em>"],
  ["scripts without spaces", "天气", "今天天气很好", "今天<em>天气</em>很好"],
  ["emoji", "🎂", "party 🎂!", "party <em>🎂</em>!"],
  ["nothing where nothing matches", "tea", "Coffee.", "Coffee."],
  ["nothing in an empty text", "tea", "", ""],
])("marks %s", (_what, query, text, expected) => {
  expect(highlight(text, query)).toBe(expected);
});

it("shows the part around the first match, cut at words", () => {
  const text = `${"before ".repeat(50)}tea ${"after ".repeat(100)}`;
  const shown = highlight(text, "tea");
  expect(shown).toMatch(/^…before (before )+<em>tea<\/em> after (after )+after…$/);
  expect(shown.length).toBeLessThan(300);
});

it("cuts a text only at the maximum length, even if no word follows the match", () => {
  expect(highlight(`Green tea ${"-".repeat(1_000)}`, "tea")).toBe("Green <em>tea</em>…");
  expect(highlight(`Green tea ${"-".repeat(100)}`, "tea")).toBe(`Green <em>tea</em> ${"-".repeat(100)}`);
});

it("shows the beginning of a text without a match", () => {
  expect(highlight("word ".repeat(100), "tea")).toMatch(/^word (word )+word…$/);
});

it("returns a part of any text for any query, and adds only tags and ellipses", () => {
  const words = fc.constantFrom("tea", "teas", "coffee", "the", "天气很好", "🎂", "<em>", "&", "\n", "x".repeat(90));
  const texts = fc.array(fc.oneof(words, fc.string({ unit: anyCharacter, maxLength: 8 })), { maxLength: 60 });
  fc.assert(
    fc.property(texts, texts, (text, query) => {
      const whole = text.join(" ").replaceAll(/<\/?em>|…/g, "");
      const shown = highlight(whole, query.join(" "));
      expect(whole).toContain(shown.replaceAll(/<\/?em>|^…|…$/g, ""));
      expect(shown.split("<em>")).toHaveLength(shown.split("</em>").length);
    }),
    { numRuns: 500 },
  );
});
