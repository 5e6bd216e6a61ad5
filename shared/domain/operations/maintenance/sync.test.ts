import { afterAll, describe, expect, it, vi } from "vitest";
import { startEmbeddings } from "../../../../test/fixtures/embeddings-server.ts";
import { temporaryFolder } from "../../../../test/fixtures/temporary-folder.ts";
import { createOrganization, openService, type Service } from "../../../../test/support/service.ts";
import { memoryKey } from "../../memory/memory-keys.ts";
import type { SyncOptions } from "./plan.ts";

const service = await openService();
const { org, key } = await createOrganization(service);
afterAll(() => service.close());

async function store(content: string): Promise<string> {
  const { status, body } = await service.request("POST", "/memories", { key, body: { content } });
  expect(status).toBe(201);
  return body.data.id;
}

async function sync(by: Service, body: Partial<SyncOptions>) {
  const begun = await by.request("POST", "/admin/sync", { body });
  expect(begun.status, JSON.stringify(begun.body)).toBe(202);
  return vi.waitFor(
    async () => {
      const { body: answer } = await by.request("GET", `/admin/jobs?job_id=${begun.body.data.job_id}`);
      const [job] = answer.data.jobs;
      expect(["queued", "running"]).not.toContain(job.status);
      return job;
    },
    { timeout: 20_000, interval: 50 },
  );
}

/** Returns the counts other than zero by component. */
function countsOf(job: { components: ({ component: string } & Record<string, number | string>)[] }) {
  return Object.fromEntries(
    job.components.map(({ component, checked: _, ...counts }) => [
      component,
      Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
    ]),
  );
}

describe("a sync", () => {
  it("repairs missing and superfluous documents of the index", async () => {
    const ids = [await store("Ada drinks tea."), await store("Grace drinks coffee.")];
    await (await service.runtime.ports.search.rebuild("bare")).activate();
    const { embedder } = service.runtime.ports;
    const [embedding = new Float32Array()] = await embedder.embed(["lost"], { purpose: "passage" });
    const at = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
    const counts = { original_tokens: 0, compressed_tokens: 0, processing_ms: 0 };
    const lost = { org, id: "mem_lost", version: 3, content: "lost", metadata: {}, entity_ids: [] };
    await service.runtime.ports.search.upsert([{ ...lost, ...counts, ...at, embedding }]);
    const job = await sync(service, { components: ["memories", "search_index"] });
    expect(countsOf(job)).toEqual({ memories: { repaired: 2 }, search_index: { removed: 1 } });
    const found = await service.runtime.ports.search.versions([...ids, "mem_lost"].map((id) => ({ org, id })));
    expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(countsOf(await sync(service, { components: ["memories", "search_index"] }))).toEqual({
      memories: {},
      search_index: {},
    });
  });

  it("reports missing blobs, restores what it can, and keeps the rest", async () => {
    const long = "Ada drinks tea with Grace. ".repeat(3000);
    const [restorable, gone] = [await store(`${long} 1`), await store(`${long} 2`)];
    const { records, blobs, search } = service.runtime.ports;
    const [one, two] = await Promise.all([restorable, gone].map((id) => records.get(memoryKey(org, id))));
    for (const record of [one, two]) await blobs.delete(String(record?.content_blob));
    await search.remove([{ org, id: gone, version: Number(two?.revision) }]);
    // A version names the same blob as its memory: restoring one restores both.
    const { blobs: counts } = countsOf(await sync(service, { components: ["blobs"] }));
    expect(counts).toMatchObject({ repaired: 1 });
    expect((await service.request("GET", `/memories/${restorable}`, { key })).body.data.content).toBe(`${long} 1`);
    await records.write({ delete: memoryKey(org, gone) });
    await service.runtime.drainChangeFeed();
  });
});

describe("another embedder", () => {
  it("has new vectors computed in the background, while keywords find everything", async () => {
    const environment = { DATA_DIR: temporaryFolder(), BOOTSTRAP_API_KEY: "a-key-of-tests-that-is-long-enough" };
    const server = await startEmbeddings(8);
    const former = await openService(environment);
    expect((await former.request("POST", "/memories", { body: { content: "Ada drinks tea." } })).status).toBe(201);
    await former.close();
    const client = await openService({
      ...environment,
      EMBEDDER: "openai",
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_EMBEDDING_DIMENSIONS: "8",
    });
    expect((await client.request("POST", "/memories", { body: { content: "Grace drinks tea." } })).status).toBe(201);
    const found = await client.request("GET", "/search?q=tea&threshold=0");
    expect([found.status, found.body.data.results.length]).toEqual([200, 2]);
    const pending = async () => (await client.request("GET", "/status")).body.data.index.pending;
    await expect.poll(pending, { timeout: 10_000 }).toBe(0);
    const full = await sync(client, { components: ["search_index"], full_sync: true });
    expect(full).toMatchObject({ status: "completed", error: null });
    expect((await client.request("GET", "/search?q=tea&threshold=0")).body.data.results.length).toBe(2);
    await client.close();
    await server.close();
  });
});
