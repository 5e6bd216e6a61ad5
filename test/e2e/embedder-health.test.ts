import { expect, it, onTestFinished } from "vitest";
import { type EmbeddingTurn, startEmbeddings } from "../fixtures/embeddings-server.ts";
import { openService } from "../support/service.ts";

const DIMENSIONS = 8;

/** Opens a service whose embedder answers in this way, searches once, and returns its health. */
async function healthAfterSearch(dimensions: number, turn: EmbeddingTurn) {
  const server = await startEmbeddings(dimensions, turn);
  onTestFinished(server.close);
  const service = await openService({
    EMBEDDER: "openai",
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: "key",
    OPENAI_EMBEDDING_DIMENSIONS: String(DIMENSIONS),
  });
  onTestFinished(service.close);
  expect((await service.request("GET", "/search?q=tea")).status).toBe(200);
  const ready = await service.request("GET", "/ready", { key: null });
  const health = await service.request("GET", "/admin/health");
  return { ready: ready.body.data, embedder: health.body.data.components.embedder, of: health.body.data };
}

it.each<[string, number, EmbeddingTurn]>([
  ["answers vectors of another dimension", DIMENSIONS / 2, "vectors"],
  ["is down", DIMENSIONS, { status: 500 }],
])("an embedder that %s is in the detail of /ready and in /admin/health", async (_, dimensions, turn) => {
  const { ready, embedder, of } = await healthAfterSearch(dimensions, turn);
  expect(ready).toMatchObject({ ready: true, queries_without_vector: 1 });
  expect(embedder).toEqual({ status: "degraded", queries_without_vector: 1 });
  expect(of.overall_status).toBe("degraded");
});

it("an embedder that works is healthy", async () => {
  const { ready, embedder } = await healthAfterSearch(DIMENSIONS, "vectors");
  expect(ready).toMatchObject({ ready: true, queries_without_vector: 0 });
  expect(embedder).toEqual({ status: "healthy", queries_without_vector: 0 });
});
