import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createScheduledJob as createSweep } from "../../functions/workers/sweep/worker.ts";
import { TIER_DEFAULTS } from "../../shared/domain/compression/tiers.ts";
import type { BlobStore } from "../../shared/ports/blob-store.ts";
import { type MovableClock, movableClock } from "../contract/movable-clock.ts";
import { createOrganization, type LocalService, openService, type TestedService } from "../support/service.ts";
import { Caller, IS_DEPLOYED, openTestedService } from "../support/target.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PLAIN = { extract_facts: false, extract_entities: false };
/** A policy that archives everything immediately. */
const NO_ROOM = { max_memories: 0 };
const ARCHIVE_ALL = { working_tier: NO_ROOM, hot_tier: NO_ROOM, cold_tier: NO_ROOM };

interface Tenant {
  org: string;
  caller: Caller;
}

async function makeTenant(service: TestedService): Promise<Tenant> {
  const { org, key } = await createOrganization(service);
  return { org, caller: new Caller(service, key) };
}

async function store({ caller }: Tenant, content: string, fields: object = {}) {
  const { status, body } = await caller.post("/memories", { content, options: PLAIN, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

async function usageOf({ caller }: Tenant) {
  const { counted_at, ...tiers } = (await caller.get("/tier/policy")).body.data.current_usage;
  expect(counted_at).toMatch(ISO);
  return Object.values(tiers as Record<string, { memories: number }>).map(({ memories }) => memories);
}

// In a deployment a sweep moves the memories of all organizations of other tests, which takes minutes.
describe.skipIf(IS_DEPLOYED)("tiers by limits, on both platforms (with only these organizations)", () => {
  let service: TestedService;
  let operator: Caller;
  let tenant: Tenant;
  let sweep: () => Promise<void>;

  const setPolicy = async (settings: object, policy = "balanced") => {
    const { status, body } = await operator.put("/tier/policy", { policy, settings });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data;
  };
  const tierOf = async (id: string) => (await tenant.caller.get(`/memories/${id}`)).body.data.tier;

  beforeAll(async () => {
    service = await openTestedService();
    operator = new Caller(service, service.adminKey);
    sweep = createSweep(service.runtime);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    tenant = await makeTenant(service);
  });
  afterEach(() => setPolicy({}));

  it("keep the memories that were read last, and of these the most read", async () => {
    const memories = [];
    for (const name of ["one", "two", "three"]) memories.push(await store(tenant, `Memory number ${name}.`));
    await tenant.caller.get(`/memories/${memories[0].id}`);
    await setPolicy({ working_tier: { max_memories: 1 }, hot_tier: { max_memories: 1 } });
    await service.runtime.rollups.flush();
    await sweep();
    expect(await usageOf(tenant)).toEqual([1, 1, 1, 0]);
    expect(await tierOf(memories[0].id)).toBe("working");
  });

  it("archive losslessly: every read returns an archived memory and its versions", async () => {
    const contents = [
      "Ada keeps bees in Lisbon. 🐝",
      "Ada kept bees in Lisbon.",
      `${"Long notes on bees. ".repeat(4_900)}\u202eend`,
    ];
    const { id } = await store(tenant, contents[0]!, { user_id: "ada" });
    for (const content of contents.slice(1)) await tenant.caller.put(`/memories/${id}`, { content });
    await setPolicy(ARCHIVE_ALL);
    await sweep();

    const read = await tenant.caller.get(`/memories/${id}`);
    expect([read.body.data.tier, read.body.data.content, read.body.data.version]).toEqual(["archive", contents[2], 3]);
    const versions = (await tenant.caller.get(`/memories/${id}/versions`)).body.data.versions;
    expect(versions.map(({ content }: { content: string }) => content)).toEqual(contents);
    const listed = (await tenant.caller.get("/memories?user_id=ada")).body.data.memories;
    expect(listed.map(({ tier, content }: { tier: string; content: string }) => [tier, content])).toEqual([
      ["archive", contents[2]],
    ]);
    const byUpdate = (await tenant.caller.get("/memories?sort=updated_at%20desc")).body.data.memories;
    expect(byUpdate[0].content).toBe(contents[2]);
    const found = (await tenant.caller.get("/search?q=long+notes+on+bees&threshold=0.1")).body.data.results;
    expect(found.map((hit: { id: string }) => hit.id)).toEqual([id]);
    const restored = (await tenant.caller.post(`/memories/${id}/restore`, { version: 1 })).body.data;
    expect([restored.tier, restored.content, restored.version]).toEqual(["working", contents[0], 4]);
  });

  it("keep archived content packed in the blob store and out of the records", async () => {
    const content = "Ada drinks tea. ".repeat(500);
    const { id } = await store(tenant, content);
    await setPolicy(ARCHIVE_ALL);
    await sweep();
    const { items } = await service.runtime.ports.records.query({ pk: `${tenant.org}#${id}`, limit: 100 });
    const held = items.filter(({ kind }) => kind === "memory" || kind === "version");
    expect(held.map((item) => [item.kind, item.content, typeof item.content_blob])).toEqual([
      ["memory", undefined, "string"],
      ["version", undefined, "string"],
    ]);
    const blob = await service.runtime.ports.blobs.get(String(held[0]!.content_blob));
    expect(gunzipSync(blob!.bytes).toString()).toBe(content);
    expect(blob!.bytes.byteLength).toBeLessThan(content.length / 10);
  });

  it("move memories without a new version, ETag or embedding", async () => {
    const made = await store(tenant, "Ada drinks tea.");
    const embed = vi.spyOn(service.runtime.ports.embedder, "embed");
    await setPolicy(ARCHIVE_ALL);
    await sweep();
    await service.runtime.drainChangeFeed();
    const { body, headers } = await tenant.caller.get(`/memories/${made.id}`);
    expect(embed).not.toHaveBeenCalled();
    embed.mockRestore();
    expect(headers.get("etag")).toBe('"1"');
    expect(body.data).toEqual({ ...made, tier: "archive", index: { pending: false } });
  });

  it("move a memory that changes back to the working tier", async () => {
    const [revised, linked] = [await store(tenant, "Ada drinks tea."), await store(tenant, "Tom drinks tea.")];
    const entity = (await tenant.caller.post("/entities", { name: "Tea", type: "product" })).body.data;
    await setPolicy(ARCHIVE_ALL);
    await sweep();
    await tenant.caller.put(`/memories/${revised.id}`, { metadata: { mood: "calm" } });
    await tenant.caller.post(`/memories/${linked.id}/link/${entity.id}`, {});
    expect(await usageOf(tenant)).toEqual([2, 0, 0, 0]);
    for (const { id, content } of [revised, linked]) {
      const { tier, content: now } = (await tenant.caller.get(`/memories/${id}`)).body.data;
      expect([tier, now]).toEqual(["working", content]);
    }
    const { migration_stats } = (await tenant.caller.get("/tier/policy")).body.data;
    expect(migration_stats).toMatchObject({ total_migrations: 4, archived: 2, recalled: 2, promoted: 2, demoted: 2 });
    expect(migration_stats.by_path).toEqual({ working_to_archive: 2, archive_to_working: 2 });
  });

  it("move no memory twice, and none back and forth", async () => {
    await store(tenant, "Ada drinks tea.");
    await setPolicy(ARCHIVE_ALL);
    for (let run = 0; run < 3; run++) await sweep();
    const { migration_stats } = (await tenant.caller.get("/tier/policy")).body.data;
    expect(migration_stats).toMatchObject({
      total_migrations: 1,
      pending: 0,
      last_sweep_at: expect.stringMatching(ISO),
    });
  });

  it("keep a change that is made while its memory is being archived", async () => {
    const { id } = await store(tenant, "Ada drinks tea.");
    await setPolicy(ARCHIVE_ALL);
    const { runtime } = service;
    const { blobs } = runtime.ports;
    const interrupted: BlobStore = {
      put: async (key, blob) => {
        if (key.includes(id)) await tenant.caller.put(`/memories/${id}`, { content: "Ada drinks coffee." });
        await blobs.put(key, blob);
      },
      open: (key) => blobs.open(key),
      get: (key) => blobs.get(key),
      list: (request) => blobs.list(request),
      delete: (key) => blobs.delete(key),
      presign: (...link) => blobs.presign(...link),
      write: (...given) => blobs.write(...given),
      space: () => blobs.space(),
      ping: () => blobs.ping(),
    };
    await createSweep({ ...runtime, ports: { ...runtime.ports, blobs: interrupted } })();
    const { tier, content, version } = (await tenant.caller.get(`/memories/${id}`)).body.data;
    expect([tier, content, version]).toEqual(["working", "Ada drinks coffee.", 2]);
    expect((await tenant.caller.get("/tier/policy")).body.data.migration_stats.pending).toBe(1);
    await sweep();
    expect(await usageOf(tenant)).toEqual([0, 0, 0, 1]);
    const versions = (await tenant.caller.get(`/memories/${id}/versions`)).body.data.versions;
    expect(versions.map((each: { content: string }) => each.content)).toEqual([
      "Ada drinks tea.",
      "Ada drinks coffee.",
    ]);
  });

  it("apply to every organization", async () => {
    const others = [tenant, await makeTenant(service), await makeTenant(service)];
    for (const other of others) await store(other, "Ada drinks tea.");
    await setPolicy(ARCHIVE_ALL);
    await sweep();
    for (const other of others) expect(await usageOf(other)).toEqual([0, 0, 0, 1]);
  });

  it("leave nothing of an archived memory that is deleted", async () => {
    const { id } = await store(tenant, "Ada drinks tea.");
    await setPolicy(ARCHIVE_ALL);
    await sweep();
    await tenant.caller.get(`/memories/${id}`);
    expect((await tenant.caller.delete(`/memories/${id}`)).status).toBe(200);
    await service.runtime.drainChangeFeed();
    await service.runtime.rollups.flush();
    expect((await service.runtime.ports.records.query({ pk: `${tenant.org}#${id}`, limit: 10 })).items).toEqual([]);
    expect(await service.runtime.ports.blobs.get(`content/${tenant.org}/${id}/1`)).toBeUndefined();
  });

  it("move all memories back when there is room again", async () => {
    const long = "Notes on tea. ".repeat(6_000);
    const memories = [await store(tenant, "Ada drinks tea."), await store(tenant, long)];
    await setPolicy(ARCHIVE_ALL);
    await sweep();
    await setPolicy({});
    await sweep();
    expect(await usageOf(tenant)).toEqual([2, 0, 0, 0]);
    for (const { id, content } of memories) {
      expect((await tenant.caller.get(`/memories/${id}`)).body.data.content).toBe(content);
    }
  });
});

describe("tiers by age and use", () => {
  let service: LocalService;
  let clock: MovableClock;
  let tenant: Tenant;

  beforeEach(async () => {
    clock = movableClock();
    service = await openService({}, clock.now);
    tenant = await makeTenant(service);
  });
  afterEach(() => service.close());

  const passTime = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await service.runtime.rollups.flush();
    await createSweep(service.runtime)();
  };

  it("move a memory from working through hot and cold to the archive", async () => {
    await store(tenant, "Ada drinks tea.");
    const seen = [];
    for (const milliseconds of [23 * HOUR, 2 * HOUR, 30 * DAY, 151 * DAY]) {
      await passTime(milliseconds);
      seen.push(await usageOf(tenant));
    }
    expect(seen).toEqual([
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ]);
  });

  it("move a memory that is read to a warmer tier, and later back", async () => {
    const { id } = await store(tenant, "Ada drinks tea.");
    await passTime(200 * DAY);
    expect(await usageOf(tenant)).toEqual([0, 0, 0, 1]);
    expect((await tenant.caller.get(`/memories/${id}`)).body.data.content).toBe("Ada drinks tea.");
    await passTime(HOUR);
    expect(await usageOf(tenant)).toEqual([1, 0, 0, 0]);
    await passTime(2 * DAY);
    expect(await usageOf(tenant)).toEqual([0, 0, 1, 0]);
  });

  it("count a memory's age from its last change", async () => {
    const { id } = await store(tenant, "Ada drinks tea.");
    await passTime(200 * DAY);
    await tenant.caller.put(`/memories/${id}`, { content: "Ada drinks coffee." });
    await passTime(2 * HOUR);
    expect(await usageOf(tenant)).toEqual([1, 0, 0, 0]);
  });

  it("ignore expired memories", async () => {
    await store(tenant, "Ada drinks tea.", { expire_at: new Date(clock.now() + DAY).toISOString() });
    await passTime(200 * DAY);
    expect(await usageOf(tenant)).toEqual([0, 0, 0, 0]);
  });

  it("report memories archived for longer than the retention, and delete none of them", async () => {
    const { id } = await store(tenant, "Ada drinks tea.");
    await passTime((TIER_DEFAULTS.balanced.archive_tier.retention_days + 1) * DAY);
    const { migration_stats } = (await tenant.caller.get("/tier/policy")).body.data;
    expect(migration_stats.past_retention).toBe(1);
    expect((await tenant.caller.get(`/memories/${id}`)).status).toBe(200);
  });

  it("check an organization again after an hour, or as soon as the policy changes", async () => {
    await store(tenant, "Ada drinks tea.");
    await passTime(24 * HOUR - 60_000);
    await passTime(2 * 60_000);
    expect(await usageOf(tenant)).toEqual([1, 0, 0, 0]);
    await passTime(HOUR);
    expect(await usageOf(tenant)).toEqual([0, 1, 0, 0]);
    const operator = new Caller(service, service.adminKey);
    await operator.put("/tier/policy", { policy: "conservative", settings: {} });
    await passTime(60_000);
    expect(await usageOf(tenant)).toEqual([1, 0, 0, 0]);
  });
});

describe("the tier policy", () => {
  let service: LocalService;
  let operator: Caller;

  beforeEach(async () => {
    service = await openService();
    operator = new Caller(service, service.adminKey);
  });
  afterEach(() => service.close());

  it("is balanced by default", async () => {
    const { policy, settings } = (await operator.get("/tier/policy")).body.data;
    expect([policy, settings]).toEqual(["balanced", TIER_DEFAULTS.balanced]);
  });

  it("is returned with the effect of a change, and the time by which it is carried out", async () => {
    const settings = { hot_tier: { retention_days: 14 }, archive_tier: { compression_enabled: false } };
    const { status, body } = await operator.put("/tier/policy", { policy: "aggressive", settings });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      policy: "aggressive",
      previous_policy: "balanced",
      settings_updated: true,
      migration_initiated: true,
      estimated_completion_time: expect.stringMatching(ISO),
    });
    expect(Date.parse(body.data.estimated_completion_time)).toBeGreaterThan(Date.now());
    expect((await operator.get("/tier/policy")).body.data.settings).toMatchObject({
      working_tier: TIER_DEFAULTS.aggressive.working_tier,
      hot_tier: { ...TIER_DEFAULTS.aggressive.hot_tier, retention_days: 14 },
      archive_tier: { ...TIER_DEFAULTS.aggressive.archive_tier, compression_enabled: false },
    });
  });

  it("moves no memory if nothing changed", async () => {
    const { body } = await operator.put("/tier/policy", { policy: "balanced", settings: {} });
    expect(body.data).toEqual({
      policy: "balanced",
      previous_policy: "balanced",
      settings_updated: false,
      changed: [],
      migration_initiated: false,
      estimated_completion_time: null,
    });
  });

  it("can be changed by the operator only", async () => {
    const tenant = await makeTenant(service);
    const { status, body } = await tenant.caller.put("/tier/policy", { policy: "aggressive", settings: {} });
    expect([status, body.error?.code]).toEqual([403, "FORBIDDEN"]);
    expect((await tenant.caller.get("/tier/policy")).body.data.policy).toBe("balanced");
  });

  it.each([
    [{ settings: {} }, "policy"],
    [{ policy: "balanced" }, "settings"],
    [{ policy: "turbo", settings: {} }, "policy"],
    [{ policy: "balanced", settings: { warm_tier: {} } }, "settings.warm_tier"],
    [{ policy: "balanced", settings: { working_tier: { retention_days: 1 } } }, "settings.working_tier.retention_days"],
    [
      { policy: "balanced", settings: { hot_tier: { access_threshold_ms: -1 } } },
      "settings.hot_tier.access_threshold_ms",
    ],
    [{ policy: "balanced", settings: { cold_tier: { max_tokens: 0.5 } } }, "settings.cold_tier.max_tokens"],
    [{ policy: "balanced", settings: { archive_tier: { backend: " " } } }, "settings.archive_tier.backend"],
  ])("refuses %j and names %s", async (update, field) => {
    const { status, body } = await operator.put("/tier/policy", update);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields.map((each: { field: string }) => each.field)).toEqual([field]);
  });
});
