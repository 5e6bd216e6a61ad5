import { describe, expect, it, onTestFinished } from "vitest";
import type { HostSeams } from "../../infra/local/host.ts";
import { openLocalReranker } from "../../shared/adapters/local/reranker.ts";
import { createLanguageModels } from "../../shared/domain/models/configured.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Ports } from "../../shared/ports/ports.ts";
import type { Reranker } from "../../shared/ports/reranker.ts";
import { startChatCompletions, type Turn } from "../fixtures/chat-completions-server.ts";
import { crossEncoderFolder } from "../fixtures/cross-encoder.ts";
import { createOrganization, openService } from "../support/service.ts";

const PLAIN = { extract_facts: false, extract_entities: false, compress: false };
const FIRST = "Green stone and stone again in the garden";
const SECOND = "Green tea in the garden";

async function open(environment: Record<string, string>, seams?: HostSeams) {
  const service = await openService(environment, undefined, seams);
  onTestFinished(service.close);
  const { key } = await createOrganization(service);
  const ask = async (method: string, path: string, body?: unknown, as = key) => {
    const answer = await service.request(method, path, { key: as, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data;
  };
  const store = (content: string, more: object = {}, as = key) =>
    ask("POST", "/memories", { content, options: PLAIN, ...more }, as);
  const contents = async (method: string, path: string, body?: unknown): Promise<string[]> =>
    (await ask(method, path, body)).results.map(({ content }: { content: string }) => content);
  return { service, key, ask, store, contents };
}

const QUERY = "green stone garden";
const WAYS: [string, string, object?][] = [
  ["GET", "/search?q=green+stone+garden&threshold=0"],
  ["POST", "/search", { query: QUERY, options: { threshold: 0 } }],
  ["GET", "/search/enhanced?q=green+stone+garden"],
  ["POST", "/search/enhanced", { query: QUERY }],
  ["POST", "/search/enhanced", { query: QUERY, mode: "hybrid" }],
  ["POST", "/search/hybrid", { query: QUERY, options: { threshold: 0 } }],
];

it("a cross-encoder ranks the results of every search", async () => {
  const environment = { RERANKER: "onnx", RERANKER_MODEL_DIR: crossEncoderFolder(), RERANKER_TIMEOUT_MS: "10000" };
  const [plain, reranked] = [await open({}), await open(environment)];
  for (const { store } of [plain, reranked]) for (const content of [FIRST, SECOND]) await store(content);
  for (const [method, path, body] of WAYS) {
    expect(await plain.contents(method, path, body)).toEqual([FIRST, SECOND]);
    expect(await reranked.contents(method, path, body)).toEqual([SECOND, FIRST]);
  }
  const { results } = await reranked.ask(...WAYS[1]!);
  const scores = results.map(({ score }: { score: number }) => score);
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  await reranked.service.runtime.rollups.flush();
  expect((await reranked.ask("GET", "/status")).reranker).toEqual({ model: "onnx:made-up", succeeded: 7, failed: 0 });
  expect((await plain.ask("GET", "/status")).reranker).toBeNull();
});

describe("a language model", () => {
  const openWith = async (turn: Turn) => {
    const server = await startChatCompletions(turn);
    onTestFinished(server.close);
    const environment = { RERANKER: "llm", LANGUAGE_MODEL: "openai", OPENAI_BASE_URL: server.baseUrl };
    const opened = await open({ ...environment, RERANKER_TIMEOUT_MS: "500", OPENAI_API_KEY: "sk-test" });
    for (const content of [FIRST, SECOND]) await opened.store(content);
    return { ...opened, server };
  };
  const scored = {
    scores: [
      { number: 1, relevance: 0 },
      { number: 2, relevance: 1 },
    ],
  };

  it("ranks the results of every search", async () => {
    const { contents } = await openWith({ says: JSON.stringify(scored) });
    expect(await contents(...WAYS[0]!)).toEqual([SECOND, FIRST]);
  });

  it.each<[string, Turn]>([
    ["says nothing", "silence"],
    ["hangs up", "hangs-up"],
    ["says something else", { says: "It depends." }],
  ])("that %s leaves the ranking unchanged, and the failure is counted", async (_case, turn) => {
    const { contents, ask, service } = await openWith(turn);
    expect(await contents(...WAYS[0]!)).toEqual([FIRST, SECOND]);
    await service.runtime.rollups.flush();
    expect((await ask("GET", "/status")).reranker).toMatchObject({ succeeded: 0, failed: 1 });
    const metrics = await ask("GET", "/admin/metrics", undefined, service.adminKey);
    expect(metrics.business_metrics).toMatchObject({ total_rerankings: 1, failed_rerankings: 1 });
  });
});

it("a reranker reads only what the caller may read and the filters match", async () => {
  const read: string[][] = [];
  const reranker: Reranker = {
    ...{ id: "fake", timeoutMs: 1000 },
    rerank: async (_query, texts) => {
      read.push(texts.toSorted());
      return texts.map(() => 0.5);
    },
  };
  const around = (ports: Ports): Ports => ({ ...ports, reranker });
  const { service, store, contents } = await open({}, { around });
  const other = await createOrganization(service);
  const own = { user_id: "ada" };
  for (const content of [FIRST, SECOND]) await store(content, own);
  await store("Green stone in the garden of Bob", { user_id: "bob" });
  await store("Green stone in the garden of strangers", own, other.key);
  for (const [method, path, body] of WAYS) {
    await contents(method, method === "GET" ? `${path}&user_id=ada` : path, body && { ...body, filters: own });
  }
  expect(read).toEqual(WAYS.map(() => [FIRST, SECOND].sort()));
});

describe("a start with invalid reranker settings fails", () => {
  it.each([
    [{ RERANKER: "onnx" }, "RERANKER=onnx needs RERANKER_MODEL_DIR"],
    [{ RERANKER: "onnx", RERANKER_MODEL_DIR: "/nowhere" }, "manifest.json cannot be read (ENOENT)"],
    [{ RERANKER: "llm" }, "RERANKER=llm needs a language model"],
  ])("%j", async (environment, problem) => {
    const config = loadConfig(environment);
    const opened = openLocalReranker(config, createLanguageModels(config, silentLogger), silentLogger);
    await expect(opened).rejects.toThrow(problem);
  });
});
