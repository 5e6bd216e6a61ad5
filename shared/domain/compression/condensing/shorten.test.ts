import { describe, expect, it } from "vitest";
import { ENGLISH_WORDS } from "./function-words.ts";
import { readPassage } from "./passage.ts";
import { shorten } from "./shorten.ts";

const unwanted = new Set(ENGLISH_WORDS.keys());

function short(text: string): string {
  return readPassage(text)
    .flatMap(({ sentences }) => sentences)
    .map((sentence) => shorten(text, sentence, unwanted, ENGLISH_WORDS).text)
    .join("");
}

describe("shorten", () => {
  it.each([
    ["I went to the museum and it was so crowded.", "went museum crowded."],
    ["Well, that is cool, so we did stay!", "cool, stay!"],
    ["What happened? It was on the news.", "happened? news."],
    ["They were here; we saw them.", "saw."],
  ])("drops function words and joins the remaining words: %s", (text, expected) => {
    expect(short(text)).toBe(expected);
  });

  it.each([
    "University of Bern",
    "Lord of the Rings",
    'called "it is what it is"',
    "US soldiers",
    "to-do",
    "and/or",
    "x = (a and b)",
    "never might not before because only",
  ])("keeps words whose loss would change the meaning: %s", (text) => {
    expect(short(text)).toBe(text);
  });

  it("reports every word as kept or dropped", () => {
    const text = "I went to the museum.";
    const [sentence] = readPassage(text)[0]?.sentences ?? [];
    const { kept, dropped } = shorten(text, sentence!, unwanted, ENGLISH_WORDS);
    expect(kept.map(({ folded }) => folded)).toEqual(["went", "museum"]);
    expect(dropped.map(({ folded }) => folded)).toEqual(["i", "to", "the"]);
  });

  it("is empty if there are only function words", () => {
    expect(short("It is what it is.")).toBe("");
  });
});
