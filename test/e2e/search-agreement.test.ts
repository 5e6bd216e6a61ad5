import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, openTarget, type Target } from "../support/target.ts";

/** A statement, what was said later, and a question whose answer is the statement ("mention") or the later one. */
interface Pair {
  kind: "mention" | "update";
  question: string;
  older: string;
  newer: string;
}

interface Result {
  id: string;
  score: number;
  superseded_by?: string | undefined;
}

/** Why a mode may order otherwise than `GET /search`: not at all, by weights of its own, or as it leaves out lines. */
type Difference = "none" | "weights" | "block";

let target: Target;
let caller: Caller;
const ALL: Pair[] = JSON.parse(readFileSync("test/fixtures/mentions.json", "utf8"));
const PAIRS = (["mention", "update"] as const).flatMap((kind) => ALL.filter((pair) => pair.kind === kind).slice(0, 30));

// biome-ignore lint/suspicious/noExplicitAny: answers of many routes
async function done(answer: ReturnType<Caller["get"]>): Promise<any> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data ?? body;
}

async function searchByMcp(query: string, user_id: string): Promise<Result[]> {
  const call = { name: "search", arguments: { query, user_id } };
  const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" };
  const { status, body } = await caller.post(
    "/mcp",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: call },
    { headers },
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return body.result.structuredContent.results;
}

const post =
  (route: string) =>
  async (query: string, user_id: string): Promise<Result[]> => {
    const { results } = await done(caller.post(route, { query, filters: { user_id } }));
    return results.map((result: Result & { hybrid_score?: number; activation_score?: number }) => ({
      ...result,
      score: result.score ?? result.hybrid_score ?? result.activation_score,
    }));
  };

const MODES: [string, Difference, (query: string, user: string) => Promise<Result[]>][] = [
  ["POST /search", "none", post("/search")],
  ["POST /search/advanced", "none", post("/search/advanced")],
  ["POST /search/enhanced", "none", post("/search/enhanced")],
  ["search of MCP", "none", searchByMcp],
  ["POST /search/hybrid", "weights", post("/search/hybrid")],
  ["POST /v3/memories/search", "weights", post("/v3/memories/search")],
  [
    "POST /recall",
    "block",
    async (query, user_id) =>
      (await done(caller.post("/recall", { query, user_id }))).items.map(
        ({ memory_id, score }: { memory_id: string; score: number }) => ({ id: memory_id, score }),
      ),
  ],
];

const asked: { pair: Pair; user: string; expected: Result[] }[] = [];
const idsOf = (results: Result[]) => results.map(({ id }) => id);

beforeAll(async () => {
  target = await openTarget();
  caller = await target.organization();
  for (const [index, pair] of PAIRS.entries()) {
    const user = `user-${index}`;
    const memories = [
      { content: pair.older, occurred_at: "2026-05-02T10:00:00Z", user_id: user },
      { content: pair.newer, occurred_at: "2026-11-03T10:00:00Z", user_id: user },
    ];
    await done(caller.post("/memories/batch", { memories }));
    const query = new URLSearchParams({ q: pair.question, user_id: user });
    const { results } = await done(caller.get(`/search?${query}`));
    asked.push({ pair, user, expected: results });
  }
});
afterAll(() => target.close());

it.each(MODES)("%s differs from GET /search only for a known reason", async (_mode, difference, search) => {
  for (const { pair, user, expected } of asked) {
    const results = await search(pair.question, user);
    const differs = idsOf(results).join() !== idsOf(expected).join();
    const isExplained = { none: !differs, weights: true, block: leavesOut(results, expected) }[difference];
    // With its own weights, a mode orders otherwise only memories of which none replaces the other.
    const isFree = difference === "weights" && [...results, ...expected].every((result) => !result.superseded_by);
    expect(isExplained && (isFree || results[0]?.id === expected[0]?.id), `${pair.question} ${user}`).toBe(true);
  }
});

it.each(MODES)("%s scores what is superseded below what replaced it", async (_mode, _difference, search) => {
  for (const { pair, user } of asked) {
    const results = await search(pair.question, user);
    const scores = results.map(({ score }) => score);
    expect(scores, pair.question).toEqual([...scores].sort((one, other) => other - one));
    for (const [index, { score, superseded_by }] of results.entries()) {
      if (superseded_by === undefined) continue;
      expect(results[index - 1]?.id, pair.question).toBe(superseded_by);
      expect(score, pair.question).toBeLessThan(results[index - 1]?.score ?? 0);
    }
  }
});

/** Whether a block has the memories of a search in its order, and leaves out only some behind the first. */
function leavesOut(items: Result[], expected: Result[]): boolean {
  const kept = new Set(idsOf(items));
  return (
    items[0]?.id === expected[0]?.id && idsOf(expected.filter(({ id }) => kept.has(id))).join() === idsOf(items).join()
  );
}
