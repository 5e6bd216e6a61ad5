import { expect, test } from "vitest";
import { BLANK_DOCUMENT } from "../../../test/fixtures/blank-document.ts";
import type { NeighbourRequest, SearchAnswer, SearchSource } from "../../ports/search-index.ts";
import { fuse } from "./ranking/fusion.ts";
import { type SpreadingRequest, spread } from "./spreading.ts";

const SCOPE = { org: "org_1", now: 0, filters: { user_id: ["ann"] } };
const WEIGHTS = { semantic: 0, keyword: 1 };
const PARAMETERS = { maxHops: 3, decayFactor: 0.85, threshold: 0.1, budget: 1 };

function memory(id: string, content: string, rest: Partial<SearchSource> = {}): SearchSource {
  return { ...BLANK_DOCUMENT, org: "org_1", id, content, ...rest };
}

/** Returns an index with these neighbours that records its requests. */
function indexOf(documents: SearchSource[], inTime: Record<string, string[]>, members: Record<string, string[]> = {}) {
  const requests: NeighbourRequest[] = [];
  return {
    requests,
    async neighbours(request: NeighbourRequest) {
      requests.push(request);
      const answer = {
        inTime: new Map(request.documents.map(({ id }) => [id, inTime[id] ?? []])),
        members: new Map(request.entities.map((entity) => [entity, members[entity] ?? []])),
      };
      const named = new Set([...answer.inTime.values(), ...answer.members.values()].flat());
      return { ...answer, documents: documents.filter(({ id }) => named.has(id)) };
    },
  };
}

/** Returns an answer whose keyword hits hold the given terms of "tea party"; without semantic hits. */
function answerOf(...hits: { document: SearchSource; terms: string[] }[]): SearchAnswer {
  const terms = ["tea", "party"].map((term) => ({ term, documents: 5 }));
  const keyword = hits.map(({ document, terms: held }) => ({
    id: document.id,
    score: held.length,
    terms: held,
    document,
  }));
  return { semantic: [], keyword, statistics: { documents: 100, terms } };
}

/** Hits with both terms, the first and the second. */
const PARTIES = [
  { document: memory("1", "x tea party"), terms: ["tea", "party"] },
  { document: memory("2", "x tea"), terms: ["tea"] },
  { document: memory("3", "x party"), terms: ["party"] },
];

const request = (answer: SearchAnswer, rest: Partial<SpreadingRequest> = {}): SpreadingRequest => ({
  ranked: fuse(answer, WEIGHTS),
  weights: WEIGHTS,
  scope: SCOPE,
  parameters: PARAMETERS,
  ...rest,
});

test("brings up what was said right before and after, in one query a hop, within the scope", async () => {
  const [before, found, after] = [
    memory("1", "Who comes?"),
    memory("2", "The tea party"),
    memory("3", "Alice, I hope."),
  ];
  const index = indexOf([before, found, after], { 2: ["1", "3"] });
  const { ranked, stats } = await spread(index, request(answerOf({ document: found, terms: ["tea", "party"] })));
  expect(ranked.map(({ id, hop }) => [id, hop])).toEqual([
    ["2", 0],
    ["1", 1],
    ["3", 1],
  ]);
  expect(ranked[1]).toMatchObject({ semanticScore: 0, keywordScore: 0, document: before });
  expect(ranked[1]?.path.map(({ node }) => node)).toEqual(["2", "1"]);
  expect(index.requests[0]).toMatchObject({ ...SCOPE, documents: [{ id: "2" }], entities: [] });
  expect(index.requests.length).toBeLessThanOrEqual(3);
  expect(stats).toMatchObject({ initialNodes: 1, activatedNodes: 3 });
});

test("reaches through an entity what never was near", async () => {
  const found = memory("1", "The tea party", { entity_ids: ["ent_alice", "ent_hub"] });
  const far = memory("9", "A rabbit hole", { entity_ids: ["ent_alice"] });
  const index = indexOf([found, far], {}, { ent_alice: ["1", "9"], ent_hub: [] });
  const { ranked } = await spread(index, request(answerOf({ document: found, terms: ["tea", "party"] })));
  expect(ranked.find(({ id }) => id === "9")?.path.map(({ node }) => node)).toEqual(["1", "ent_alice", "9"]);
  expect(ranked.map(({ id }) => id)).not.toContain("ent_alice");
  expect(index.requests.flatMap(({ entities }) => entities)).toEqual(["ent_alice", "ent_hub"]);
});

test("forgets a neighbour with time: after an hour it counts half", async () => {
  const found = memory("1", "The tea party", { created_at: "2024-01-01T12:00:00.000Z" });
  const soon = memory("2", "soon", { created_at: "2024-01-01T12:00:00.000Z" });
  const later = memory("3", "later", { created_at: "2024-01-01T13:00:00.000Z" });
  const nextWeek = memory("4", "next week", { created_at: "2024-01-08T12:00:00.000Z" });
  const index = indexOf([soon, later, nextWeek], { 1: ["2", "3", "4"] });
  const parameters = { ...PARAMETERS, threshold: 0, maxHops: 1 };
  const { ranked } = await spread(
    index,
    request(answerOf({ document: found, terms: ["tea", "party"] }), { parameters }),
  );
  const arrived = Object.fromEntries(ranked.map(({ id, path }) => [id, path.at(-1)?.activation ?? 0]));
  expect((arrived[3] ?? 0) / (arrived[2] ?? 0)).toBeCloseTo(0.5);
  expect(arrived[4]).toBeLessThan(1e-9);
});

test("without hops ranks the search's own hits, in its order", async () => {
  const answer = answerOf(...PARTIES);
  const index = indexOf(
    PARTIES.map(({ document }) => document),
    { 1: ["2", "3"] },
  );
  const { ranked } = await spread(index, request(answer, { parameters: { ...PARAMETERS, maxHops: 0, threshold: 0 } }));
  expect(ranked.map(({ id }) => id)).toEqual(fuse(answer, WEIGHTS).map(({ id }) => id));
  expect(index.requests).toEqual([]);
});

test("answers what is kept, however weak its activation is", async () => {
  const answer = answerOf(...PARTIES);
  const idsWith = async (kept?: Set<string>) => {
    const parameters = { ...PARAMETERS, threshold: 1, ...(kept && { kept }) };
    const { ranked, stats } = await spread(indexOf([], {}), request(answer, { parameters }));
    expect(stats).toMatchObject({ initialNodes: 0, activatedNodes: ranked.length });
    return ranked.map(({ id }) => id);
  };
  expect(await idsWith()).toEqual([]);
  expect(await idsWith(new Set(["1", "3", "not found"]))).toEqual(["1", "3"]);
});

test("makes nothing of nothing", async () => {
  const { ranked, stats } = await spread(indexOf([], {}), request({ semantic: [], keyword: [] }));
  expect(ranked).toEqual([]);
  expect(stats).toEqual({ initialNodes: 0, activatedNodes: 0, totalHops: 0, propagationEfficiency: 0 });
});
