import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { analyse, queryTerms, termOf, words } from "./text.ts";

const folded = (text: string) => words(text).map((word) => word.folded);

test.each([
  ["case and punctuation", "Hello, World!", ["hello", "world"]],
  ["apostrophes", "Anna's dog wasn’t O'Brien's; she'd we'll", ["anna", "dog", "wasnt", "obrien", "she", "we"]],
  ["accents", "Café ÅNGSTRÖM naïve", ["cafe", "angstrom", "naive"]],
  ["compatibility forms", "ﬁne Ｆｕｌｌ", ["fine", "full"]],
  ["hyphens and underscores", "well-known snake_case", ["well", "known", "snake", "case"]],
  ["numbers", "v2.0 on 3½ km", ["v2", "0", "on", "3", "km"]],
  ["emoji, one by one", "🎂🎂 👍🏽", ["🎂", "🎂", "👍"]],
  ["Chinese by pairs", "今天天气", ["今天", "天天", "天气"]],
  ["one character alone", "茶", ["茶"]],
  ["scripts that mix", "用iPhone手机", ["用", "iphone", "手机"]],
  ["Japanese", "タワーへ", ["タワ", "ワー", "ーへ"]],
  ["Hindi", "हिन्दी में", ["हिन्दी", "में"]],
  ["Arabic", "مرحبا بالعالم", ["مرحبا", "بالعالم"]],
  ["Korean", "안녕 세상", ["안녕", "세상"]],
  ["nothing", " …?! ' ", []],
])("finds words: %s", (_name, text, expected) => {
  expect(folded(text)).toEqual(expected);
});

test("returns the positions of words in the original text", () => {
  const text = "🎂 Café de l'été 今天天 ﬁn";
  for (const { folded: word, start, end } of words(text)) expect(folded(text.slice(start, end))).toContain(word);
});

test("keeps the start of a word that is too long", () => {
  expect(folded("x".repeat(100_000))).toEqual(["x".repeat(64)]);
});

test("stems content words and drops the others", () => {
  expect(analyse("What did she paint? Her paintings were running late.")).toEqual(["paint", "paint", "run", "late"]);
  expect(analyse("He went, has gone and goes")).toEqual(["go", "go", "go"]);
  expect(analyse("The children bought mice")).toEqual(analyse("a child buying a mouse"));
  expect(termOf("the")).toBeUndefined();
});

test("returns a query's terms once, and at most 64", () => {
  expect(queryTerms("tea, more tea and coffee")).toEqual(["tea", "coffe"]);
  expect(queryTerms(Array.from({ length: 99 }, (_, i) => `w${i}`).join(" "))).toHaveLength(64);
});

test("makes terms only of letters, digits, marks and emoji, for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
      for (const term of analyse(text)) expect(term).toMatch(/^[\p{L}\p{Nd}\p{M}\p{Extended_Pictographic}]+$/u);
    }),
    { numRuns: 1000 },
  );
});
