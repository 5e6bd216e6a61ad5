import { expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../../test/fixtures/blank-document.ts";
import { askedRanges } from "../../../language/dates/asked.ts";
import { Query } from "../../../language/questions/query.ts";
import type { Ranked } from "./fusion.ts";
import { asksOnlyForTime, inOrderOfTime } from "./time-alone.ts";

const now = Date.parse("2026-12-01T00:00:00Z");
const questionOf = (text: string) => {
  const query = new Query(text);
  return { query, now, asked: askedRanges(query, { instant: new Date(now) }) };
};

it.each([
  ["What happened on 19 May?", true],
  ["in February?", true],
  ["Events of 21 May", true],
  ["Was war im März?", true],
  ["Qu'est-ce qui s'est passé en mai 2026 ?", true],
  ["¿Qué pasó en mayo?", true],
  ["What did I buy in May?", false],
  ["What happened?", false],
  ["Who is May?", false],
])("tells whether %j asks for nothing but a time", (query, expected) => {
  expect(asksOnlyForTime(questionOf(query))).toBe(expected);
});

it("puts what happened then first, in its order", () => {
  const hits = ["2026-05-20", "2026-06-02", "2026-05-03"].map((day, index): Ranked => {
    const document = { ...BLANK_DOCUMENT, org: "org_1", id: day, occurred_at: `${day}T10:00:00Z` };
    return { id: day, score: 0.9 - index / 10, semanticScore: 0.9, keywordScore: 0, document };
  });
  const ordered = inOrderOfTime(questionOf("What happened in May?"), hits);
  expect(ordered.map(({ id }) => id)).toEqual(["2026-05-03", "2026-05-20", "2026-06-02"]);
  expect(ordered.map(({ score }) => Math.round(10 * score) / 10)).toEqual([0.9, 0.9, 0.4]);
});
