import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createOrganization, openService } from "../../../../test/support/service.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { organizationKey } from "../../identity/records.ts";
import { contentKey } from "../../memory/content.ts";
import { memoryKey } from "../../memory/memory-keys.ts";
import { messageContentKey } from "../../sessions/archived-messages.ts";
import { sessionKey } from "../../sessions/records.ts";
import { findBackup } from "../backups/records.ts";
import { CLEANUP_OPERATIONS } from "./plan.ts";

const LONG = "Ada drinks tea with Grace. ".repeat(3000);

/** Milliseconds that the service's clock is ahead of the machine's clock, which sets the times of blobs. */
let aheadMs = 0;

const service = await openService({}, () => Date.now() + aheadMs);
const { org, key } = await createOrganization(service);
beforeEach(() => {
  aheadMs = 0;
});
afterAll(() => service.close());

const ports = () => service.runtime.ports;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

async function cleanUp(body: object = {}) {
  const sent = { operations: CLEANUP_OPERATIONS, older_than_days: 1, ...body };
  const answer = await service.request("POST", "/admin/cleanup", { body: sent });
  expect([answer.status, answer.body.data?.job_id]).toEqual([200, undefined]);
  const { cleanup_summary, operation_results } = answer.body.data;
  type Result = { operation: string; items_processed: number; space_freed_mb: number };
  const counts = operation_results.map((result: Result) => [
    result.operation,
    result.items_processed,
    result.space_freed_mb,
  ]);
  return { counts, total: cleanup_summary.total_items_processed, results: operation_results };
}

/** Sets the service's clock a number of days ahead, so that all existing data is that old. */
const advanceDays = (days: number) => {
  aheadMs = days * DAY_MS;
};

async function store(content: string): Promise<string> {
  const { body } = await service.request("POST", "/memories", { key, body: { content } });
  return body.data.id;
}

/** Stores a memory that mentions entities; returns it. */
async function storeMention(content: string, user_id: string) {
  return (await service.request("POST", "/memories", { key, body: { content, user_id } })).body.data;
}

/** Returns the key of the blob with a memory's content. */
async function blobOf(id: string): Promise<string> {
  return String((await ports().records.get(memoryKey(org, id)))?.content_blob);
}

async function openSession() {
  const { status, body } = await service.request("POST", "/sessions", { key, body: { agent_id: "a", user_id: "ada" } });
  expect(status).toBe(201);
  return { org, id: body.data.id };
}

const text = (bytes: string) => ({ bytes: Buffer.from(bytes), contentType: "text/plain" });

/** Faults: each creates one or more orphans. */
const FAULTS: { [name: string]: () => Promise<void> } = {
  "records of a deleted memory": async () => {
    const { pk } = memoryKey(org, `mem_${randomUUID()}`);
    const gsi = { gsi1pk: `${org}#ent_x#memories`, gsi1sk: `${ago(0)}#mem` };
    await ports().records.write(
      { put: { pk, sk: "edge#ent_x", kind: "edge", ...gsi } },
      { put: { pk, sk: "version#000000001", kind: "version", version: 1, content: "x", created_at: ago(0) } },
      { put: { pk, sk: "feedback#fb_1", kind: "feedback", created_at: ago(0) } },
    );
  },
  "many records of a deleted memory": async () => {
    const { pk } = memoryKey(org, `mem_${randomUUID()}`);
    const fields = { kind: "version", content: "x", created_at: ago(0) };
    const puts = Array.from({ length: 95 }, (_, index) => ({ pk, sk: `version#${index}`, ...fields }));
    await ports().records.write(...puts.map((put) => ({ put })));
  },
  "a claim of a deleted memory": async () => {
    const claim = { pk: `${org}#content#${randomUUID()}`, sk: "claim", kind: "claim", memory_id: "mem_gone" };
    await ports().records.write({ put: claim });
  },
  "a document without a record": async () => {
    const [embedding = new Float32Array()] = await ports().embedder.embed(["lost"], { purpose: "passage" });
    const counts = { original_tokens: 0, compressed_tokens: 0, processing_ms: 0 };
    const at = { created_at: ago(0), updated_at: ago(0) };
    const document = { id: `mem_${randomUUID()}`, version: 1, content: "lost", metadata: {}, entity_ids: [] };
    await ports().search.upsert([{ org, ...document, ...counts, ...at, embedding }]);
  },
  "a blob of an interrupted creation": async () => {
    await ports().blobs.put(contentKey({ org, id: `mem_${randomUUID()}` }, LONG), text(LONG));
  },
  "a blob of a memory that has another one": async () => {
    await ports().blobs.put(contentKey({ org, id: await store("Ada drinks coffee.") }, LONG), text(LONG));
  },
  "a memory with a lost blob": async () => {
    await ports().blobs.delete(await blobOf(await store(`${LONG} ${randomUUID()}`)));
  },
  "an earlier version with a lost blob": async () => {
    const id = await store(`${LONG} ${randomUUID()}`);
    const blob = await blobOf(id);
    await service.request("PUT", `/memories/${id}`, { key, body: { content: "Ada drinks water." } });
    await ports().blobs.delete(blob);
  },
  "a blob of an interrupted message": async () => {
    const session = await openSession();
    await ports().blobs.put(messageContentKey(session, `msg_${randomUUID()}`, LONG), text(LONG));
  },
  "messages and the archive of a deleted session": async () => {
    const id = `sess_${randomUUID()}`;
    const { pk } = sessionKey(org, id);
    const [short, long] = [`msg_${randomUUID()}`, `msg_${randomUUID()}`].map((message) =>
      messageContentKey({ org, id }, message, LONG),
    );
    for (const blob of [short, long]) await ports().blobs.put(String(blob), text(LONG));
    const message = { pk, sk: "message#000000001", kind: "message", created_at: ago(0) };
    await ports().records.write({ put: { ...message, content_blob: String(short) } });
    const archived = JSON.stringify({ ...message, content_blob: long });
    await ports().blobs.put(`sessions/${org}/${id}/000000000`, text(archived));
  },
  "entities that no memory mentions any more": async () => {
    const content = `Ada Lovelace met Grace Hopper in Zurich, and ${randomUUID()}.`;
    const { id } = await storeMention(content, "ada");
    await service.request("DELETE", `/memories/${id}`, { key });
  },
  "files that are no longer needed": async () => {
    await ports().blobs.put(`exports/${org}/evt_1/${randomUUID()}/memories.json`, text("[]"));
    await ports().blobs.put(`imports/${org}/${randomUUID()}/rows.json`, text("[]"));
    await ports().blobs.put(`sources/${org}/src_gone/${randomUUID()}/file.pdf`, text("%PDF"));
    await ports().blobs.put(`requests/${org}/evt_${randomUUID()}`, text("{}"));
  },
  "an archive of a failed backup": async () => {
    const { body } = await service.request("POST", "/admin/backup", { body: { components: ["config"] } });
    await vi.waitFor(async () => {
      const { body: listed } = await service.request("GET", "/admin/backups?limit=200");
      const made = listed.data.backups.find(({ id }: { id: string }) => id === body.data.id);
      expect(made.status).toBe("completed");
    }, 30_000);
    await ports().blobs.put(`backups/${body.data.id}-99.jsonl.gz`, text("half"));
  },
};

/** A cleanup removes these orphans at any age, because the record they depend on is written before or with them. */
const WITHOUT_AGE_LIMIT = ["a claim of a deleted memory", "a document without a record"];

describe("a cleanup", () => {
  it("finds nothing if nothing is wrong", async () => {
    await store("Grace drinks coffee.");
    await store(LONG);
    const messages = `/sessions/${(await openSession()).id}/messages`;
    const said = await service.request("POST", messages, { key, body: { role: "user", content: LONG } });
    expect(said.status).toBe(201);
    const text = { type: "text", title: "Tea", content: LONG };
    const source = await service.request("POST", "/sources/ingest", { key, body: text });
    expect(source.status).toBeLessThan(300);
    advanceDays(2);
    const { counts } = await cleanUp();
    const listed = await service.request("GET", messages, { key });
    expect(listed.body.data.messages.map(({ content }: { content: string }) => content === LONG)).toEqual([true]);
    expect(counts).toEqual(CLEANUP_OPERATIONS.map((operation) => [operation, 0, 0]));
  });

  it.each(Object.entries(FAULTS))(
    "finds %s in a dry run, resolves this in a real run, and then finds nothing",
    async (name, createFault) => {
      await createFault();
      if (!WITHOUT_AGE_LIMIT.includes(name)) expect(await cleanUp({ dry_run: true })).toMatchObject({ total: 0 });
      advanceDays(2);
      const dry = await cleanUp({ dry_run: true });
      expect(dry.total).toBeGreaterThanOrEqual(1);
      expect((await cleanUp()).counts).toEqual(dry.counts);
      expect(await cleanUp()).toMatchObject({ total: 0 });
    },
  );

  it("processes in a real run what a dry run counted, for any combination of faults", async () => {
    const faults = fc.subarray(Object.keys(FAULTS), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(faults, fc.subarray([...CLEANUP_OPERATIONS], { minLength: 1 }), async (names, operations) => {
        aheadMs = 0;
        for (const name of names) await FAULTS[name]?.();
        advanceDays(2);
        const dry = await cleanUp({ dry_run: true, operations });
        expect((await cleanUp({ dry_run: true, operations })).counts).toEqual(dry.counts);
        expect((await cleanUp({ operations })).counts).toEqual(dry.counts);
        expect(await cleanUp({ operations })).toMatchObject({ total: 0 });
      }),
      { numRuns: 4 },
    );
    advanceDays(2);
    await cleanUp();
  }, 120_000);

  it("deletes nothing that can still be read", async () => {
    const [short, long] = [await store("Grace brings cake."), await store(`${LONG} and cake`)];
    for (const createFault of Object.values(FAULTS)) await createFault();
    advanceDays(40);
    await cleanUp();
    for (const [id, content] of [
      [short, "Grace brings cake."],
      [long, `${LONG} and cake`],
    ]) {
      const { status, body } = await service.request("GET", `/memories/${id}`, { key });
      expect([status, body.data.content === content]).toEqual([200, true]);
    }
  });

  it("keeps the long messages of sessions, even archived ones", async () => {
    const session = await openSession();
    const sent = { role: "user", content: LONG };
    const added = await service.request("POST", `/sessions/${session.id}/messages`, { key, body: sent });
    expect(added.status).toBe(201);
    const archived = messageContentKey(session, `msg_${randomUUID()}`, LONG);
    const line = { ...sessionKey(org, session.id), sk: "message#000000900", kind: "message", content_blob: archived };
    await ports().blobs.put(archived, text(LONG));
    await ports().blobs.put(`sessions/${org}/${session.id}/000000004`, text(JSON.stringify(line)));
    advanceDays(2);
    await cleanUp();
    expect(await ports().blobs.open(archived)).toBeDefined();
    const read = await service.request("GET", `/sessions/${session.id}/messages`, { key });
    expect(read.body.data.messages[0].content).toBe(LONG);
  });

  it("keeps archives of backups, even without a record", async () => {
    const { body } = await service.request("POST", "/admin/backup", { body: { components: ["config"] } });
    const foreign = ["backups/bak_of_another_deployment-1.jsonl.gz", "backups/before-the-move.jsonl.gz"];
    for (const key of foreign) await ports().blobs.put(key, text("an operator's own"));
    const own = await vi.waitFor(async () => {
      const { archive } = (await findBackup(ports().records, body.data.id)) ?? {};
      if (archive === undefined) throw new Error("the backup is not complete");
      return archive.blob;
    }, 30_000);
    advanceDays(20);
    await cleanUp({ operations: ["temp_files"] });
    for (const key of [own, ...foreign]) expect(await ports().blobs.open(key), key).toBeDefined();
    for (const key of foreign) await ports().blobs.delete(key);
  });

  it("keeps entities that memories mention or that were created by request", async () => {
    const { body: made } = await service.request("POST", "/entities", { key, body: { name: "Vienna", type: "place" } });
    const memory = await storeMention("Marie Curie lives in Paris.", "pierre");
    const mentioned = memory.entities.map(({ id }: { id: string }) => id);
    expect(mentioned.length).toBeGreaterThan(0);
    advanceDays(40);
    await cleanUp();
    const listed = await service.request("GET", "/entities?limit=100", { key });
    const ids = listed.body.data.entities.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining([made.data.id, ...mentioned]));
    await service.request("DELETE", `/memories/${memory.id}`, { key });
    advanceDays(80);
    await cleanUp();
    const left = (await service.request("GET", "/entities?limit=100", { key })).body.data.entities;
    expect(left.map(({ id }: { id: string }) => id)).toContain(made.data.id);
    expect(left.filter(({ id }: { id: string }) => mentioned.includes(id))).toEqual([]);
    const { body } = await service.request("GET", "/whoami", { key });
    expect(await ports().records.get(organizationKey(body.data.organization.id))).not.toHaveProperty(
      "counted_entities",
    );
  });

  it("keeps an entity that was created by request after a memory named it, in any spelling", async () => {
    const memory = await storeMention("Marie Curie lives in Warsaw.", "pierre");
    const { id, name, type } = memory.entities.find((entity: { name: string }) => entity.name === "Warsaw");
    const made = await service.request("POST", "/entities", { key, body: { name: "WARSAW", type } });
    expect([made.status, made.body.data]).toEqual([201, { id, name, type }]);
    await service.request("DELETE", `/memories/${memory.id}`, { key });
    advanceDays(40);
    await cleanUp();
    const kept = await service.request("GET", `/entities/${id}`, { key });
    expect([kept.status, kept.body.data]).toMatchObject([200, { id, name, type }]);
  });

  it("keeps an entity that is created by request while its mentions are searched", async () => {
    const memory = await storeMention("Marie Curie lives in Lublin.", "pierre");
    const { id, name, type } = memory.entities.find((entity: { name: string }) => entity.name === "Lublin");
    await service.request("DELETE", `/memories/${memory.id}`, { key });
    await service.runtime.drainChangeFeed();
    const { records } = ports();
    const query = records.query.bind(records);
    const querySpy = vi.spyOn(records, "query").mockImplementation(async (asked) => {
      const page = await query(asked);
      if (asked.pk.endsWith(`${id}#memories`)) {
        querySpy.mockRestore();
        await service.request("POST", "/entities", { key, body: { name, type } });
      }
      return page;
    });
    advanceDays(40);
    await cleanUp({ operations: ["orphaned_memories"] });
    expect((await service.request("GET", `/entities/${id}`, { key })).status).toBe(200);
  });

  it("restores lost content exactly from the search index", async () => {
    const content = `${LONG} ${randomUUID()}`;
    const id = await store(content);
    await ports().blobs.delete(await blobOf(id));
    advanceDays(2);
    expect(await cleanUp({ operations: ["orphaned_memories"] })).toMatchObject({ total: 1 });
    const { body } = await service.request("GET", `/memories/${id}`, { key });
    expect(body.data.content === content).toBe(true);
  });

  it("keeps and reports a memory whose content is lost everywhere", async () => {
    const id = await store(`${LONG} ${randomUUID()}`);
    const record = await ports().records.get(memoryKey(org, id));
    await ports().blobs.delete(String(record?.content_blob));
    await ports().search.remove([{ org, id, version: Number(record?.revision) }]);
    advanceDays(2);
    const { results, total } = await cleanUp({ operations: ["orphaned_memories"] });
    expect([total, results[0].status]).toEqual([0, "partial"]);
    await ports().records.write({ delete: memoryKey(org, id) });
    await service.runtime.drainChangeFeed();
  });

  it("indexes memories that are missing from the index", async () => {
    const id = await store("Ada plants a tree.");
    await (await ports().search.rebuild("empty")).activate();
    advanceDays(2);
    const dry = await cleanUp({ dry_run: true, operations: ["orphaned_memories"] });
    expect(dry.total).toBeGreaterThan(1);
    expect((await cleanUp({ operations: ["orphaned_memories"] })).counts).toEqual(dry.counts);
    expect(await ports().search.versions([{ org, id }])).toHaveLength(1);
  });
});
