import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { createLexicalEmbedder } from "./lexical-embedder.ts";

const embedder = createLexicalEmbedder();

async function cosine(a: string, b: string): Promise<number> {
  const [x = [], y = []] = (await embedder.embed([a, b], { purpose: "passage" })).map((vector) => [...vector]);
  return x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
}

test("returns a unit vector for any text, always the same one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: anyCharacter, maxLength: 80 })), async (texts) => {
      const vectors = await embedder.embed(texts, { purpose: "passage" });
      expect(vectors).toEqual(await embedder.embed(texts, { purpose: "passage" }));
      for (const vector of vectors) {
        expect(vector).toHaveLength(embedder.dimensions);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
      }
    }),
  );
});

test.each([
  ["nothing", ""],
  ["punctuation", "?! … —"],
  ["stop words", "who is it"],
  ["emoji", "👨‍👩‍👧🎂"],
  ["a lone surrogate", "\ud800"],
  ["Hebrew", "שלום עולם"],
  ["Chinese", "今天天气很好"],
  ["one long word", "x".repeat(100_000)],
  ["a long text", "lorem ipsum dolor sit amet ".repeat(3_704)],
])("takes %s", async (_name, text) => {
  const [vector] = await embedder.embed([text], { purpose: "passage" });
  expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 4);
});

test("a change of the features needs a new id: vectors stored under the old one would not compare", async () => {
  const [vector] = await embedder.embed(["The quick brown fox"], { purpose: "passage" });
  const sample = [...(vector ?? [])].flatMap((value, i) =>
    Math.abs(value) > 0.33 ? [[i, Number(value.toFixed(3))]] : [],
  );
  expect({ id: embedder.id, sample }).toEqual({
    id: "built-in-1:384",
    sample: [
      [62, 0.516],
      [319, 0.387],
      [323, -0.387],
    ],
  });
});

test("places inflected, accented and misspelt words near each other, and others apart", async () => {
  expect(await cosine("She paints", "painted, painting")).toBeCloseTo(1, 2);
  expect(await cosine("Café crème", "cafe creme")).toBeCloseTo(1, 5);
  expect(await cosine("an elefant", "the elephant")).toBeGreaterThan(0.15);
  expect(await cosine("went swimming", "going for a swim")).toBeGreaterThan(0.9);
  expect(Math.abs(await cosine("train to Vienna", "tomato soup"))).toBeLessThan(0.1);
});

test("weighs a repeated word more, but less than proportionally", async () => {
  const once = await cosine("tea", "tea coffee");
  const often = await cosine("tea", "tea tea tea tea tea tea tea tea coffee");
  expect(often).toBeGreaterThan(once);
  expect(often).toBeLessThan(0.97);
});
