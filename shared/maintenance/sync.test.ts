import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startEmbeddings } from "../../test/fixtures/embeddings-server.ts";
import { temporaryFolder } from "../../test/fixtures/temporary-folder.ts";
import { createOrganization, type LocalService, openService, type Service } from "../../test/support/service.ts";
import { silentLogger } from "../kernel/logger.ts";
import { memoryKey } from "../memory/records.ts";
import type { Home } from "../platform/context.ts";
import type { Ports, RecordStore } from "../platform/ports.ts";
import { planSync, type SyncOptions } from "./components.ts";
import { findJob, isOver, newJob, putJob, replaceJob } from "./job.ts";
import { resumeMaintenance } from "./resume.ts";
import { workOn } from "./run.ts";

let service: LocalService;
let org: string;
let key: string;

beforeAll(async () => {
  service = await openService();
  ({ org, key } = await createOrganization(service));
});
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

/** Counts by component, those that are zero left out. */
function countsOf(job: { components: ({ component: string } & Record<string, number | string>)[] }) {
  return Object.fromEntries(
    job.components.map(({ component, checked: _, ...counts }) => [
      component,
      Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
    ]),
  );
}

/** Stores a job without telling any worker. */
async function begin(home: Home, options: SyncOptions) {
  const job = newJob(home, { type: "sync" as const, options }, planSync(options), "ak_test");
  await home.ports.records.write(putJob(job, "absent"));
  return job.id;
}

const FULL: SyncOptions = { components: ["search_index"], full_sync: true, force_sync: false };

describe("a sync", () => {
  it("mends drift both ways: what the index lacks, and what it has too much", async () => {
    const ids = [await store("Ada drinks tea."), await store("Grace drinks coffee.")];
    await (await service.home.ports.search.rebuild("bare")).activate();
    const [embedding = new Float32Array()] = await service.home.ports.embedder.embed(["lost"], { purpose: "passage" });
    const at = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
    const counts = { original_tokens: 0, compressed_tokens: 0, processing_ms: 0 };
    const lost = { org, id: "mem_lost", version: 3, content: "lost", metadata: {}, entity_ids: [] };
    await service.home.ports.search.upsert([{ ...lost, ...counts, ...at, embedding }]);
    const job = await sync(service, { components: ["memories", "search_index"] });
    expect(countsOf(job)).toEqual({ memories: { repaired: 2 }, search_index: { removed: 1 } });
    const found = await service.home.ports.search.versions([...ids, "mem_lost"].map((id) => ({ org, id })));
    expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(countsOf(await sync(service, { components: ["memories", "search_index"] }))).toEqual({
      memories: {},
      search_index: {},
    });
  });

  it("tells of blobs that are missing, restores what it can, and leaves the rest", async () => {
    const long = "Ada drinks tea with Grace. ".repeat(3000);
    const [restorable, gone] = [await store(`${long} 1`), await store(`${long} 2`)];
    const { records, blobs, search } = service.home.ports;
    const [one, two] = await Promise.all([restorable, gone].map((id) => records.get(memoryKey(org, id))));
    for (const record of [one, two]) await blobs.delete(String(record?.content_blob));
    await search.remove([{ org, id: gone, version: Number(two?.revision) }]);
    // A version names the same blob as its memory: restoring one restores both.
    const { blobs: counts } = countsOf(await sync(service, { components: ["blobs"] }));
    expect(counts).toMatchObject({ repaired: 1 });
    expect((await service.request("GET", `/memories/${restorable}`, { key })).body.data.content).toBe(`${long} 1`);
    await records.write({ delete: memoryKey(org, gone) });
    await service.home.settle();
  });

  it("goes on where it was after a crash, at any page, and its message may come twice", async () => {
    for (let place = 0; place < 5; place++) await store(`Guest ${place} brings a book.`);
    const { home } = service;
    const id = await begin(home, FULL);
    // A turn of no length does nothing but tell the next one; each dies before its page is noted.
    const write = () => Promise.reject(new Error("the machine went down"));
    const dying: Home = { ...home, ports: { ...allOf(home.ports), records: { ...bound(home.ports.records), write } } };
    let turns = 0;
    for (let job = await findJob(home.ports.records, id); job && !isOver(job); turns++) {
      await workOn(dying, id, 0).catch(() => undefined);
      await Promise.all([workOn(home, id, 50), workOn(home, id, 50)]);
      job = await findJob(home.ports.records, id);
    }
    expect(turns).toBeGreaterThanOrEqual(1);
    expect(await findJob(home.ports.records, id)).toMatchObject({ state: "completed" });
    const { components } = await sync(service, { components: ["memories", "search_index"] });
    expect(countsOf({ components })).toEqual({ memories: {}, search_index: {} });
  });

  it("stops when another one took its place", async () => {
    const { home } = service;
    const id = await begin(home, FULL);
    const job = await findJob(home.ports.records, id);
    if (!job) throw new Error("there is no job");
    await home.ports.records.write(replaceJob(job, { state: "superseded" }).write);
    await workOn(home, id, 1000);
    expect(await findJob(home.ports.records, id)).toMatchObject({ state: "superseded", step: 0 });
  });

  it("that cannot get on is tried again, then given up with what was wrong", async () => {
    const { home } = service;
    const id = await begin(home, { ...FULL, full_sync: false });
    const list = () => Promise.reject(new Error("the table is away"));
    const inventory = { ...home.ports.inventory, list, upgrade: list };
    const broken: Home = { ...home, logger: silentLogger, ports: { ...allOf(home.ports), inventory } };
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await findJob(home.ports.records, id)).toMatchObject({ state: "queued", attempts: attempt - 1 });
      await workOn(broken, id, 1000);
    }
    expect(await findJob(home.ports.records, id)).toMatchObject({ state: "failed", error: "the table is away" });
  });

  it("that takes its worker along each time is given up in the end, and holds up no other", async () => {
    const { home } = service;
    const id = await begin(home, { ...FULL, full_sync: false });
    const begun = await findJob(home.ports.records, id);
    if (!begun) throw new Error("there is no job");
    await home.ports.records.write(replaceJob(begun, { state: "running" }).write);
    let now = home.clock();
    // The queue is silent: each time the message is taken by a worker that dies of it.
    const queue = { ...home.ports.queue, send: async () => undefined };
    const dying: Home = { ...home, clock: () => now, logger: silentLogger, ports: { ...allOf(home.ports), queue } };
    const attempts: unknown[] = [];
    for (let sweep = 0; sweep < 7; sweep++) {
      attempts.push((await findJob(home.ports.records, id))?.attempts);
      await resumeMaintenance(dying);
      now += 20 * 60_000;
    }
    expect(attempts).toEqual([0, 0, 1, 2, 3, 4, 5]);
    expect(await findJob(home.ports.records, id)).toMatchObject({ state: "failed", attempts: 5 });
  });
});

describe("another embedder", () => {
  it("makes the vectors anew in the background; words find everything meanwhile", async () => {
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

/** Ports that some can be put in the place of; the home's own are behind a proxy. */
function allOf({ records, inventory, search, blobs, queue, embedder, models, mailer, secrets, logs }: Ports): Ports {
  return { records, inventory, search, blobs, queue, embedder, models, mailer, secrets, logs };
}

/** A record store whose verbs can be taken apart. */
function bound(store: RecordStore): RecordStore {
  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    count: (query, upTo) => store.count(query, upTo),
    write: (...writes) => store.write(...writes),
    ping: () => store.ping(),
    connections: () => store.connections(),
  };
}
