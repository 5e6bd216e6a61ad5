import { expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../test/fixtures/blank-document.ts";
import { Query } from "../../language/questions/query.ts";
import { showable } from "./relevance.ts";
import type { Retrieved } from "./retrieve.ts";

const EMBEDDER = { background: { mean: 0, deviation: 0.1 } };
const defaults = { threshold: 0.7 };

/** Returns memories with these scores; only the last one holds the word "tessel", which `holding` documents hold. */
function retrieved(scores: number[], holding = 1, query = "tessel"): Pick<Retrieved, "ranked" | "answer" | "question"> {
  const ranked = scores.map((score, index) => {
    const document = { ...BLANK_DOCUMENT, org: "org_1", id: String(index) };
    return { id: document.id, score, semanticScore: 0.5, keywordScore: 0, document };
  });
  const last = ranked.at(-1);
  const keyword = last ? [{ ...last, terms: ["tessel"] }] : [];
  const statistics = { documents: 1000, terms: [{ term: "tessel", documents: holding }] };
  return { question: { query: new Query(query), now: 0 }, ranked, answer: { semantic: ranked, keyword, statistics } };
}

const COMMON = 900;

it.each([
  ["what is relevant", [0.95, 0.8, 0.7], COMMON, undefined, 3],
  ["not what is far from the best", [0.95, 0.8, 0.3], COMMON, undefined, 2],
  ["what is nearly as good as a plausible best", [0.66, 0.6, 0.2], COMMON, undefined, 2],
  ["a best that is just plausible", [0.45, 0.2], COMMON, undefined, 1],
  ["nothing where the best is not plausible", [0.1, 0.09], COMMON, undefined, 0],
  ["what holds a rare word, however low", [0.95, 0.01], 10, undefined, 2],
  ["what holds a rare word where nothing is plausible", [0.1, 0.01], 1, undefined, 1],
  ["by a request's own threshold to the letter", [0.95, 0.6, 0.01], 1, 0.7, 1],
  ["everything at a threshold of 0", [0.95, 0.6, 0.01], COMMON, 0, 3],
  ["nothing above 1", [0.95], 1, 1, 0],
  ["nothing of nothing", [], 1, undefined, 0],
])("shows %s", (_, scores, holding, threshold, shown) => {
  expect(showable(EMBEDDER, retrieved(scores, holding), { threshold, defaults })).toHaveLength(shown);
});

it("does not show what holds only a part of a code for its rarity", () => {
  const shown = (query: string) =>
    showable(EMBEDDER, retrieved([0.1], 1, query), { threshold: undefined, defaults }).length;
  expect([shown("tessel"), shown("tessel-7777")]).toEqual([1, 0]);
});

it("shows nothing below a higher score where only words are compared", () => {
  const lexical = { ...EMBEDDER, isLexical: true };
  expect(showable(lexical, retrieved([0.45], COMMON), { threshold: undefined, defaults })).toEqual([]);
});
