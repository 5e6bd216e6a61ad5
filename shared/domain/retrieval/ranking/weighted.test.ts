import { expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../../test/fixtures/blank-document.ts";
import { Query } from "../../../language/questions/query.ts";
import type { SearchHit } from "../../../ports/search-index.ts";
import { fuseByMean } from "./weighted.ts";

const BACKGROUND = { mean: 0.77, deviation: 0.03 };
const WEIGHTS = { semantic: 0.8, keyword: 0.2 };
const NEAR = 3.6;
const UNRELATED = [0.6, 0, -0.5];

/** Returns a hit at this many deviations from unrelated texts. */
function near(id: string, deviations: number): SearchHit {
  const score = (1 + BACKGROUND.mean + deviations * BACKGROUND.deviation) / 2;
  return { id, score, document: { ...BLANK_DOCUMENT, org: "org_1", id } };
}

function fused(query: string, semantic: SearchHit[], keyword: SearchHit[] = []) {
  const statistics = { documents: 100, terms: [{ term: "tea", documents: 5 }] };
  const found = { question: { query: new Query(query), now: 0 }, answer: { semantic, keyword, statistics } };
  return fuseByMean({ background: BACKGROUND }, found, WEIGHTS);
}

it("scores what is near as an answer, and unrelated texts as none", () => {
  const [answer, ...others] = fused("tea", [near("answer", NEAR), ...UNRELATED.map((at) => near(String(at), at))]);
  expect(answer).toMatchObject({ id: "answer", keywordScore: 0 });
  expect(answer?.semanticScore).toBeGreaterThan(0.7);
  for (const { semanticScore } of others) expect(semanticScore).toBeLessThan(0.45);
  for (const { score, semanticScore } of others) expect(score).toBeCloseTo(0.8 * semanticScore);
});

it("scores nothing above 0.4 for a code that nobody said, in the same order", () => {
  const hits = [near("best", NEAR), near("next", NEAR - 1)];
  const scores = fused("OPS-7777", hits).map(({ semanticScore }) => semanticScore);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(Math.max(...scores)).toBeLessThan(0.4);
});

it("estimates the meaning of what has no vector yet by its words", () => {
  const words = { ...near("new", 0), score: 1, terms: ["tea"], isPending: true };
  const [best] = fused(
    "tea",
    UNRELATED.map((at) => near(String(at), at)),
    [words],
  );
  expect(best).toMatchObject({ id: "new", keywordScore: 1 });
  expect(best?.score).toBeGreaterThan(0.7);
});
