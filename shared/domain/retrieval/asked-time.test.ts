import { describe, expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../test/fixtures/blank-document.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import { silentLogger } from "../../kernel/logger.ts";
import { Query } from "../../language/questions/query.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import type { SearchAnswer, SearchHit, SearchIndex, SearchRequest } from "../../ports/search-index.ts";
import { filtersAround, mergeAnswers } from "./asked-time.ts";
import { fuseByMean } from "./ranking/weighted.ts";
import { retrieve } from "./retrieve.ts";

const NOW = Date.parse("2026-11-20T09:00:00.000Z");
const USER = "user_0123456789abcdef01234567";

function hit(id: string, content: string, { score, occurred_at }: { score: number; occurred_at: string }): SearchHit {
  return { id, score, document: { ...BLANK_DOCUMENT, org: "org_a", id, content, user_id: USER, occurred_at } };
}

/** Returns a context whose index filters by time only, and the requests and reads it receives. */
function searcherOf(hits: SearchHit[], timezone?: string) {
  const requests: SearchRequest[] = [];
  const reads: unknown[] = [];
  const search = async (request: SearchRequest): Promise<SearchAnswer> => {
    requests.push(request);
    const { occurred_after: after = "", occurred_before: before = "9999" } = request.filters ?? {};
    const isThen = ({ document: { occurred_at = "" } }: SearchHit) => after <= occurred_at && occurred_at <= before;
    const best = request.filters?.occurred_after === undefined ? hits.slice(0, 1) : hits.filter(isThen);
    return { semantic: best, keyword: [], statistics: { documents: 10, terms: [] } };
  };
  const get = async (key: unknown) => {
    reads.push(key);
    return timezone === undefined ? undefined : { preferences: { timezone } };
  };
  const embed = async () => [new Float32Array([1])];
  const embedder = { id: "test", background: { mean: 0.1, deviation: 0.1 }, embed } as unknown as Embedder;
  const ctx = {
    ...{ org: "org_a", viewer: undefined, clock: () => NOW, logger: silentLogger, rollups: { count: () => {} } },
    settings: { read: async <Value>({ initial }: { initial: Value }) => initial },
    ports: { embedder, search: { search } as unknown as SearchIndex, records: { get } as unknown as RecordStore },
  };
  return { ctx, requests, reads };
}

const OFTEN = hit("often", "I do sports every week.", { score: 0.56, occurred_at: "2026-02-01T00:00:00.000Z" });
const THEN = hit("then", "Dinner at the Georgian place.", { score: 0.52, occurred_at: "2026-11-12T12:00:00.000Z" });
const BEFORE = hit("before", "The bike was stolen.", { score: 0.52, occurred_at: "2026-11-06T12:00:00.000Z" });

const query = "What did I do last week?";

describe("a search for a time", () => {
  it("finds what happened then, whatever words it has, before what happened near to it", async () => {
    const { ctx, requests } = searcherOf([OFTEN, THEN, BEFORE]);
    const { ranked } = await retrieve(ctx, { query: new Query(query), depth: 10 });
    expect(ranked.map(({ id }) => id)).toEqual(["then", "before", "often"]);
    expect(requests).toHaveLength(2);
  });

  it("loses nothing of what it finds without the time", async () => {
    const { ctx } = searcherOf([OFTEN]);
    const { ranked } = await retrieve(ctx, { query: new Query(query), depth: 10 });
    expect(ranked.map(({ id }) => id)).toEqual(["often"]);
  });

  it("costs one query of the index where no time is named, and no read of the user", async () => {
    const { ctx, requests, reads } = searcherOf([OFTEN, THEN]);
    await retrieve(ctx, { query: new Query("When did I have dinner?"), filters: { user_id: [USER] }, depth: 10 });
    expect([requests.length, reads.length]).toEqual([1, 0]);
  });

  it("counts from the moment that it is asked at, by the time zone of the user", async () => {
    const { ctx, requests, reads } = searcherOf([OFTEN], "Pacific/Auckland");
    const now = Date.parse("2026-05-02T00:00:00.000Z");
    const request = { query: new Query("What did I eat yesterday?"), filters: { user_id: [USER] }, depth: 10 };
    await retrieve(ctx, { ...request, now, asOf: NOW });
    expect(reads).toHaveLength(1);
    expect(requests[1]?.filters).toEqual({
      user_id: [USER],
      occurred_after: "2026-04-29T12:00:00.001Z",
      occurred_before: "2026-05-02T11:59:59.998Z",
    });
  });

  it("keeps the order that the request sets", async () => {
    const { ctx, requests } = searcherOf([OFTEN, THEN]);
    const fusion = { weights: { semantic: 1, keyword: 0 }, fuse: fuseByMean };
    const { ranked } = await retrieve(ctx, { query: new Query(query), fusion, depth: 10 });
    expect([ranked.map(({ id }) => id), requests.length]).toEqual([["often"], 1]);
  });
});

it("stays within the request's own range, and adds a month at most", () => {
  const year = { from: Date.parse("2025-01-01"), to: Date.parse("2026-01-01") };
  const occurred_after = "2025-03-01T00:00:00.000Z";
  expect(filtersAround([year], { occurred_after })).toEqual({
    occurred_after,
    occurred_before: new Date(year.to + 31 * DAY_MS).toISOString(),
  });
  expect(filtersAround([{ from: Number.NEGATIVE_INFINITY, to: year.to }])).toEqual({
    occurred_before: "2026-02-01T00:00:00.000Z",
  });
  expect(filtersAround([], {})).toBeUndefined();
});

it("what a second query adds makes nothing else weaker that only words found", () => {
  const answer = (semantic: SearchHit[]): SearchAnswer => ({ semantic, keyword: [] });
  const found = mergeAnswers(answer([OFTEN]), answer([OFTEN, THEN]));
  expect([found.semantic.map(({ id }) => id), found.weakest]).toEqual([["often", "then"], 0.56]);
});
