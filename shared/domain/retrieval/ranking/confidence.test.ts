import { describe, expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../../test/fixtures/blank-document.ts";
import { askedRanges } from "../../../language/dates/asked.ts";
import { Query } from "../../../language/questions/query.ts";
import type { SearchAnswer, SearchHit } from "../../../ports/search-index.ts";
import { confidenceOf, isUnrelated, signalsOf } from "./confidence.ts";

interface Model {
  mean: number;
  deviation: number;
}

const document = { ...BLANK_DOCUMENT, org: "org_1", id: "0" };
const MODELS: Model[] = [
  { mean: 0.14, deviation: 0.13 },
  { mean: 0.52, deviation: 0.07 },
  { mean: 0.77, deviation: 0.03 },
];

/** Returns candidates with these deviations from unrelated texts; the first holds the given terms of "green tea". */
function answerOf({ mean, deviation }: Model, meanings: number[], held: string[]): SearchAnswer {
  const semantic = meanings.map((meaning, position) => ({
    id: String(position),
    score: (1 + mean + meaning * deviation) / 2,
    document,
  }));
  const keyword = held.length === 0 ? [] : [{ id: "0", score: 1, terms: held, document }];
  const statistics = { documents: 100, terms: ["green", "tea"].map((term) => ({ term, documents: 5 })) };
  return { semantic, keyword, statistics };
}

const question = { query: new Query("green tea"), now: 0 };
const rankedOf = (hits: SearchHit[]) => hits.map((hit) => ({ ...hit, semanticScore: hit.score }));

const confidence = (model: Model, answer: SearchAnswer, isLexical = false) =>
  confidenceOf({ background: model, isLexical }, { question, ranked: rankedOf(answer.semantic), answer });

describe("confidence", () => {
  it("is the same for every embedder whose unrelated texts are known", () => {
    for (const meanings of [
      [4, 1, 0],
      [0, 0, -1],
    ]) {
      const [first, ...others] = MODELS.map((model) => confidence(model, answerOf(model, meanings, ["tea"])));
      for (const other of others) expect(other.confidence).toBeCloseTo(first?.confidence ?? 0, 6);
    }
  });

  it.each([true, false])("grows with meaning and with the words that are held (lexical: %s)", (isLexical) => {
    const [model] = MODELS;
    const of = (meanings: number[], held: string[] = []) =>
      confidence(model!, answerOf(model!, meanings, held), isLexical).confidence;
    expect(of([4])).toBeGreaterThan(of([2]));
    const byWords = [of([2]), of([2], ["tea"]), of([2], ["green", "tea"])];
    expect(byWords).toEqual(byWords.toSorted());
    expect(new Set(byWords).size).toBe(3);
  });

  it("tells what has an answer from what has none", () => {
    const [model] = MODELS;
    expect(confidence(model!, answerOf(model!, [6, 1, 0], ["green", "tea"]))).toMatchObject({ isConfident: true });
    expect(confidence(model!, answerOf(model!, [0, 0, 0], []))).toMatchObject({ isConfident: false });
    expect(confidence(model!, { semantic: [], keyword: [] })).toEqual({ confidence: 0, isConfident: false });
  });

  it("takes words for the meaning where there is no vector", () => {
    const [model] = MODELS;
    const { keyword, statistics } = answerOf(model!, [], ["tea"]);
    const answer = { semantic: [], keyword, ...(statistics && { statistics }) };
    const signals = signalsOf({ background: model! }, { question, ranked: rankedOf(keyword), answer });
    expect(signals).toEqual({ meaning: 0.5, coverage: 0.5, otherLanguage: 0, time: 0 });
  });

  it("tells what is in another language, and what is of the time that is asked about", () => {
    const [model] = MODELS;
    const { statistics } = answerOf(model!, [], []);
    const statisticsOf = (...terms: string[]) => ({
      ...statistics!,
      terms: terms.map((term) => ({ term, documents: 5 })),
    });
    const signals = (query: string, content: string, terms: string[]) => {
      const hit = { id: "0", score: 0.6, document: { ...document, content, occurred_at: "2026-11-12T00:00:00.000Z" } };
      const now = Date.parse("2026-11-20");
      const asked = askedRanges(new Query(query), { instant: new Date(now) });
      const answer = { semantic: [hit], keyword: [], statistics: statisticsOf(...terms) };
      return signalsOf(
        { background: model! },
        { question: { query: new Query(query), now, asked }, ranked: rankedOf([hit]), answer },
      );
    };
    expect(signals("Wo habe ich gegessen?", "I had dinner with Ada at the station.", ["gegessen"])).toMatchObject({
      otherLanguage: 1,
      time: 0,
    });
    const dinner = "I had dinner with Ada at the station.";
    expect(signals("What did I do last week?", dinner, ["last", "week"])).toMatchObject({ otherLanguage: 0, time: 1 });
    expect(signals("Who had dinner last week?", dinner, ["dinner", "last", "week", "ada"]).time).toBeCloseTo(0.5);
    expect(signals("What did I do last month?", dinner, ["last", "month"]).time).toBe(0);
  });
});

describe("what has nothing to do with a query", () => {
  const [, , model] = MODELS;
  const FLAT = [1.2, 1.1, 1, 0.8, 0.6, 0.4, 0.2, 0.1];
  const CLEAR = [1.9, 0, 0, 0, 0, 0, 0, 0];

  it.each([
    ["no word is held and none is nearer than the others", "asdfgh qwerty", FLAT, [], true],
    ["one is much nearer than the others", "beverage", CLEAR, [], false],
    ["all are near", "beverage", [3.2, 3.1, 3, 2.9, 2.8, 2.7, 2.6, 2.5], [], false],
    ["a number of two parts is held by none", "Where is 9400-1118?", CLEAR, ["9400"], true],
    ["a time is no code", "Mon train part à 8h14 ?", FLAT, ["train"], false],
    ["a word is held", "green", FLAT, ["green"], false],
    ["too few are found to compare", "beverage", FLAT.slice(0, 2), [], false],
    ["a code is held", "Is ABC-123 open?", FLAT, ["abc", "123"], false],
    ["another code is held", "Is ABC-999 open?", CLEAR, ["abc", "123"], true],
    ["a placeholder was not filled in", ["$", "{mid}"].join(""), CLEAR, [], true],
    ["a placeholder is held", "{{user}}", CLEAR, ["user"], false],
    ["a share is no placeholder", "Is it 50%?", CLEAR, [], false],
    ["a number with its unit is no code", "Do I take 400mg?", FLAT, ["take"], false],
  ])("recognizes whether it is unrelated: %s", (_case, query, meanings, held, expected) => {
    const answer = answerOf(model!, meanings, held);
    const found = { question: { query: new Query(query), now: 0 }, ranked: rankedOf(answer.semantic), answer };
    expect(isUnrelated({ background: model! }, found)).toBe(expected);
  });
});
