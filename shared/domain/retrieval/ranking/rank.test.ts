import { describe, expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../../test/fixtures/blank-document.ts";
import type { Calibrated, Neighbours, SearchAnswer, SearchHit, SearchSource } from "../../../ports/ports.ts";
import { confidenceOf } from "./confidence.ts";
import { type Candidate, featuresOf, speakerOf } from "./features.ts";
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
  return rank(ports, { query, answer: answerOf(...found), scope: SCOPE, now: SCOPE.now });
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
      const scores = individualScores(inUse, { query: "tea party", answer, now: 0 });
      const { confidence } = confidenceOf(inUse, {
        question: { query: "tea party", now: 0 },
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
      { query: "tea party", answer, scope: SCOPE, now: SCOPE.now },
    );
    expect(individualScores(EMBEDDER, { query: "tea party", answer, now: SCOPE.now })).toEqual(
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

it("compares the user's memories in time with each other, ignoring other people's in between", () => {
  const candidateOf = (id: string, speaker: string, day: number): Candidate => {
    const created_at = new Date(Date.UTC(2026, 0, day)).toISOString();
    const document = memory(id, "tea", { metadata: { speaker }, session_id: speaker, created_at });
    return { id, document, score: 0, semanticScore: 0, keywordScore: 0, meaning: 0 };
  };
  const own = [10, 20, 30].map((day) => candidateOf(`own_${day}`, "user", day));
  const talk = [1, 2, 3, 11, 12, 13].map((day) => candidateOf(`talk_${day}`, "Tim", day));
  const recentAmong = (candidates: Candidate[]) =>
    featuresOf({ query: "tea", now: Date.UTC(2026, 1, 1) }, candidates, { inTime: new Map(), documents: [] })
      .slice(0, own.length)
      .map(({ recent }) => recent);
  expect(recentAmong([...own, ...talk])).toEqual([0, 0.5, 1]);
  expect(recentAmong(own)).toEqual([0, 0.5, 1]);
});

it("puts nothing that was stored at the same time before the rest, like the chunks of one document", async () => {
  const near = { document: memory("near", "We celebrate with hot drinks."), meaning: NEAR };
  const less = { document: memory("less", "We celebrate with hot meals."), meaning: NEAR - 0.002 };
  const ids = Array.from({ length: 9 }, (_, place) => `other_${place}`);
  const others = ids.map((id) => ({ document: memory(id, "The car is in the garage."), meaning: UNRELATED }));
  const ranked = await order("what do we do now?", [near, less, ...others]);
  expect(idsOf(ranked).slice(0, 2)).toEqual(["near", "less"]);
  const candidates = ranked.map((hit) => ({ ...hit, meaning: 0 }));
  const features = featuresOf({ query: "tea now", now: 1 }, candidates, { inTime: new Map(), documents: [] });
  expect(new Set(features.map(({ recent }) => recent))).toEqual(new Set([0.5]));
});

it.each([
  ["2023-06-01T00:00:00Z", ["plan", "stored_late", "past", "soon"]],
  ["2020-06-01T00:00:00Z", ["plan", "soon", "past", "stored_late"]],
  ["2031-01-01T00:00:00Z", ["stored_late", "past", "soon", "plan"]],
])("what happened nearest to %s is the most recent, whenever it was stored", (now, expected) => {
  const happened = (id: string, occurred_at: string, created_at: string): Candidate => {
    const document = memory(id, "tea", { occurred_at, created_at });
    return { id, document, score: 0, semanticScore: 0, keywordScore: 0, meaning: 0 };
  };
  const candidates = [
    happened("plan", "2030-01-01T00:00:00.000+02:00", "2022-01-01T00:00:00.000Z"),
    happened("past", "2021-12-01T00:00:00.000Z", "2022-03-01T00:00:00.000Z"),
    happened("soon", "2023-09-01T00:00:00.000-05:00", "2022-02-01T00:00:00.000Z"),
    happened("stored_late", "2020-01-01T00:00:00.000Z", "2023-05-30T00:00:00.000Z"),
  ];
  const question = { query: "tea", now: Date.parse(now) };
  const features = featuresOf(question, candidates, { inTime: new Map(), documents: [] });
  const recent = candidates.map(({ id }, place) => ({ id, recent: features[place]?.recent ?? 0 }));
  expect(idsOf(recent.toSorted((a, b) => a.recent - b.recent))).toEqual(expected);
});
