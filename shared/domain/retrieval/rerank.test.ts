import { describe, expect, test, vi } from "vitest";
import { BLANK_DOCUMENT } from "../../../test/fixtures/blank-document.ts";
import { silentLogger } from "../../kernel/logger.ts";
import { Query } from "../../language/questions/query.ts";
import type { Reranker } from "../../ports/reranker.ts";
import type { Rollups } from "../../runtime/stats/rollups.ts";
import { within } from "./deadline.ts";
import type { Ranked } from "./ranking/fusion.ts";
import { rerank } from "./rerank.ts";

const rankedOf = (count: number): Ranked[] =>
  Array.from({ length: count }, (_, index) => {
    const id = String(index).padStart(2, "0");
    const document = { ...BLANK_DOCUMENT, org: "org_1", id, content: `text ${id}` };
    return { id, score: 0.9 - index / 100, semanticScore: 0, keywordScore: 0, document };
  });

type Answer = (texts: string[], options: Parameters<Reranker["rerank"]>[2]) => unknown;

/** Returns a searcher with a reranker that gives this answer, and its counters. */
function searcher(answer: Answer, timeoutMs = 1000) {
  const counted: Record<string, number> = {};
  const count = vi.fn((key: { sk: string }, { add }: { add: Record<string, number> }) => {
    if (key.sk === "total")
      for (const name of ["succeeded", "failed"]) counted[name] = (counted[name] ?? 0) + (add[name] ?? 0);
  });
  const reranker: Reranker = {
    id: "fake",
    timeoutMs,
    rerank: async (_query, texts, options) => (await answer(texts, options)) as number[],
  };
  const rollups = { count } as unknown as Rollups;
  return { counted, searcher: { org: "org_1", clock: () => 0, rollups, logger: silentLogger, ports: { reranker } } };
}

const idsOf = (ranked: Ranked[]) => ranked.map(({ id }) => id);
const scoresOf = (ranked: Ranked[]) => ranked.map(({ score }) => score);

test("orders the best 30 by the mean of both stages; the list of scores and the order of the others stay", async () => {
  const ranked = rankedOf(35);
  const seen: string[][] = [];
  const { searcher: by, counted } = searcher((texts) => {
    seen.push(texts);
    return texts.map((_, index) => (index === 29 ? 1 : 0.5));
  });
  const found = (await rerank(by, { query: new Query("tea"), ranked })) ?? [];
  expect(seen).toEqual([ranked.slice(0, 30).map(({ document }) => document.content)]);
  expect(idsOf(found)).toEqual(["29", ...idsOf(ranked).filter((id) => id !== "29")]);
  expect(scoresOf(found)).toEqual(scoresOf(ranked));
  expect(counted).toEqual({ succeeded: 1, failed: 0 });
});

test("a clear first ranking outweighs a slight preference of the reranker", async () => {
  const [first, second] = rankedOf(2);
  const ranked = [
    { ...first!, score: 0.99 },
    { ...second!, score: 0.1 },
  ];
  const { searcher: by } = searcher(() => [0.4, 0.6]);
  expect(idsOf((await rerank(by, { query: new Query("tea"), ranked })) ?? [])).toEqual(["00", "01"]);
});

describe("keeps the first order and counts a failure if the reranker", () => {
  test.each<[string, Answer]>([
    ["fails", () => Promise.reject(new Error("out of order"))],
    ["returns too few numbers", () => [1, 0]],
    ["returns too many numbers", (texts) => [...texts, 1].map(() => 1)],
    ["returns numbers above 1", (texts) => texts.map((_, index) => index)],
    ["returns NaN", (texts) => texts.map(() => Number.NaN)],
    ["returns a text", () => "garbage"],
    ["returns nothing", () => undefined],
    ["does not answer in time", () => new Promise(() => {})],
  ])("%s", async (_case, answer) => {
    const ranked = rankedOf(5);
    const { searcher: by, counted } = searcher(answer, 20);
    expect(await rerank(by, { query: new Query("tea"), ranked })).toBeUndefined();
    expect(counted).toEqual({ succeeded: 0, failed: 1 });
  });
});

test("takes half of the time that a search has left, so that a slow reranker does not end the search", async () => {
  const ranked = rankedOf(5);
  const limits: number[] = [];
  const { searcher: by, counted } = searcher((_texts, { timeoutMs }) => {
    limits.push(timeoutMs);
    return new Promise(() => {});
  });
  expect(await within(200, (signal) => rerank(by, { query: new Query("tea"), ranked, signal }))).toBeUndefined();
  expect(limits[0]).toBeLessThanOrEqual(100);
  expect(counted).toEqual({ succeeded: 0, failed: 1 });
});

test("ends if the search is aborted, and does not count that as a failure of the reranker", async () => {
  const { searcher: by, counted } = searcher(() => new Promise(() => {}));
  const controller = new AbortController();
  const ended = rerank(by, { query: new Query("tea"), ranked: rankedOf(5), signal: controller.signal });
  controller.abort(new Error("given up"));
  await expect(ended).rejects.toThrow("given up");
  expect(counted).toEqual({});
});

test("does not call the reranker for fewer than two results", async () => {
  const { searcher: by, counted } = searcher(() => [1]);
  expect(await rerank(by, { query: new Query("tea"), ranked: rankedOf(1) })).toBeUndefined();
  expect(counted).toEqual({});
});
