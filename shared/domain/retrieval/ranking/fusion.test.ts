import fc from "fast-check";
import { expect, test } from "vitest";
import { BLANK_DOCUMENT } from "../../../../test/fixtures/blank-document.ts";
import type { SearchAnswer, SearchHit, SearchSource } from "../../../ports/search-index.ts";
import { corroborate, fuse, plainWeights, weightedMean } from "./fusion.ts";

const EVEN = { semantic: 1, keyword: 1 };
const THRESHOLD = 0.7;

function hit(id: string, score: number, terms?: string[]): SearchHit {
  const document: SearchSource = { ...BLANK_DOCUMENT, org: "org_1", id };
  return { id, score, document, ...(terms === undefined ? {} : { terms }) };
}

/** Returns an answer over 1,000 documents, with the number of documents that hold each term of the query. */
function answer(semantic: SearchHit[], keyword: SearchHit[], terms: Record<string, number> = {}): SearchAnswer {
  const counts = Object.entries(terms).map(([term, documents]) => ({ term, documents }));
  return { semantic, keyword, statistics: { documents: 1000, terms: counts } };
}

const ids = (ranked: { id: string }[]) => ranked.map(({ id }) => id);

test("scores words by their share of the query's information, not by the engine's scale", () => {
  const terms = { anna: 500, paint: 20, seaside: 2 };
  const score = (unit: number) => {
    const hits = [hit("all", 9 * unit, ["anna", "paint", "seaside"]), hit("name", 0.5 * unit, ["anna"])];
    return fuse(answer([], hits, terms), EVEN).map(({ id, keywordScore }) => [id, keywordScore]);
  };
  expect(score(1)).toEqual([
    ["all", expect.closeTo(1)],
    ["name", expect.closeTo(0.051, 2)],
  ]);
  expect(score(2.2)).toEqual(score(1));
});

test("lets no lone hit of one weak word look like an answer", () => {
  const [ranked] = fuse(answer([], [hit("weak", 0.1, ["anna"])], { anna: 900, paint: 0, seaside: 1 }), EVEN);
  expect(ranked?.keywordScore).toBeLessThan(0.05);
  expect(ranked?.score).toBeLessThan(THRESHOLD);
});

test("passes the usual threshold with most of the words, or with a near meaning, and not without both", () => {
  const terms = { bakery: 5, open: 60, sunday: 10 };
  const semantic = [hit("meaning", 0.8), hit("words", 0.55), hit("neither", 0.54)];
  const keyword = [hit("words", 8, ["bakery", "open"]), hit("neither", 1, ["open"])];
  const passing = fuse(answer(semantic, keyword, terms), EVEN).filter(({ score }) => score >= THRESHOLD);
  expect(ids(passing).sort()).toEqual(["meaning", "words"]);
});

test("brings hits of one query alone to the surface", () => {
  const ranked = fuse(answer([hit("semantic", 0.9), hit("far", 0.5)], [hit("keyword", 3, ["tea"])], { tea: 3 }), EVEN);
  expect(ids(ranked)).toEqual(["keyword", "semantic", "far"]);
  expect(ranked.map(({ semanticScore, keywordScore }) => [semanticScore, keywordScore])).toEqual([
    [0.5, 1],
    [0.9, 0],
    [0.5, 0],
  ]);
});

test("orders documents of the same words by BM25, then by id", () => {
  const keyword = [hit("best", 4, ["tea"]), hit("b", 2, ["tea"]), hit("a", 2, ["tea"])];
  expect(ids(fuse(answer([], keyword, { tea: 3 }), EVEN))).toEqual(["best", "a", "b"]);
});

test("halves what an embedder says that only repeats the words", () => {
  expect(plainWeights({ isLexical: true })).toEqual({ semantic: 0.5, keyword: 1 });
  expect(plainWeights({})).toEqual({ semantic: 1, keyword: 1 });
});

test("answers nothing for nothing", () => {
  expect(fuse({ semantic: [], keyword: [] }, EVEN)).toEqual([]);
});

test("a term that every document holds weighs little, but is not a fault", () => {
  const statistics = { documents: 3, terms: [{ term: "tea", documents: 4 }] };
  const [ranked] = fuse({ ...answer([], [hit("a", 1e-6, ["tea"])]), statistics }, EVEN);
  expect(ranked?.keywordScore).toBe(1);
});

test("weighs the mean as asked; no weight at all is no score", () => {
  expect(weightedMean(0.9, 0.4, { semantic: 0.8, keyword: 0.2 })).toBeCloseTo(0.8);
  expect(weightedMean(0.9, 0.4, { semantic: 4, keyword: 1 })).toBeCloseTo(0.8);
  expect(weightedMean(0.9, 0.4, { semantic: 0, keyword: 0 })).toBe(0);
});

test("stays in 0..1 and grows with each score", () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(unit, unit, unit, unit, unit, (semantic, keyword, more, semanticWeight, keywordWeight) => {
      const weights = { semantic: semanticWeight, keyword: keywordWeight };
      for (const combine of [corroborate, weightedMean]) {
        const score = combine(semantic, keyword, weights);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1 + Number.EPSILON);
        expect(combine(Math.max(semantic, more), keyword, weights)).toBeGreaterThanOrEqual(score - 1e-12);
        expect(combine(semantic, Math.max(keyword, more), weights)).toBeGreaterThanOrEqual(score - 1e-12);
      }
    }),
  );
});

test("lets the engine's scores order more where words alone decide", () => {
  const keyword = [hit("often", 9, ["tea", "milk"]), hit("long", 3, ["tea", "milk"])];
  const found = answer([], keyword, { tea: 5, milk: 5 });
  const scoresBy = (semantic: number) => fuse(found, { semantic, keyword: 1 }).map((one) => one.keywordScore);
  expect(scoresBy(0)).toEqual([1, expect.closeTo(1 - 0.8 * (2 / 3))]);
  expect(scoresBy(1)).toEqual([1, expect.closeTo(1 - 0.2 * (2 / 3))]);
});
