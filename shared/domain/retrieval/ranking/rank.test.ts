import { describe, expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../../test/fixtures/blank-document.ts";
import { Query } from "../../../language/questions/query.ts";
import type { Calibrated } from "../../../ports/embedder.ts";
import type { Neighbours, SearchAnswer, SearchHit, SearchSource } from "../../../ports/search-index.ts";
import { confidenceOf } from "./confidence.ts";
import { featuresOf, speakerOf } from "./features.ts";
import { individualScores, rank } from "./rank.ts";

const EMBEDDER = { background: { mean: 0.1, deviation: 0.1 } };
const SCOPE = { org: "org_1", now: 0 };
const UNRELATED = 0.55;
const NEAR = 0.8;

function memory(id: string, content: string, rest: Partial<SearchSource> = {}): SearchSource {
  return { ...BLANK_DOCUMENT, org: "org_1", id, content, ...rest };
}

interface Found {
  document: SearchSource;
  /** (1 + cosine) / 2 */
  meaning?: number;
  /** The terms of "tea party" that it holds. */
  terms?: string[];
  isPending?: boolean;
}

function answerOf(...found: Found[]): SearchAnswer {
  const semantic = found.flatMap(({ document, meaning }): SearchHit[] =>
    meaning === undefined ? [] : [{ id: document.id, score: meaning, document }],
  );
  const keyword = found.flatMap(({ document, terms, isPending }): SearchHit[] =>
    terms === undefined
      ? []
      : [{ id: document.id, score: terms.length, terms, document, ...(isPending && { isPending }) }],
  );
  const statistics = { documents: 100, terms: ["tea", "party"].map((term) => ({ term, documents: 5 })) };
  const sorted = (hits: SearchHit[]) => hits.sort((a, b) => b.score - a.score);
  return { semantic: sorted(semantic), keyword: sorted(keyword), statistics };
}

/** Returns the ranked order, with `session` as the neighbours in time, in that order. */
async function order(query: string, found: Found[], session: SearchSource[] = []) {
  const inTime = new Map(
    session.map(({ id }, i) => [id, session.flatMap((one, k) => (k !== i && Math.abs(k - i) <= 2 ? one.id : []))]),
  );
  const neighbours = async (): Promise<Neighbours> => ({ documents: session, inTime, members: new Map() });
  const ports = { embedder: EMBEDDER, search: { neighbours } };
  return rank(ports, { query: new Query(query), answer: answerOf(...found), scope: SCOPE, now: SCOPE.now });
}

const idsOf = (ranked: { id: string }[]) => ranked.map(({ id }) => id);

describe("the ranking", () => {
  it("puts what has the words, or the meaning, before what has neither, and scores stay in 0..1", async () => {
    const ranked = await order("tea party", [
      { document: memory("words", "The tea party is on Friday."), meaning: UNRELATED, terms: ["tea", "party"] },
      { document: memory("meaning", "We celebrate with hot drinks."), meaning: NEAR },
      { document: memory("neither", "The car is in the garage."), meaning: UNRELATED },
    ]);
    expect(idsOf(ranked).at(-1)).toBe("neither");
    for (const { score } of ranked) expect(score > 0 && score < 1).toBe(true);
    const [words, meaning] = ["words", "meaning"].map((id) => ranked.find((hit) => hit.id === id)?.score ?? 0);
    expect(Math.min(words!, meaning!)).toBeGreaterThanOrEqual(0.7);
  });

  it("judges cosines by the embedder that made the vectors, not by the one in use", async () => {
    const tea = memory("meaning", "We celebrate with hot drinks.");
    const found = [{ document: tea, meaning: NEAR }];
    const scoreBy = (inUse: Calibrated, comparedBy?: Calibrated) => {
      const answer = { ...answerOf(...found), ...(comparedBy && { comparedBy }) };
      const scores = individualScores(inUse, { query: new Query("tea party"), answer, now: 0 });
      const { confidence } = confidenceOf(inUse, {
        question: { query: new Query("tea party"), now: 0 },
        ranked: answer.semantic.map((hit) => ({ ...hit, semanticScore: hit.score })),
        answer,
      });
      return [scores.get("meaning"), confidence];
    };
    const wide = { background: { mean: 0.7, deviation: 0.3 } };
    expect(scoreBy(wide)).not.toEqual(scoreBy(EMBEDDER));
    expect(scoreBy(wide, EMBEDDER)).toEqual(scoreBy(EMBEDDER));
    expect(scoreBy({ ...EMBEDDER, isLexical: true }, EMBEDDER)).toEqual(scoreBy(EMBEDDER));
  });

  it("shows nothing where nothing is near", async () => {
    const [hit] = await order("tea party", [
      { document: memory("1", "The car is in the garage."), meaning: UNRELATED },
    ]);
    expect(hit?.score).toBeLessThan(0.7);
  });

  it("prefers an answer to the question that it answers", async () => {
    const said = (id: string, content: string, seconds: number) =>
      memory(id, content, { session_id: "s", created_at: new Date(seconds * 1000).toISOString() });
    const session = [said("1", "When is the tea party?", 1), said("2", "On Friday, in the big garden.", 2)];
    const other = memory("3", "On Friday, in the big garage.", { session_id: "t" });
    const ranked = await order(
      "tea party",
      [
        { document: session[0]!, meaning: 0.6, terms: ["tea", "party"] },
        { document: session[1]!, meaning: 0.6 },
        { document: other, meaning: 0.6 },
      ],
      session,
    );
    expect(idsOf(ranked).indexOf("2")).toBeLessThan(idsOf(ranked).indexOf("3"));
  });

  it("prefers people's own words, unless the assistant is asked what it said", async () => {
    const by = (speaker: string) => memory(speaker, "Green tea is best for the party.", { metadata: { speaker } });
    const both = { meaning: NEAR, terms: ["tea", "party"] };
    const found = ["user", "assistant"].map((speaker) => ({ ...both, document: by(speaker) }));
    expect(idsOf(await order("tea for the party", found))).toEqual(["user", "assistant"]);
    expect(idsOf(await order("which tea did you recommend for the party", found))).toEqual(["assistant", "user"]);
  });

  it("prefers what the user says to the same among people whom the query does not name", async () => {
    const by = (speaker: string, created_at: string) =>
      memory(speaker, "I drink green tea at the party.", { session_id: speaker, metadata: { speaker }, created_at });
    const found = [by("user", "1970-01-02T00:00:00Z"), by("Tim", "1970-01-01T00:00:00Z")].map((document) => {
      return { document, meaning: NEAR, terms: ["tea", "party"] };
    });
    expect(idsOf(await order("which tea do I drink at the party", found))).toEqual(["user", "Tim"]);
    expect(idsOf(await order("which tea does Tim drink at the party", found))).toEqual(["Tim", "user"]);
  });

  it("takes a document whose vector is still to come for as near in meaning as in words", async () => {
    const text = { terms: ["tea", "party"] };
    const far = { document: memory("far", "Tea party"), meaning: UNRELATED, ...text };
    const pending = { document: memory("pending", "Tea party"), isPending: true, ...text };
    expect(idsOf(await order("tea party", [far, pending]))).toEqual(["pending", "far"]);
  });

  it("expects of a pending document the meaning that its words have in other documents", async () => {
    const other = { document: memory("other", "Tea"), meaning: 0.95, terms: ["tea"] };
    const pending = { document: memory("pending", "Tea party"), isPending: true, terms: ["tea", "party"] };
    expect(idsOf(await order("tea party", [other, pending]))).toEqual(["pending", "other"]);
  });

  it("works without any semantic hit, and on nothing", async () => {
    const [hit] = await order("tea party", [{ document: memory("1", "The tea party"), terms: ["tea", "party"] }]);
    expect(hit?.score).toBeGreaterThanOrEqual(0.7);
    expect(await order("tea party", [])).toEqual([]);
  });

  it("asks for neighbours only where a candidate has a session", async () => {
    const search = { neighbours: () => Promise.reject(new Error("no neighbours are to be read")) };
    const answer = answerOf({ document: memory("1", "tea"), meaning: NEAR, terms: ["tea"] });
    const ranked = await rank(
      { embedder: EMBEDDER, search },
      { query: new Query("tea party"), answer, scope: SCOPE, now: SCOPE.now },
    );
    expect(individualScores(EMBEDDER, { query: new Query("tea party"), answer, now: SCOPE.now })).toEqual(
      new Map([["1", ranked[0]?.score]]),
    );
  });
});

it.each([
  [{ metadata: { speaker: "Ada" }, content: "Bob: hello" }, "ada"],
  [{ metadata: { role: "assistant" }, content: "Hello" }, "assistant"],
  [{ metadata: {}, content: "Bob Miller: hello" }, "bob miller"],
  [{ metadata: { speaker: 7 }, content: "10:30: hello" }, undefined],
  [{ metadata: {}, content: `${"x".repeat(200)}: hello` }, undefined],
])("knows who said %j", (document, speaker) => {
  expect(speakerOf(document)).toBe(speaker);
});

it.each([
  ["Which tyres do I need?", 1],
  ["Hi there, how are you today?", 1],
  ["I'm setting up the shop with Postgres and want to be done by 3 April at the latest, can you plan it?", 0],
  ["The budget for the kitchen is 11,500. We want oak fronts and a gas stove. What is left?", 0],
  ["I need winter tyres.", 0],
])("tells whether %j only asks", (content, expected) => {
  const candidate = {
    id: "a",
    document: memory("a", content),
    score: 0,
    semanticScore: 0,
    keywordScore: 0,
    meaning: 0,
  };
  const [features] = featuresOf({ query: new Query("tyres"), now: 1 }, [candidate], {
    inTime: new Map(),
    documents: [],
  });
  expect(features?.question).toBe(expected);
});
