/**
 * Compares the calls of both stores and the bytes written by each main request with call-budget.json, which
 * WRITE_BUDGET=1 writes. Unlike times, they are the same on a busy machine.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { HOUR_MS, SECOND_MS } from "../../shared/kernel/durations.ts";
import { CONVERSATIONS } from "../fixtures/conversations.ts";
import { type LocalService, openService } from "../support/service.ts";
import { callsOf, countingCalls, type PortCalls } from "./port-calls.ts";
import { demand } from "./stored-conversations.ts";

const BUDGET = new URL("call-budget.json", import.meta.url);
const USER = "bench";
const RUNS = 5;
const BATCH = 5;
/** The items of a batch are written concurrently, so how many of their changes are read together differs. */
const TOLERANCES: Record<string, number> = { "POST /memories/batch": 0.15 };
/** Times pass only between requests, so that what is cached for seconds stays. */
let now = Date.parse("2026-03-02T09:00:00Z");

const TURNS = Object.entries(CONVERSATIONS).flatMap(([session_id, turns]) =>
  turns.map((content, index) => ({
    content,
    metadata: { session_id, speaker: index % 2 === 0 ? "user" : "assistant" },
  })),
);
const QUESTIONS = TURNS.filter(({ metadata }) => metadata.speaker === "user").map(({ content }) =>
  content.split(" ").slice(0, 9).join(" "),
);

let service: LocalService;
const ids: string[] = [];

const memory = (position: number, round = 0) => {
  const { content, ...rest } = TURNS[position % TURNS.length] ?? { content: "" };
  const occurred_at = new Date(now - HOUR_MS + SECOND_MS * position).toISOString();
  return { ...rest, content: round === 0 ? content : `${content} Round ${round}.`, user_id: USER, occurred_at };
};

beforeAll(async () => {
  service = await openService({}, () => now, { around: countingCalls });
  for (const position of TURNS.keys()) {
    now += SECOND_MS;
    const { id } = await demand(service, "POST", "/memories", { body: memory(position) });
    ids.push(id);
  }
});
afterAll(() => service.close());

const search = (run: number) => QUESTIONS[run] ?? "";
const inUser = (run: number) => new URLSearchParams({ q: search(run), user_id: USER });

const REQUESTS: Record<string, (run: number) => Promise<unknown>> = {
  "GET /search": (run) => demand(service, "GET", `/search?${inUser(run)}`),
  "POST /search": (run) => demand(service, "POST", "/search", { body: { query: search(run) } }),
  "POST /search/hybrid": (run) => demand(service, "POST", "/search/hybrid", { body: { query: search(run) } }),
  "POST /search/enhanced": (run) => demand(service, "POST", "/search/enhanced", { body: { query: search(run) } }),
  "POST /v3/memories/search": (run) =>
    demand(service, "POST", "/v3/memories/search", { body: { query: search(run), filters: { user_id: USER } } }),
  "POST /recall": (run) => demand(service, "POST", "/recall", { body: { query: search(run), user_id: USER } }),
  "GET /profiles/{user_id}": () => demand(service, "GET", `/profiles/${USER}`),
  "GET /facts": (run) => demand(service, "GET", `/facts?user_id=${USER}&limit=5&offset=${run}`),
  "GET /memories": (run) => demand(service, "GET", `/memories?user_id=${USER}&limit=5&offset=${run}`),
  "GET /memories/{id}": (run) => demand(service, "GET", `/memories/${ids[run]}`),
  "POST /memories": (run) => demand(service, "POST", "/memories", { body: memory(run, 1) }),
  "POST /memories/batch": (run) =>
    demand(service, "POST", "/memories/batch", {
      body: { memories: Array.from({ length: BATCH }, (_, index) => memory(BATCH * run + index, 2)) },
    }),
  "DELETE /memories/{id}": (run) => demand(service, "DELETE", `/memories/${ids[RUNS + run]}`),
};

const budget: Record<string, PortCalls> = JSON.parse(readFileSync(BUDGET, "utf8"));
const found: Record<string, PortCalls> = {};

it.each(Object.entries(REQUESTS))("%s asks of the stores what the budget says", async (name, request) => {
  await request(RUNS);
  const sum: PortCalls = { records: 0, index: 0, writtenBytes: 0 };
  for (let run = 0; run < RUNS; run++) {
    now += SECOND_MS;
    const { records, index, writtenBytes } = await callsOf(() => request(run));
    sum.records += records;
    sum.index += index;
    sum.writtenBytes += writtenBytes;
  }
  found[name] = sum;
  if (process.env.WRITE_BUDGET !== undefined) return;
  for (const [kind, allowed] of Object.entries(budget[name] ?? {})) {
    const difference = Math.abs(sum[kind as keyof PortCalls] - allowed);
    const text = `${kind} of ${RUNS} requests: ${JSON.stringify(sum)}, in the budget ${allowed}`;
    expect(difference, text).toBeLessThanOrEqual((TOLERANCES[name] ?? 0) * allowed);
  }
});

it("holds a budget of every request, and of no other", () => {
  if (process.env.WRITE_BUDGET !== undefined) writeFileSync(BUDGET, `${JSON.stringify(found, null, 2)}\n`);
  expect(Object.keys(JSON.parse(readFileSync(BUDGET, "utf8")))).toEqual(Object.keys(REQUESTS));
});
