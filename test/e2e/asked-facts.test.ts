import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type LocalService, openService } from "../support/service.ts";

/** As many as a search finds by its words and by meaning, and all nearer to the question than what answers it. */
const MENTIONS = 120;

let service: LocalService;

// biome-ignore lint/suspicious/noExplicitAny: answers of many routes
async function done(method: string, path: string, body?: object): Promise<any> {
  const answer = await service.request(method, path, { ...(body && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

beforeAll(async () => {
  service = await openService({ EMBEDDER: "onnx" });
  for (const content of [
    "I report to Gudrun Aasen, she seems strict.",
    "My brother Casimir is a bricklayer.",
    "I study hydrology at Wageningen.",
    "Casimir studies law in Leiden.",
  ])
    await done("POST", "/memories", { content, user_id: "ann" });
  const mentions = Array.from({ length: MENTIONS }, (_, number) => `My boss asked who I am, order ${number}.`);
  const memories = mentions.map((content) => ({ content, user_id: "ann", options: { extract_facts: false } }));
  for (const batch of [memories.slice(0, 100), memories.slice(100)])
    await done("POST", "/memories/batch", { memories: batch });
  const isReady = async () => expect((await done("GET", "/status")).index.pending).toBe(0);
  await vi.waitFor(isReady, { timeout: 60_000, interval: 200 });
}, 120_000);
afterAll(() => service.close());

const QUESTIONS = [
  ["Who is my boss?", "I report to Gudrun Aasen, she seems strict."],
  ["What does my brother study?", "Casimir studies law in Leiden."],
  ["What do I study?", "I study hydrology at Wageningen."],
];

it.each(QUESTIONS)("a search has the memory with the fact that answers first: %s", async (question, answer) => {
  const filters = { user_id: "ann" };
  const { results } = await done("GET", `/search?user_id=ann&q=${encodeURIComponent(question)}`);
  expect(results[0].content).toBe(answer);
  for (const route of ["/search", "/search/advanced", "/search/enhanced"])
    expect((await done("POST", route, { query: question, filters })).results[0].content, route).toBe(answer);
});

it.each(QUESTIONS)("a recall has it first, and is confident: %s", async (question, answer) => {
  const { items, context, confident } = await done("POST", "/recall", { query: question, user_id: "ann" });
  expect([items[0].content, confident]).toEqual([answer, true]);
  expect(context).toContain(answer);
});

it("is not found in the memories of somebody else, nor outside of the filters", async () => {
  const query = "Who is my boss?";
  expect((await done("POST", "/recall", { query, user_id: "bob" })).items).toEqual([]);
  const filters = { user_id: "ann", occurred_before: "2026-01-01T00:00:00Z" };
  expect((await done("POST", "/search", { query, filters })).results).toEqual([]);
});
