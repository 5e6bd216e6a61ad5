import { afterAll, beforeAll, expect, it } from "vitest";
import { type EmbeddingsServer, startEmbeddings } from "../fixtures/embeddings-server.ts";
import { type LocalService, openService } from "../support/service.ts";

const MAX_PENDING = 3;

let embeddings: EmbeddingsServer;
let service: LocalService;

/** An embedder that never answers. */
beforeAll(async () => {
  embeddings = await startEmbeddings(4, "silence");
  service = await openService({
    EMBEDDER: "openai",
    OPENAI_BASE_URL: embeddings.baseUrl,
    OPENAI_EMBEDDING_DIMENSIONS: "4",
    MAX_PENDING_VECTORS: `${MAX_PENDING}`,
  });
});
afterAll(async () => {
  await service.close();
  await embeddings.close();
});

const stored: string[] = [];
const store = async (content: string) => {
  const answered = await service.request("POST", "/memories", { body: { content } });
  if (answered.status === 201) stored.push(answered.body.data.id);
  return answered;
};

it("stores memories while the embedder hangs, and returns 503 once the backlog is too long", async () => {
  for (let i = 0; i <= MAX_PENDING; i++) {
    expect((await store(`Memory number ${i}.`)).status).toBe(201);
  }
  await expect.poll(async () => (await store("One more.")).status).toBe(503);

  const refused = await store("One more.");
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(refused.body).toMatchObject({ success: false, error: { code: "SERVICE_UNAVAILABLE" } });
  const changed = await service.request("PUT", `/memories/${stored[0]}`, { body: { content: "Changed." } });
  expect(changed.status).toBe(503);
  expect((await service.request("GET", `/memories/${stored[0]}`)).body.data.index).toEqual({ pending: true });

  const { body } = await service.request("GET", "/status");
  expect(body.data.index.pending).toBeGreaterThan(MAX_PENDING);
  for (let i = body.data.index.pending; i > MAX_PENDING; i--) {
    expect((await service.request("DELETE", `/memories/${stored.pop()}`)).status).toBe(200);
  }
  await expect.poll(async () => (await store("Room again.")).status).toBe(201);
});
