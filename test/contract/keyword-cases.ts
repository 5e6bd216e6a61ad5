import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLexicalEmbedder } from "../../shared/domain/models/lexical-embedder.ts";
import { fuse } from "../../shared/domain/retrieval/ranking/fusion.ts";
import type { SearchIndex } from "../../shared/ports/search-index.ts";
import { BLANK_DOCUMENT } from "../fixtures/blank-document.ts";
import cases from "./keyword-cases.json" with { type: "json" };
import type { OpenSearchIndex, SearchIndexUnderTest } from "./search-index.ts";

/** Unrelated texts beside each text. */
const OTHERS = ["Oxygen tanks explode", "Quartz vibrates", "Zebras gallop"];
/** Minimum score of a found text: its share of the query. */
const MIN_SCORE = 0.5;
const KEYWORDS_ALONE = { semantic: 0, keyword: 1 };
const SLOW = 120_000;

/** Queries with texts in the order in which the query ranks them. */
const ORDERS: { rule: string; query: string; texts: string[] }[] = [
  { rule: "a word before its stem", query: "painting", texts: [inside("painting"), inside("paints")] },
  { rule: "the given accents before none", query: "café", texts: [inside("café"), inside("cafe")] },
  { rule: "the word without accents before one with them", query: "cafe", texts: [inside("cafe"), inside("café")] },
  {
    rule: "an identifier before its parts",
    query: "getUserById",
    texts: [inside("getUserById"), inside("get user id")],
  },
  {
    rule: "two words before one twice",
    query: "painting sunset",
    texts: [inside("paints sunsets"), inside("painting paint")],
  },
  { rule: "the right word before a like one", query: "Baker tea", texts: [inside("Baker tea"), inside("Maker tea")] },
];

/** Returns a text of about the same length for any word. */
function inside(word: string): string {
  return `On Monday Ada and her brother went along the river and saw the ${word} of their old neighbour again`;
}

/** Tests the committed cases of keyword search on an adapter, each in a separate organization. */
export function describeKeywordCases(name: string, open: OpenSearchIndex): void {
  describe(`${name}: keywords`, () => {
    const embedder = createLexicalEmbedder();
    let subject: SearchIndexUnderTest;
    let index: SearchIndex;

    beforeAll(async () => {
      subject = await open(embedder, Date.now);
      index = subject.index;
      const texts = [...cases.map(({ text }) => [text]), ...ORDERS.map((order) => order.texts)];
      const documents = texts.flatMap((own, place) =>
        [...own, ...OTHERS].map((content, number) => ({ org: `org_${place}`, id: `${number}`, content })),
      );
      const vectors = await embedder.embed(
        documents.map(({ content }) => content),
        { purpose: "passage" },
      );
      await index.upsert(
        documents.map((document, place) => ({ ...BLANK_DOCUMENT, ...document, embedding: vectors[place] })),
      );
      await subject.drainChangeFeed();
    }, SLOW);

    afterAll(() => subject.close());

    const scoresOf = async (place: number, text: string) => {
      const answer = await index.search({ org: `org_${place}`, now: Date.now(), keyword: { text, limit: 10 } });
      const scored = fuse(answer, KEYWORDS_ALONE).filter(({ keywordScore }) => keywordScore >= MIN_SCORE);
      return new Map(scored.map(({ id, keywordScore }) => [id, keywordScore]));
    };

    it.each(cases.map((one, place) => ({ ...one, place })))(
      "$language: '$query' finds '$text': $finds",
      async ({ query, finds, place }) => {
        expect([...(await scoresOf(place, query)).keys()]).toEqual(finds ? ["0"] : []);
      },
    );

    it.each(ORDERS.map((order, place) => ({ ...order, place: cases.length + place })))(
      "ranks $rule",
      async ({ query, place }) => {
        const scores = await scoresOf(place, query);
        expect(scores.get("0")).toBeGreaterThan(scores.get("1") ?? 0);
      },
    );
  });
}
