import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { refused } from "../support/refused.ts";
import { type Caller, eventually, IS_DEPLOYED, openTarget, type Target } from "../support/target.ts";

/** The additional field of a read about the index. */
const INDEXED = { index: { pending: expect.any(Boolean) } };

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const PLAIN = { extract_facts: false, extract_entities: false, compress: false };

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  caller = await target.organization();
});

interface Draft {
  content: string;
  [field: string]: unknown;
}

async function store(draft: string | Draft) {
  const body = typeof draft === "string" ? { content: draft } : draft;
  const { status, body: answer } = await caller.post("/memories", { options: PLAIN, ...body });
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.data;
}

/** Returns the ids of a list of at most 100 memories. */
async function idsOf(query = ""): Promise<string[]> {
  const { status, body } = await caller.get(`/memories?limit=100${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.memories.map(({ id }: { id: string }) => id);
}

const soon = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

describe("a new memory", () => {
  it("returns all its fields", async () => {
    const draft = {
      content: "Ada Lovelace moved to Zurich in 2019. She loves green tea.",
      user_id: "ada",
      category: "life",
      type: "fact",
      metadata: { source: "chat", nested: { deep: [1, true, null] } },
    };
    const { status, headers, body } = await caller.post("/memories", draft);
    expect(status).toBe(201);
    expect(headers.get("etag")).toBe('"1"');
    expect(body).toMatchObject({ success: true, meta: { request_id: expect.stringMatching(/^req_/) } });
    expect(body.meta.processing_time_ms).toBeGreaterThanOrEqual(0);
    const { id, entities, facts, compression, ...rest } = body.data;
    expect(id).toMatch(/^mem_[0-9A-Z]{26}$/);
    expect(rest).toMatchObject({
      ...draft,
      created_at: expect.stringMatching(ISO),
      updated_at: rest.created_at,
      version: 1,
    });
    expect(entities).toContainEqual({ id: expect.stringMatching(/^ent_/), name: "Zurich", type: expect.any(String) });
    expect(facts.length).toBeGreaterThan(0);
    for (const fact of facts) expect(fact.id).toMatch(/^fact_/);
    expect(compression.original_tokens).toBeGreaterThan(0);
    const again = await caller.get(`/memories/${id}`);
    expect(again.body.data).toEqual({ ...body.data, ...INDEXED });
    expect(again.headers.get("etag")).toBe('"1"');
  });

  it("shares an entity of the same name and type with other memories", async () => {
    const [one, other] = [
      await caller.post("/memories", { content: "Ada moved to Zurich in May." }),
      await caller.post("/memories", { content: "Bob flew to Zurich yesterday." }),
    ];
    const idOf = ({ body }: typeof one) =>
      body.data.entities.find(({ name }: { name: string }) => name === "Zurich")?.id;
    expect(idOf(one)).toMatch(/^ent_/);
    expect(idOf(one)).toBe(idOf(other));
  });

  it.each([
    ["no content", {}, "content"],
    ["empty content", { content: "" }, "content"],
    ["white space", { content: " \n\t" }, "content"],
    ["too much content", { content: "x".repeat(100_001) }, "content"],
    ["content of another type", { content: ["x"] }, "content"],
    ["an empty user", { content: "x", user_id: "" }, "user_id"],
    ["a long user", { content: "x", user_id: "u".repeat(257) }, "user_id"],
    ["metadata that is a list", { content: "x", metadata: [1] }, "metadata"],
    ["metadata above 16 KB", { content: "x", metadata: { a: "b".repeat(16 * 1024) } }, "metadata"],
    ["an infinite number in metadata", '{"content":"x","metadata":{"a":[1e400]}}', "metadata"],
    ["a number beyond 2^53 in metadata", { content: "x", metadata: { a: { b: -1e300 } } }, "metadata"],
    ["a number too small to store in metadata", { content: "x", metadata: { a: 1e-300 } }, "metadata"],
    ["an invalid expiry", { content: "x", expire_at: "tomorrow" }, "expire_at"],
    ["an expiry without a zone", { content: "x", expire_at: "2999-01-01T00:00:00" }, "expire_at"],
    ["an expiry in the past", { content: "x", expire_at: "2001-01-01T00:00:00Z" }, "expire_at"],
  ])("is rejected for %s", async (_what, draft, field) => {
    const { status, body } = await caller.post("/memories", draft);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields.map((each: { field: string }) => each.field)).toEqual([field]);
    expect(await idsOf()).toEqual([]);
  });

  it("is rejected with all invalid fields at once", async () => {
    const { body } = await caller.post("/memories", { content: 1, category: {}, expire_at: 5 });
    const fields = body.error?.details.fields.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(["category", "content", "expire_at"]);
  });

  it("is rejected with unknown or server-managed fields", async () => {
    const sneaked = { id: "mem_chosen", org: "org_other", version: 7, unknown: true };
    const answer = await caller.post("/memories", { content: "x", ...sneaked });
    expect(refused(answer)).toEqual([400, Object.keys(sneaked)]);
  });

  it("accepts metadata up to the nesting limit, and is rejected beyond it", async () => {
    const nest = (depth: number): object => (depth === 1 ? { a: 1 } : { a: nest(depth - 1) });
    expect((await store({ content: "x", metadata: nest(20) })).metadata).toEqual(nest(20));
    expect((await caller.post("/memories", { content: "x", metadata: nest(21) })).status).toBe(400);
    const abyss = `{"content":"x","metadata":${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}}`;
    const { status, body } = await caller.post("/memories", abyss);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  it("keeps the largest and smallest numbers in metadata, which can be indexed", async () => {
    const metadata = { a: Number.MAX_SAFE_INTEGER, b: Number.MIN_SAFE_INTEGER, c: 1e-130, d: 0.1, e: 0 };
    const { id } = await store({ content: "Ada counts far.", metadata });
    expect((await caller.get(`/memories/${id}`)).body.data.metadata).toEqual(metadata);
    await eventually(async () => {
      const { body } = await caller.get("/search?q=counts&threshold=0");
      expect(body.data.results[0]).toMatchObject({ id, metadata });
    });
  });

  it("keeps metadata keys that have a meaning in JavaScript", async () => {
    const draft = '{"content":"x","metadata":{"__proto__":{"admin":true},"constructor":1,"toString":"t"}}';
    const { body } = await caller.post("/memories", draft);
    const { metadata } = (await caller.get(`/memories/${body.data.id}`)).body.data;
    expect(JSON.stringify(metadata)).toBe('{"__proto__":{"admin":true},"constructor":1,"toString":"t"}');
  });

  it.each([
    ["emoji", "👩‍👩‍👧‍👦 family 🇨🇭 flag 🧠"],
    ["right-to-left text", "שלום עולם ‏مرحبا بالعالم"],
    ["combining marks", "e\u0301 Z̷̢̛a̸l̶g̷o̵ \u{1F1E6}"],
    ["NUL and control characters", "before\u0000after\u0001\u001f\u007f"],
    ["line separators and a byte order mark", "\ufeffa\u2028b\u2029c\r\nd"],
    ["SQL and markup", `'; DROP TABLE items; -- <script>alert(1)</script> \${x} {{y}} %00 \\`],
    ["100,000 characters", "wörd ".repeat(20_000)],
  ])("keeps %s unchanged", async (_what, content) => {
    const { id } = await store({
      content,
      category: content.slice(0, 100),
      metadata: { [content.slice(0, 50)]: content.slice(0, 50) },
    });
    const { data } = (await caller.get(`/memories/${id}`)).body;
    expect(data.content).toBe(content);
    expect(data.category).toBe(content.slice(0, 100));
    expect(data.metadata).toEqual({ [content.slice(0, 50)]: content.slice(0, 50) });
  });

  it("replaces lone surrogates, which no store can keep", async () => {
    const draft = '{"content":"a\\ud800b","user_id":"u\\udc00","metadata":{"k\\ud800":"v\\udfff"}}';
    const { status, body } = await caller.post("/memories", draft);
    expect(status).toBe(201);
    const { data } = (await caller.get(`/memories/${body.data.id}`)).body;
    expect(data).toEqual({ ...body.data, ...INDEXED });
    expect(data).toMatchObject({ content: "a\ufffdb", user_id: "u\ufffd", metadata: { "k\ufffd": "v\ufffd" } });
    expect(await idsOf(`&user_id=${encodeURIComponent("u\ufffd")}`)).toEqual([data.id]);
  });

  it("is rejected in a body of more than 1 MB", async () => {
    const body = JSON.stringify({ content: "x", metadata: { a: "y".repeat(1024 * 1024) } });
    const { status, body: answer } = await caller.post("/memories", body);
    expect([status, answer.error?.code, answer.error?.details.max_bytes]).toEqual([
      413,
      "PAYLOAD_TOO_LARGE",
      1_048_576,
    ]);
  });
});

describe("an update", () => {
  it("creates the next version, which every read returns", async () => {
    const { id, created_at } = await store({ content: "Ada drinks tea.", user_id: "ada", metadata: { a: 1 } });
    const { status, headers, body } = await caller.put(`/memories/${id}`, { content: "Ada drinks coffee." });
    expect([status, headers.get("etag")]).toEqual([200, '"2"']);
    expect(body.data).toMatchObject({
      id,
      content: "Ada drinks coffee.",
      user_id: "ada",
      metadata: { a: 1 },
      version: 2,
      created_at,
    });
    expect(body.data.updated_at >= created_at).toBe(true);
    expect((await caller.get(`/memories/${id}`)).body.data).toEqual({ ...body.data, ...INDEXED });
    await eventually(async () => {
      const { memories } = (await caller.get("/memories")).body.data;
      expect(memories).toEqual([expect.objectContaining({ id, content: "Ada drinks coffee.", version: 2 })]);
    });
  });

  it("replaces metadata as a whole, and null removes the expiry", async () => {
    const { id } = await store({ content: "x", metadata: { a: 1, b: 2 }, expire_at: soon(60_000) });
    const { body } = await caller.put(`/memories/${id}`, { metadata: { c: 3 }, expire_at: null });
    expect(body.data.metadata).toEqual({ c: 3 });
    expect(body.data).not.toHaveProperty("expire_at");
  });

  it.each([
    ["an empty body", {}],
    ["fields that cannot change", { user_id: "other", category: "other" }],
    ["empty content", { content: "" }],
    ["an expiry in the past", { expire_at: "2001-01-01T00:00:00Z" }],
  ])("with %s is rejected and creates no version", async (_what, change) => {
    const { id } = await store("x");
    expect((await caller.put(`/memories/${id}`, change)).status).toBe(400);
    expect((await caller.get(`/memories/${id}`)).body.data.version).toBe(1);
  });

  it("is rejected with 412 if If-Match names another version", async () => {
    const { id } = await store("x");
    const ifMatch = (value: string) => ({ headers: { "if-match": value } });
    expect((await caller.put(`/memories/${id}`, { content: "y" }, ifMatch('"1"'))).status).toBe(200);
    for (const [verb, body] of [
      ["put", { content: "z" }],
      ["delete", undefined],
    ] as const) {
      const { status, body: answer } = await caller[verb](`/memories/${id}`, body, ifMatch('"1"'));
      expect([verb, status, answer.error?.code]).toEqual([verb, 412, "PRECONDITION_FAILED"]);
      expect(answer.error?.details.current_version).toBe(2);
    }
    for (const [path, body] of [
      ["restore", { version: 1 }],
      ["expire", {}],
    ] as const) {
      expect((await caller.post(`/memories/${id}/${path}`, body, ifMatch('"1"'))).status).toBe(412);
    }
    expect((await caller.put(`/memories/${id}`, { content: "z" }, ifMatch("2"))).status).toBe(412);
    expect((await caller.put(`/memories/${id}`, { content: "z" }, ifMatch("garbage"))).status).toBe(412);
    expect((await caller.put(`/memories/${id}`, { content: "z" }, ifMatch("*"))).status).toBe(200);
    expect((await caller.delete(`/memories/${id}`, undefined, ifMatch('"3"'))).status).toBe(200);
  });

  it("is not lost if several requests update concurrently", async () => {
    const { id } = await store("x");
    const changes = Array.from({ length: 6 }, (_, index) => caller.put(`/memories/${id}`, { content: `y${index}` }));
    const versions = (await Promise.all(changes)).map(({ status, body }) =>
      status === 200 ? body.data.version : status,
    );
    expect(versions.sort()).toEqual([2, 3, 4, 5, 6, 7]);
    const { body } = await caller.get(`/memories/${id}/versions`);
    expect(body.data.versions.map(({ version }: { version: number }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it("succeeds once if several requests send the same If-Match concurrently", async () => {
    const { id } = await store("x");
    const headers = { "if-match": '"1"' };
    const changes = Array.from({ length: 6 }, (_, index) =>
      caller.put(`/memories/${id}`, { content: `y${index}` }, { headers }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412, 412, 412, 412, 412]);
  });
});

describe("versions", () => {
  async function changedTwice() {
    const { id } = await store({ content: "one", metadata: { n: 1 } });
    await caller.put(`/memories/${id}`, { content: "two" });
    await caller.put(`/memories/${id}`, { metadata: { n: 3 } });
    return id as string;
  }

  it.each(["history", "versions"])("are returned by /%s, oldest first", async (path) => {
    const id = await changedTwice();
    const { created_at: occurred_at, provenance } = (await caller.get(`/memories/${id}`)).body.data;
    const { body } = await caller.get(`/memories/${id}/${path}`);
    expect(body.data).toEqual({
      memory_id: id,
      versions: [
        {
          version: 1,
          content: "one",
          metadata: { n: 1 },
          occurred_at,
          created_at: expect.stringMatching(ISO),
          changed_by: provenance.written_by,
          changes: ["created"],
        },
        {
          version: 2,
          content: "two",
          metadata: { n: 1 },
          occurred_at,
          created_at: expect.stringMatching(ISO),
          changed_by: provenance.written_by,
          changes: ["content"],
        },
        {
          version: 3,
          content: "two",
          metadata: { n: 3 },
          occurred_at,
          created_at: expect.stringMatching(ISO),
          changed_by: provenance.written_by,
          changes: ["metadata"],
        },
      ],
      pagination: { total: 3, limit: 20, offset: 0, has_next: false },
    });
  });

  it("are returned in pages", async () => {
    const id = await changedTwice();
    const { data } = (await caller.get(`/memories/${id}/versions?limit=1&offset=1`)).body;
    expect(data.versions.map(({ version }: { version: number }) => version)).toEqual([2]);
    expect(data.pagination).toEqual({ total: 3, limit: 1, offset: 1, has_next: true });
  });

  it("are restored as a new version", async () => {
    const id = await changedTwice();
    const { status, headers, body } = await caller.post(`/memories/${id}/restore`, { version: 1, reason: "was right" });
    expect([status, headers.get("etag")]).toEqual([200, '"4"']);
    expect(body.data).toMatchObject({ id, content: "one", metadata: { n: 1 }, version: 4 });
    const { versions } = (await caller.get(`/memories/${id}/versions`)).body.data;
    expect(versions).toHaveLength(4);
    expect(versions[3]).toMatchObject({
      version: 4,
      content: "one",
      reason: "was right",
      changes: ["restored from version 1"],
    });
  });

  it("cannot be restored if they do not exist", async () => {
    const id = await changedTwice();
    const missing = await caller.post(`/memories/${id}/restore`, { version: 9 });
    expect([missing.status, missing.body.error?.code]).toEqual([404, "VERSION_NOT_FOUND"]);
    for (const version of [0, -1, 1.5, "1", null]) {
      expect((await caller.post(`/memories/${id}/restore`, { version })).status).toBe(400);
    }
    expect((await caller.post("/memories/mem_none/restore", { version: 1 })).body.error?.code).toBe("MEMORY_NOT_FOUND");
  });

  it("with long content are stored and restored completely", async () => {
    const content = "A long story. ".repeat(7_000);
    const { id } = await store(content);
    await caller.put(`/memories/${id}`, { content: "short" });
    expect((await caller.get(`/memories/${id}/versions`)).body.data.versions[0].content).toBe(content);
    expect((await caller.post(`/memories/${id}/restore`, { version: 1 })).body.data.content).toBe(content);
  });
});

describe("deleting", () => {
  it("removes a memory from every read", async () => {
    const { id } = await store({ content: "Ada drinks tea.", user_id: "ada" });
    const { status, body } = await caller.delete(`/memories/${id}`);
    expect([status, body.data]).toEqual([200, { id, deleted_at: expect.stringMatching(ISO) }]);
    for (const path of ["", "/history", "/versions", "/entities"]) {
      const { status: gone, body: answer } = await caller.get(`/memories/${id}${path}`);
      expect([path, gone, answer.error?.code]).toEqual([path, 404, "MEMORY_NOT_FOUND"]);
      expect(answer.error?.details).toEqual({ memory_id: id });
    }
    expect((await caller.delete(`/memories/${id}`)).status).toBe(404);
    expect((await caller.put(`/memories/${id}`, { content: "y" })).status).toBe(404);
    expect((await caller.post(`/memories/${id}/restore`, { version: 1 })).status).toBe(404);
    await eventually(async () => {
      expect(await idsOf()).toEqual([]);
      expect((await caller.get("/search?q=tea&threshold=0")).body.data.results).toEqual([]);
    });
  });

  it("does not affect other organizations", async () => {
    const { id } = await store("x");
    const stranger = await target.organization();
    expect((await stranger.delete(`/memories/${id}`)).status).toBe(404);
    expect((await stranger.delete("/memories/batch-delete", { ids: [id] })).body.data.deleted_count).toBe(0);
    expect((await caller.get(`/memories/${id}`)).status).toBe(200);
  });
});

describe("expiry", () => {
  it("removes a memory from every read, list and search at that time", async () => {
    // The memory must be read before it expires; new functions take a second or two to start.
    const at = soon(IS_DEPLOYED ? 15_000 : 2_500);
    const { id } = await store({ content: "Ada drinks green tea.", user_id: "ada", expire_at: at });
    const { id: stays } = await store({ content: "Ada drinks black tea.", user_id: "ada" });
    expect((await caller.get(`/memories/${id}`)).body.data.expire_at).toBe(at);
    await eventually(async () => expect((await idsOf()).sort()).toEqual([id, stays].sort()));
    await delay(Date.parse(at) - Date.now() + 1);
    for (const path of ["", "/history", "/entities"])
      expect((await caller.get(`/memories/${id}${path}`)).status).toBe(404);
    for (const sort of ["created_at desc", "created_at asc", "updated_at desc", "updated_at asc"]) {
      for (const filter of ["", "&user_id=ada"]) {
        const { data } = (await caller.get(`/memories?sort=${encodeURIComponent(sort)}${filter}`)).body;
        expect([sort, data.memories.map((memory: { id: string }) => memory.id)]).toEqual([sort, [stays]]);
        expect([sort, data.pagination]).toEqual([sort, { total: 1, limit: 20, offset: 0, has_next: false }]);
      }
    }
    expect((await caller.get("/memories?limit=1&sort=updated_at%20desc")).body.data.pagination).toMatchObject({
      total: 1,
      has_next: false,
    });
    const found = (await caller.get("/search?q=green+tea&threshold=0")).body.data.results;
    expect(found.map((hit: { id: string }) => hit.id)).toEqual([stays]);
    expect((await caller.get("/memories/stats")).body.data.total_count).toBe(1);
    expect((await caller.put(`/memories/${id}`, { expire_at: null })).status).toBe(404);
  });

  it("is immediate if no time or a past time is given", async () => {
    for (const body of [{}, { expire_at: "2001-01-01T00:00:00Z", reason: "old" }]) {
      const { id } = await store("x");
      const { status, body: answer } = await caller.post(`/memories/${id}/expire`, body);
      expect([status, answer.data]).toEqual([
        200,
        { ...body, id, expire_at: expect.stringMatching(ISO), expired: true, version: 2 },
      ]);
      expect(Date.parse(answer.data.expire_at)).toBeGreaterThan(Date.now() - 10_000);
      expect((await caller.get(`/memories/${id}`)).status).toBe(404);
      await eventually(async () => expect(await idsOf()).toEqual([]));
    }
  });

  it("can be set to a later time, and removed", async () => {
    const { id } = await store("x");
    const at = soon(60_000);
    const { body } = await caller.post(`/memories/${id}/expire`, { expire_at: at });
    expect(body.data).toEqual({ id, expire_at: at, expired: false, version: 2 });
    expect((await caller.put(`/memories/${id}`, { expire_at: null })).status).toBe(200);
    expect((await caller.get(`/memories/${id}`)).body.data).not.toHaveProperty("expire_at");
  });
});

describe("batches", () => {
  it("store each item separately, in order, and return the failed ones", async () => {
    const memories = [
      { content: "one" },
      { content: "" },
      "no object",
      null,
      { content: "five", metadata: 1 },
      { content: "six" },
    ];
    const { status, body } = await caller.post("/memories/batch", { memories, options: PLAIN });
    expect(status).toBe(201);
    const { created, failed } = body.data;
    expect(created).toEqual([
      { index: 0, id: expect.stringMatching(/^mem_/), content: "one", status: "created" },
      { index: 5, id: expect.stringMatching(/^mem_/), content: "six", status: "created" },
    ]);
    expect(failed.map(({ index, error }: { index: number; error: { code: string } }) => [index, error.code])).toEqual(
      [1, 2, 3, 4].map((index) => [index, "VALIDATION_ERROR"]),
    );
    await eventually(async () =>
      expect((await idsOf()).sort()).toEqual(created.map(({ id }: { id: string }) => id).sort()),
    );
  });

  it("store 100 items, and reject more, none and anything but a list", async () => {
    const memories = Array.from({ length: 100 }, (_, index) => ({ content: `number ${index}` }));
    const { body } = await caller.post("/memories/batch", { memories, options: PLAIN });
    expect(body.data.created.map(({ content }: { content: string }) => content)).toEqual(
      memories.map(({ content }) => content),
    );
    for (const [bad, why] of [
      [[...memories, { content: "x" }], "<=100"],
      [[], ">=1"],
      [{}, "expected array"],
      ["text", "expected array"],
      [undefined, "expected array"],
    ]) {
      const refused = await caller.post("/memories/batch", { memories: bad });
      expect([refused.status, refused.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(refused.body.error?.message).toContain(why);
    }
  });

  it("update each item separately; a repeated id fails the second time", async () => {
    const [one, other] = [await store("one"), await store("other")];
    const updates = [
      { id: one.id, content: "one changed" },
      { id: "mem_none", content: "x" },
      { id: other.id, metadata: { a: 1 } },
      { id: one.id, content: "again" },
      { id: other.id },
      { content: "no id" },
    ];
    const { status, body } = await caller.put("/memories/batch-update", { updates });
    expect(status).toBe(200);
    expect(body.data.updated).toEqual([
      { index: 0, id: one.id, version: 2, updated_at: expect.stringMatching(ISO) },
      { index: 2, id: other.id, version: 2, updated_at: expect.stringMatching(ISO) },
    ]);
    const failures = body.data.failed.map((each: { index: number; id?: string; error: { code: string } }) => [
      each.index,
      each.id,
      each.error.code,
    ]);
    expect(failures).toEqual([
      [1, "mem_none", "MEMORY_NOT_FOUND"],
      [3, one.id, "VALIDATION_ERROR"],
      [4, other.id, "VALIDATION_ERROR"],
      [5, undefined, "VALIDATION_ERROR"],
    ]);
    expect((await caller.get(`/memories/${one.id}`)).body.data).toMatchObject({ content: "one changed", version: 2 });
  });

  it("delete by id; unknown and repeated ids fail separately", async () => {
    const { id } = await store("x");
    const { body } = await caller.delete("/memories/batch-delete", { ids: [id, "mem_none", id] });
    expect(body.data).toMatchObject({ deleted_count: 1, deleted_ids: [id], has_more: false });
    const failures = body.data.failed.map((each: { index: number; id: string; error: { code: string } }) => [
      each.index,
      each.id,
      each.error.code,
    ]);
    expect(failures).toEqual([
      [1, "mem_none", "MEMORY_NOT_FOUND"],
      [2, id, "VALIDATION_ERROR"],
    ]);
  });

  it.each(["/memories/batch-delete", "/memories/bulk-delete"])("delete by filter through %s", async (path) => {
    const [gone, stays] = [
      await store({ content: "x", category: "a", user_id: "ada" }),
      await store({ content: "y", category: "b" }),
    ];
    await eventually(async () => expect(await idsOf()).toHaveLength(2));
    const confirmed = path.endsWith("bulk-delete") ? { confirm: true } : {};
    const { body } = await caller.delete(path, { filters: { category: "a", user_id: "ada" }, ...confirmed });
    expect(body.data).toEqual({ deleted_count: 1, deleted_ids: [gone.id], failed: [], has_more: false });
    await eventually(async () => expect(await idsOf()).toEqual([stays.id]));
  });

  it("delete by creation time", async () => {
    const old = await store("old");
    await delay(5);
    const middle = new Date().toISOString();
    await delay(5);
    const young = await store("young");
    await eventually(async () => expect(await idsOf()).toHaveLength(2));
    const { body } = await caller.delete("/memories/bulk-delete", {
      filters: { created_before: middle },
      confirm: true,
    });
    expect(body.data.deleted_ids).toEqual([old.id]);
    await eventually(async () => expect(await idsOf()).toEqual([young.id]));
  });

  it.each([
    ["bulk deletion without confirm", "bulk-delete", { filters: { category: "a" } }],
    ["bulk deletion with confirm false", "bulk-delete", { filters: { category: "a" }, confirm: false }],
    ["bulk deletion with confirm 'true'", "bulk-delete", { filters: { category: "a" }, confirm: "true" }],
    ["bulk deletion without filters", "bulk-delete", { confirm: true }],
    ["bulk deletion of all", "bulk-delete", { filters: {}, confirm: true }],
    ["bulk deletion by an unknown filter", "bulk-delete", { filters: { categori: "a" }, confirm: true }],
    ["batch deletion without ids and filters", "batch-delete", {}],
    ["batch deletion by ids and filters", "batch-delete", { ids: ["mem_x"], filters: { category: "a" } }],
    ["batch deletion of no ids", "batch-delete", { ids: [] }],
    ["batch deletion of too many ids", "batch-delete", { ids: Array.from({ length: 101 }, (_, n) => `mem_${n}`) }],
    ["batch deletion of all", "batch-delete", { filters: {} }],
  ])("reject %s", async (_what, path, body) => {
    const { id } = await store({ content: "x", category: "a" });
    const { status, body: answer } = await caller.delete(`/memories/${path}`, body);
    expect([status, answer.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect((await caller.get(`/memories/${id}`)).status).toBe(200);
  });
});

describe("entities", () => {
  it("are created once for each name and type, and found by a prefix of their name", async () => {
    const { status, body } = await caller.post("/entities", { name: "Zurich", type: "place" });
    expect([status, body.data]).toEqual([201, { id: expect.stringMatching(/^ent_/), name: "Zurich", type: "place" }]);
    expect((await caller.post("/entities", { name: "zurich", type: "place" })).body.data).toEqual(body.data);
    const other = (await caller.post("/entities", { name: "Zurich", type: "organization" })).body.data;
    expect(other.id).not.toBe(body.data.id);
    await caller.post("/entities", { name: "Bern", type: "place" });
    await eventually(async () => {
      const found = (await caller.get("/entities?q=ZUR&type=place")).body.data;
      expect(found).toEqual({ entities: [body.data], pagination: { total: 1, limit: 20, offset: 0, has_next: false } });
      expect((await caller.get("/entities?q=zur")).body.data.pagination.total).toBe(2);
    });
  });

  it("are hidden from other organizations", async () => {
    const { body } = await caller.post("/memories", { content: "Ada lives in Zurich." });
    const [{ id }] = body.data.entities;
    await eventually(async () => expect((await caller.get(`/entities/${id}`)).body.data.memory_count).toBe(1));
    expect((await (await target.organization()).get(`/entities/${id}`)).status).toBe(404);
  });

  it("can be linked, relinked and counted, and stay linked when the content changes", async () => {
    const { id } = await store("She lives there.");
    const entity = (await caller.post("/entities", { name: "Zurich", type: "place" })).body.data;
    const link = await caller.post(`/memories/${id}/link/${entity.id}`, {
      relationship_type: "lives_in",
      strength: 0.5,
    });
    expect([link.status, link.body.data]).toEqual([
      201,
      {
        memory_id: id,
        entity_id: entity.id,
        relationship_type: "lives_in",
        strength: 0.5,
        created_at: expect.stringMatching(ISO),
      },
    ]);
    await caller.post(`/memories/${id}/link/${entity.id}`, {});
    await caller.put(`/memories/${id}`, { content: "She lives elsewhere." });
    const { data } = (await caller.get(`/memories/${id}/entities`)).body;
    expect(data.memory_id).toBe(id);
    expect(data.entities).toEqual([{ ...entity, relationship_type: "related_to", strength: 1 }]);
    await eventually(async () =>
      expect((await caller.get(`/entities/${entity.id}`)).body.data).toEqual({ ...entity, memory_count: 1 }),
    );
    await caller.delete(`/memories/${id}`);
    await eventually(async () => expect((await caller.get(`/entities/${entity.id}`)).body.data.memory_count).toBe(0));
  });

  it("are rejected if they are unknown, as are links with invalid fields", async () => {
    const { id } = await store("x");
    const unknown = await caller.post(`/memories/${id}/link/ent_none`, {});
    expect([unknown.status, unknown.body.error?.code]).toEqual([404, "ENTITY_NOT_FOUND"]);
    const entity = (await caller.post("/entities", { name: "Zurich", type: "place" })).body.data;
    for (const body of [{ strength: 2 }, { strength: -1 }, { strength: "1" }, { relationship_type: "" }]) {
      expect((await caller.post(`/memories/${id}/link/${entity.id}`, body)).status).toBe(400);
    }
  });
});

describe("feedback", () => {
  it("is stored and creates no version", async () => {
    const { id } = await store("x");
    const { status, body } = await caller.post(`/memories/${id}/feedback`, {
      rating: 4,
      comment: "good",
      category: "accuracy",
    });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^fb_/),
      memory_id: id,
      rating: 4,
      comment: "good",
      category: "accuracy",
      created_at: expect.stringMatching(ISO),
    });
    expect((await caller.get(`/memories/${id}`)).body.data.version).toBe(1);
    for (const rating of [0, 6, 2.5, "5", null]) {
      expect((await caller.post(`/memories/${id}/feedback`, { rating })).status).toBe(400);
    }
    expect((await caller.post("/memories/mem_none/feedback", { rating: 1 })).status).toBe(404);
  });

  it("is listed, and can be deleted once", async () => {
    const { id } = await store("x");
    const rate = async (rating: number) => (await caller.post(`/memories/${id}/feedback`, { rating })).body.data;
    const [first, second] = [await rate(1), await rate(5)];
    const list = async () => (await caller.get(`/memories/${id}/feedback`)).body.data;
    expect(await list()).toMatchObject({ memory_id: id, feedback: [first, second], pagination: { total: 2 } });
    const undo = () => caller.delete(`/memories/${id}/feedback/${first.id}`);
    const answers = await Promise.all([undo(), undo()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await undo()).body.error?.code).toBe("FEEDBACK_NOT_FOUND");
    expect((await list()).feedback).toEqual([second]);
    expect((await caller.delete(`/memories/mem_none/feedback/${second.id}`)).body.error?.code).toBe("MEMORY_NOT_FOUND");
    expect((await caller.get("/memories/mem_none/feedback")).status).toBe(404);
  });
});

describe("stats", () => {
  it("count the organization's memories", async () => {
    const empty = (await caller.get("/memories/stats")).body.data;
    expect(empty).toMatchObject({ total_count: 0, by_category: {}, by_type: {}, by_user: {} });
    await store({ content: "Ada drinks tea.", category: "food", type: "fact", user_id: "ada" });
    await store({ content: "Bob drinks tea.", category: "food", user_id: "bob" });
    await store({ content: "Nobody drinks." });
    await eventually(async () => {
      const { data } = (await caller.get("/memories/stats")).body;
      expect(data).toMatchObject({
        total_count: 3,
        by_category: { food: 2 },
        by_type: { fact: 1 },
        by_user: { ada: 1, bob: 1 },
      });
      expect(data.compression_stats.total_tokens_original).toBeGreaterThan(0);
      expect(data.processing_stats.memories_processed_today).toBe(3);
    });
  });
});

describe("lists", () => {
  const TOTAL = 7;

  async function storeSeven(): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < TOTAL; index++) {
      const { id } = await store({
        content: `number ${index}`,
        category: index % 2 === 0 ? "even" : "odd",
        type: "n",
        user_id: `u${index % 3}`,
      });
      ids.push(id);
    }
    await eventually(async () => expect(await idsOf()).toHaveLength(TOTAL));
    return ids;
  }

  it.each(["created_at", "updated_at"])("return pages by %s in both directions", async (field) => {
    const ids = await storeSeven();
    if (field === "updated_at") {
      await delay(2);
      await caller.put(`/memories/${ids[0]}`, { content: "changed" });
      ids.push(ids.shift() as string);
    }
    for (const direction of ["asc", "desc"]) {
      const expected = direction === "asc" ? ids : ids.toReversed();
      await eventually(async () => {
        const pages: string[][] = [];
        for (let offset = 0; offset < 9; offset += 3) {
          const { data } = (await caller.get(`/memories?limit=3&offset=${offset}&sort=${field}%20${direction}`)).body;
          const next = offset + 3 < TOTAL ? { has_next: true, next_cursor: expect.any(String) } : { has_next: false };
          expect(data.pagination).toEqual({ total: TOTAL, limit: 3, offset, ...next });
          pages.push(data.memories.map(({ id }: { id: string }) => id));
        }
        expect(pages).toEqual([expected.slice(0, 3), expected.slice(3, 6), expected.slice(6)]);
      });
    }
  });

  it("return an empty page beyond the end", async () => {
    await storeSeven();
    const { data } = (await caller.get("/memories?offset=500")).body;
    expect(data).toEqual({ memories: [], pagination: { total: TOTAL, limit: 20, offset: 500, has_next: false } });
    expect((await caller.get("/memories?limit=7")).body.data.pagination).toMatchObject({
      total: TOTAL,
      has_next: false,
    });
  });

  it("contain the memories that match the filters", async () => {
    const ids = await storeSeven();
    const at = (...indexes: number[]) => indexes.map((index) => ids[index]).sort();
    const listed = async (query: string) => (await idsOf(query)).sort();
    expect(await listed("&category=even")).toEqual(at(0, 2, 4, 6));
    expect(await listed("&category=even&user_id=u0")).toEqual(at(0, 6));
    expect(await listed("&user_id=u1")).toEqual(at(1, 4));
    expect(await listed("&type=n")).toHaveLength(TOTAL);
    expect(await listed("&type=other")).toEqual([]);
    expect(await listed("&user_id=u1&sort=updated_at%20asc")).toEqual(at(1, 4));
    const { created_at } = (await caller.get(`/memories/${ids[3]}`)).body.data;
    for (const sort of ["created_at%20desc", "updated_at%20asc"]) {
      const [after, before] = [
        await listed(`&created_after=${created_at}&sort=${sort}`),
        await listed(`&created_before=${created_at}&sort=${sort}`),
      ];
      expect(after).toEqual(expect.arrayContaining(at(3, 4, 5, 6)));
      expect(before).toEqual(expect.arrayContaining(at(0, 1, 2, 3)));
      expect(after).toContain(ids[3]);
      expect(before).toContain(ids[3]);
      expect(await listed(`&created_after=2999-01-01&sort=${sort}`)).toEqual([]);
      expect(await listed(`&created_before=2001-01-01T00:00:00%2B02:00&sort=${sort}`)).toEqual([]);
    }
  });

  it("return pages of the memories that match a filter", async () => {
    const ids = await storeSeven();
    const { data } = (await caller.get("/memories?category=even&limit=2&offset=2&sort=created_at%20asc")).body;
    expect(data.memories.map(({ id }: { id: string }) => id)).toEqual([ids[4], ids[6]]);
    expect(data.pagination).toEqual({ total: 4, limit: 2, offset: 2, has_next: false });
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-1", "limit"],
    ["limit=1.5", "limit"],
    ["limit=ten", "limit"],
    ["limit=", "limit"],
    ["limit=1e1", "limit"],
    ["limit=9007199254740991", "limit"],
    ["offset=-1", "offset"],
    ["offset=10001", "offset"],
    ["offset=NaN", "offset"],
    ["offset=", "offset"],
    ["sort=content", "sort"],
    ["sort=created_at%20sideways", "sort"],
    ["sort=created_at%20desc%20please", "sort"],
    ["sort=", "sort"],
    ["created_after=yesterday", "created_after"],
    ["created_before=2026-13-40", "created_before"],
    ["user_id=", "user_id"],
  ])("reject %s", async (query, field) => {
    const { status, body } = await caller.get(`/memories?${query}`);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields.map((each: { field: string }) => each.field)).toEqual([field]);
  });

  it("accept the highest allowed offset", async () => {
    expect((await caller.get("/memories?offset=10000&limit=100")).status).toBe(200);
  });

  it("never contain memories of another organization", async () => {
    await store({ content: "secret", user_id: "ada", category: "c" });
    const stranger = await target.organization();
    await stranger.post("/memories", { content: "mine", user_id: "ada", category: "c", options: PLAIN });
    for (const query of ["", "?user_id=ada", "?category=c", "?sort=updated_at%20asc"]) {
      await eventually(async () => {
        const { memories } = (await stranger.get(`/memories${query}`)).body.data;
        expect(memories.map(({ content }: { content: string }) => content)).toEqual(["mine"]);
      });
    }
  });
});

describe("Idempotency-Key", () => {
  const once = (key: string) => ({ headers: { "idempotency-key": key } });

  it("returns the same response again, and stores once", async () => {
    const first = await caller.post("/memories", { content: "x" }, once("k1"));
    const again = await caller.post("/memories", { content: "x" }, once("k1"));
    expect([again.status, again.body.data]).toEqual([201, first.body.data]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
    await eventually(async () => expect(await idsOf()).toEqual([first.body.data.id]));
  });

  it("rejects another body, another path and a key that is too long", async () => {
    await caller.post("/memories", { content: "x" }, once("k1"));
    const other = await caller.post("/memories", { content: "y" }, once("k1"));
    expect([other.status, other.body.error?.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    expect((await caller.post("/entities", { content: "x" }, once("k1"))).status).toBe(422);
    expect((await caller.post("/memories", { content: "x" }, once("k".repeat(256)))).status).toBe(400);
  });

  it("rejects an empty key", async () => {
    expect((await caller.post("/memories", { content: "x" }, once(""))).status).toBe(400);
  });

  it("belongs to one credential", async () => {
    await caller.post("/memories", { content: "x" }, once("k1"));
    const stranger = await target.organization();
    expect((await stranger.post("/memories", { content: "y" }, once("k1"))).status).toBe(201);
  });

  it("also repeats an error response", async () => {
    const first = await caller.post("/memories", { content: "" }, once("k1"));
    const again = await caller.post("/memories", { content: "" }, once("k1"));
    expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([400, 400, "true"]);
  });

  it("processes one of several concurrent requests; the others get 409 or its response", async () => {
    const content = "Ada moved to Zurich. ".repeat(300);
    const all = await Promise.all(Array.from({ length: 5 }, () => caller.post("/memories", { content }, once("k1"))));
    const statuses = all.map(({ status }) => status);
    for (const status of statuses) expect([201, 409]).toContain(status);
    // A gateway may pass the requests on one after the other.
    if (!IS_DEPLOYED) expect(statuses).toContain(409);
    for (const { status, body } of all) if (status === 409) expect(body.error?.code).toBe("REQUEST_IN_PROGRESS");
    await eventually(async () => expect(await idsOf()).toHaveLength(1));
  });
});

describe("rate limits of the free plan", () => {
  it("reject the eleventh new memory of a minute with Retry-After", async () => {
    const free = await target.organization("free");
    for (let left = 9; left >= 0; left--) {
      const { status, headers } = await free.post("/memories", { content: "x", options: PLAIN });
      expect(status).toBe(201);
      expect(headers.get("ratelimit-policy")).toBe('"create_memory";q=10;w=60');
      const [, remaining, reset] = headers.get("ratelimit")?.match(/^"create_memory";r=(\d+);t=(\d+)$/) ?? [];
      expect(Number(remaining)).toBeGreaterThanOrEqual(left);
      expect(Number(reset)).toBeGreaterThan(0);
    }
    const { status, headers, body } = await free.post("/memories", { content: "x" });
    expect([status, body.error?.code]).toEqual([429, "RATE_LIMITED"]);
    const wait = Number(headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(6);
    expect(body.error?.details).toEqual({ limit: "create_memory", requests_per_minute: 10, retry_after: wait });
    expect((await free.get("/memories")).status).toBe(200);
  });

  it("do not count requests rejected for lack of permission", async () => {
    const free = await target.organization("free");
    for (let count = 0; count < 6; count++) {
      const { status } = await free.put(
        "/memories/mem_none",
        { content: "x" },
        { headers: { "x-permission": "memory:read" } },
      );
      expect(status).toBe(403);
    }
    expect((await free.put("/memories/mem_none", { content: "x" })).status).toBe(404);
  });

  it("do not exist on the enterprise plan", async () => {
    const { headers } = await caller.get("/memories");
    expect(headers.has("ratelimit")).toBe(false);
  });
});
