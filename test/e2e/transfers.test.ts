import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { EXPORT_FORMAT } from "../../shared/domain/integration/transfers/rows/row.ts";
import { TRANSFER_QUEUE } from "../../shared/ports/queues.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

let target: Target;

beforeAll(async () => {
  target = await openTarget();
});

afterAll(() => target.close());

/** Maximum time to wait for workers, which have more to do in a deployment. */
const SLOW = 240_000;

/** Repeats a check until it passes, like `eventually`, for results of workers. */
const inTime = <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, { timeout: SLOW / 3, interval: 100 });

/** Waits until an event has ended and returns it. */
function ended(caller: Caller, id: string) {
  return inTime(async () => {
    const { body } = await caller.get(`/events/${id}`);
    expect(["completed", "FAILED"]).toContain(body.status);
    return body;
  });
}

async function importAll(caller: Caller, memories: unknown[]) {
  const { status, body } = await caller.post("/imports", { memories });
  expect(status).toBe(202);
  expect(body).toMatchObject({ status: "PENDING", total: memories.length });
  return ended(caller, body.event_id);
}

/** Uploads a file to import and returns the event once it has ended. */
async function upload(caller: Caller, bytes: Uint8Array<ArrayBuffer>, name: string, fields: Record<string, string>) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("file", new File([bytes], name));
  const { status, body } = await caller.post("/imports/upload", form);
  expect([status, body.error]).toEqual([202, undefined]);
  return ended(caller, body.event_id);
}

type Row = Record<string, unknown>;

/** Exports memories and returns the rows of all files. */
async function exportAll(caller: Caller, filter: object = {}): Promise<Row[]> {
  const { status, body } = await caller.post("/exports", filter);
  expect(status).toBe(200);
  const { files, progress } = await ended(caller, body.event_id);
  const rows: Row[] = [];
  for (const { download_url, memories, bytes } of files) {
    const answer = await target.follow(download_url);
    const text = await answer.text();
    expect(Buffer.byteLength(text)).toBe(bytes);
    const part = JSON.parse(text).memories;
    expect(part).toHaveLength(memories);
    rows.push(...part);
  }
  expect(progress).toEqual({ total: rows.length, done: rows.length, failed: 0 });
  return rows;
}

/** Repeats an export until it has exactly this many memories, because lists may lag behind writes. */
function exportOf(caller: Caller, count: number): Promise<Row[]> {
  return inTime(async () => {
    const rows = await exportAll(caller);
    expect(rows).toHaveLength(count);
    return rows;
  });
}

describe("an import", () => {
  it("stores valid rows and lists the positions of invalid ones", async () => {
    const caller = await target.organization();
    const event = await importAll(caller, [
      { content: "Ada prefers tea over coffee.", user_id: "ada", type: "preference" },
      { content: "" },
      "Grace lives in Arlington.",
      { content: "Grace lives in Arlington.", user_id: null, created_at: "2024-02-03T04:05:06Z" },
      { content: "It is over.", expire_at: "2020-01-01T00:00:00Z", metadata: [] },
      { memory: "It is over.", expire_at: "2020-01-01T00:00:00Z" },
      { content: "It was changed before it was there.", created_at: "2024-02-03", updated_at: "2023-02-03" },
    ]);
    expect(event).toMatchObject({
      type: "memory.import",
      status: "completed",
      resource: "import",
      progress: { total: 7, done: 2, failed: 5 },
      imported: 2,
      skipped: 0,
    });
    const failed = event.errors.map(({ index, code }: { index: number; code: string }) => [index, code]);
    expect(failed).toEqual([1, 2, 4, 5, 6].map((index) => [index, "VALIDATION_ERROR"]));
    const { body } = await caller.get(`/imports/${event.id}/failures?limit=2&offset=2`);
    expect(body.failures).toEqual([
      { index: 4, fields: [{ field: "metadata", problem: "must be an object" }] },
      { index: 5, fields: [{ field: "expire_at", problem: expect.stringContaining("is over") }] },
    ]);
    expect(body.pagination).toEqual({ total: 5, limit: 2, offset: 2, has_next: true });
    const rows = await exportOf(caller, 2);
    expect(rows.map(({ content, created_at }) => [content, created_at])).toEqual([
      ["Grace lives in Arlington.", "2024-02-03T04:05:06.000Z"],
      ["Ada prefers tea over coffee.", expect.any(String)],
    ]);
    const [, ada] = rows;
    expect(ada?.entities).toContainEqual({ name: "Ada", type: "person" });
  });

  it.each([
    ["a bare array", (rows: unknown[]) => rows],
    ["a page of mem0", (results: unknown[]) => ({ count: 2, next: null, previous: null, results })],
  ])("accepts %s", async (_name, body) => {
    const caller = await target.organization();
    const rows = [
      {
        id: "3c90c3cc-0d44-4b50-8888-8dd25736052a",
        memory: "Ada prefers tea over coffee.",
        user_id: "ada",
        hash: "f3a",
        score: 0.8,
        metadata: null,
        categories: [],
        created_at: "2024-07-20T01:30:36.275141-07:00",
        updated_at: null,
        expiration_date: null,
        structured_attributes: { day: 20 },
      },
      { memory: "Grace lives in Arlington.", categories: ["home"], expiration_date: "2096-01-01" },
    ];
    const { status, body: begun } = await caller.post("/imports", body(rows));
    expect([status, begun.total]).toEqual([202, 2]);
    expect(await ended(caller, begun.event_id)).toMatchObject({ imported: 2, progress: { failed: 0 } });
    const stored = await exportOf(caller, 2);
    expect(stored.find(({ user_id }) => user_id === "ada")?.created_at).toBe("2024-07-20T08:30:36.275Z");
    const again = await caller.post("/imports", body(rows.slice(0, 1)));
    expect(await ended(caller, again.body.event_id)).toMatchObject({ imported: 0, skipped: 1 });
  });

  it("says by row why it skipped", async () => {
    const caller = await target.organization();
    const rows = [
      { id: "note-1", content: "Tea is ready." },
      { id: "note-2", content: "" },
      { role: "user", content: "Can you write a haiku?" },
      { role: "user", content: [{ type: "text", text: "I moved to Lisbon." }, { type: "image_url" }] },
    ];
    const uploadRows = () => upload(caller, strToU8(JSON.stringify(rows)), "rows.json", { user_id: "ada" });
    const first = await uploadRows();
    expect(first).toMatchObject({ imported: 2, skipped: 2, progress: { total: 5, failed: 1 } });
    expect(first.skipped_rows).toEqual([
      { index: 2, reason: "states nothing to remember (left out: question)" },
      { index: 4, reason: "1 part beside a message's text (image_url) is not imported" },
    ]);
    const second = await uploadRows();
    const { body } = await caller.get(`/imports/${second.id}/skipped?limit=2&offset=0`);
    expect(body.skipped).toEqual([
      { index: 0, reason: "its memory exists already" },
      { index: 2, reason: "states nothing to remember (left out: question)" },
    ]);
    expect(body.pagination).toEqual({ total: 4, limit: 2, offset: 0, has_next: true });
    expect(second.skipped_rows[2]).toEqual({ index: 3, reason: "states only what memories state already" });
    const other = await target.organization();
    expect((await other.get(`/imports/${second.id}/skipped`)).status).toBe(404);
  });

  it("stores what other services keep, once, and never as the person's own words if it is not", async () => {
    const caller = await target.organization();
    const conversation = {
      ...{ uuid: "c1", name: "Notes", created_at: "2025-02-03T10:00:00Z" },
      chat_messages: [
        {
          ...{ uuid: "m1", sender: "human", text: "I garden in Evora.", created_at: "2025-02-03T10:00:00Z" },
          attachments: [
            { file_name: "letter.txt", extracted_content: "I live in Porto and I am allergic to nuts." },
            { file_name: "picture.png", extracted_content: "" },
          ],
        },
      ],
    };
    const claude = zipSync({ "conversations.json": strToU8(JSON.stringify([conversation])) });
    const server = strToU8(
      [
        { type: "entity", name: "Duarte", entityType: "person", observations: ["Duarte grafts olive trees"] },
        { type: "relation", from: "Duarte", to: "Evora", relationType: "lives_in" },
      ]
        .map((line) => JSON.stringify(line))
        .join("\n"),
    );
    const notes = strToU8("# Orchard\n\nPrune the olives in March.\n");
    const importEach = async () => [
      await upload(caller, claude, "export.zip", { user_id: "ada" }),
      await upload(caller, server, "memory.jsonl", { user_id: "ada" }),
      await upload(caller, notes, "CLAUDE.md", { user_id: "ada" }),
    ];
    const first = await importEach();
    expect(first.map(({ imported, skipped, progress }) => [imported, skipped, progress.failed])).toEqual([
      [2, 0, 1],
      [2, 0, 0],
      [1, 0, 0],
    ]);
    const { failures } = (await caller.get(`/imports/${first[0].id}/failures`)).body;
    expect(failures[0].fields[0].problem).toContain("picture.png");
    const second = await importEach();
    expect(second.map(({ imported }) => imported)).toEqual([0, 0, 0]);
    const { memories } = (await caller.get("/memories?user_id=ada&limit=100")).body.data;
    expect(memories.map(({ content }: Row) => content).toSorted()).toEqual([
      "Duarte grafts olive trees",
      "Duarte lives in Evora",
      "I garden in Evora.",
      "I live in Porto and I am allergic to nuts.",
      "Prune the olives in March.",
    ]);
    const { text } = (await caller.get("/profiles/ada")).body.data;
    expect(text).not.toMatch(/Porto|nuts/);
  });

  it("reads a person's words in exported conversations, once, with their time", async () => {
    const caller = await target.organization();
    const conversations = [
      {
        uuid: "c-1",
        name: "Moving",
        chat_messages: [
          { sender: "human", text: "I moved to Lisbon last month.", created_at: "2024-03-05T10:00:00Z" },
          { sender: "assistant", text: "Porto is nice as well.", created_at: "2024-03-05T10:00:05Z" },
          { sender: "human", text: "Can you write a haiku?", created_at: "2024-03-05T10:01:00Z" },
        ],
      },
    ];
    const file = zipSync({ "export/conversations.json": strToU8(JSON.stringify(conversations)) });
    const event = await upload(caller, file, "claude.zip", { user_id: "ada" });
    expect(event).toMatchObject({ status: "completed", progress: { total: 2, failed: 0 }, imported: 1, skipped: 1 });
    expect(event.left_out).toEqual([{ text: "Can you write a haiku?", reason: "question" }]);
    const [memory] = await exportOf(caller, 1);
    expect(memory).toMatchObject({
      user_id: "ada",
      content: expect.stringContaining("Lisbon"),
      occurred_at: "2024-03-05T10:00:00.000Z",
      metadata: { imported_from: "claude", conversation_id: "c-1", conversation_title: "Moving" },
    });
    const bare = await caller.post("/imports", conversations);
    expect(await ended(caller, bare.body.event_id)).toMatchObject({ progress: { total: 2 }, errors: [] });
  });

  it("accepts a larger file by a link, and starts once", async () => {
    const [caller, other] = [await target.organization(), await target.organization()];
    const { status, body } = await caller.post("/imports/upload-url", { filename: "memories.csv" });
    expect(status).toBe(201);
    const complete = (by: Caller) => by.post(body.complete_path, { format: "csv", user_id: "ada" });
    expect((await complete(caller)).body.error?.code).toBe("IMPORT_NOT_FOUND");
    await target.follow(body.upload_url, { method: "PUT", body: "content\nTea is ready.\n" });
    expect((await complete(other)).body.error?.code).toBe("IMPORT_NOT_FOUND");
    const answers = await Promise.all([complete(caller), complete(caller)]);
    expect(answers.map((answer) => [answer.status, answer.body.event_id])).toEqual(
      [1, 2].map(() => [202, body.event_id]),
    );
    expect(await ended(caller, body.event_id)).toMatchObject({ imported: 1, progress: { total: 1 } });
    expect((await caller.get("/memories?user_id=ada")).body.data.memories).toHaveLength(1);
    expect((await caller.post("/imports/x/complete", {})).body.error?.code).toBe("IMPORT_NOT_FOUND");
  });

  it("fails if no row became a memory", async () => {
    const caller = await target.organization();
    const event = await importAll(caller, [{ content: " " }]);
    expect(event).toMatchObject({ status: "FAILED", progress: { total: 1, done: 0, failed: 1 } });
  });

  it.each([
    [{}, "memories"],
    [{ memories: [] }, "memories"],
    [{ memories: "all" }, "memories"],
    [{ memories: Array.from({ length: 10_001 }, () => 0) }, "memories"],
  ])("refuses the whole upload %o", async (body, field) => {
    const caller = await target.organization();
    const answer = await caller.post("/imports", body);
    expect(answer.status).toBe(400);
    expect(answer.body.error?.details.fields[0].field).toBe(field);
  });

  it("is accessible to the caller's organization only, and so are its failures", async () => {
    const [caller, other] = [await target.organization(), await target.organization()];
    const { id } = await importAll(caller, [{ content: "Ada prefers tea over coffee." }]);
    for (const path of [`/events/${id}`, `/imports/${id}/failures`]) {
      expect((await other.get(path)).status).toBe(404);
      expect((await caller.get(path)).status).toBe(200);
    }
    expect((await caller.get("/imports/evt_01ARZ3NDEKTSV4RRFFQ69G5FAV/failures")).body.error?.code).toBe(
      "IMPORT_NOT_FOUND",
    );
    expect((await caller.get("/events/evt_01ARZ3NDEKTSV4RRFFQ69G5FAV")).body.error?.code).toBe("EVENT_NOT_FOUND");
  });

  it("stores each row once if jobs are delivered repeatedly and late", async () => {
    const caller = await target.organization();
    const rows = Array.from({ length: 60 }, (_, position) => ({ content: `Berth ${position} is free.`, type: "fact" }));
    const { body } = await caller.post("/imports", { memories: rows });
    const { runtime } = target.service as unknown as { runtime: import("../../shared/runtime/context.ts").Runtime };
    const { org_id: org } = (await caller.get("/v1/ping")).body;
    const message = { body: { org, job: body.event_id } };
    await runtime.ports.queue.send(TRANSFER_QUEUE, [message, message, message]);
    await ended(caller, body.event_id);
    await runtime.ports.queue.send(TRANSFER_QUEUE, [message, { body: { org, job: "evt_none" } }]);
    const found = await exportOf(caller, 60);
    expect(new Set(found.map(({ content }) => content)).size).toBe(60);
    await caller.delete(`/memories/${found[0]?.id}`);
    await runtime.ports.queue.send(TRANSFER_QUEUE, [message]);
    await exportOf(caller, 59);
  });
});

describe("an export", () => {
  it("can be imported into an empty organization and exported from it unchanged", async () => {
    const caller = await target.organization();
    const create = async (memory: object) => (await caller.post("/memories", memory)).body.data.id as string;
    const tea = await create({
      content: "Ada Lovelace met Charles Babbage in London and prefers tea over coffee.",
      user_id: "ada",
      category: "drinks",
      type: "preference",
      metadata: { nested: { list: [1, null, "two"] }, session_id: "s-1" },
      expire_at: "2096-01-01T00:00:00Z",
    });
    await caller.put(`/memories/${tea}`, { metadata: { changed: true } });
    await caller.post(`/memories/${tea}/feedback`, { rating: 4 });
    const ship = (await caller.post("/entities", { name: "HMS Beagle", type: "ship" })).body.data.id;
    await caller.post(`/memories/${tea}/link/${ship}`, { relationship_type: "sailed_on", strength: 0.5 });
    await create({ content: "é😀 ".repeat(30_000), user_id: "grace" });
    await create({ content: "Plain.", options: { extract_facts: false, extract_entities: false, compress: false } });
    await caller.post("/v3/memories/add", {
      memory: "The crew meets at noon.",
      agent_id: "planner",
      app_id: "harbour",
      run_id: "r-1",
      categories: ["work", "sea"],
    });
    const rows = await exportOf(caller, 4);
    expect(rows.find(({ id }) => id === tea)).toMatchObject({
      user_id: "ada",
      metadata: { changed: true },
      ratings: { count: 1, sum: 4 },
      version: 2,
    });
    expect(rows.find(({ run_id }) => run_id === "r-1")).toMatchObject({
      agent_id: "planner",
      app_id: "harbour",
      category: "work",
      categories: ["work", "sea"],
    });

    const fresh = await target.organization();
    expect(await importAll(fresh, rows)).toMatchObject({ imported: 4, progress: { failed: 0 } });
    expect(await exportOf(fresh, 4)).toEqual(rows);
    const [before, after] = await Promise.all([caller.get(`/memories/${tea}`), fresh.get(`/memories/${tea}`)]);
    const { entities: _before, processing: _by, provenance: _from, facts, ...told } = before.body.data;
    type Statement = { fact_ids: string[] };
    const statements = facts.map(({ fact_ids, ...statement }: Statement) => ({
      ...statement,
      fact_ids: fact_ids.map(() => expect.stringMatching(/^fact_/)),
    }));
    expect(after.body.data).toMatchObject({ ...told, facts: statements, provenance: { door: "imports" } });
    for (const id of after.body.data.facts.flatMap(({ fact_ids }: Statement) => fact_ids))
      expect((await fresh.get(`/facts/${id}`)).status).toBe(200);
    await eventually(async () => {
      const { body } = await fresh.post("/search", { query: "tea or coffee", options: { threshold: 0 } });
      expect(body.data.results.map(({ id }: { id: string }) => id)).toContain(tea);
    });

    expect(await importAll(fresh, rows)).toMatchObject({ imported: 0, skipped: 4 });
    await exportOf(fresh, 4);
    await fresh.delete(`/memories/${tea}`);
    await eventually(async () => expect((await fresh.get(`/memories/${tea}`)).status).toBe(404));
    expect(await importAll(fresh, [...rows, ...rows])).toMatchObject({ imported: 1, skipped: 7 });
    const again = await exportOf(fresh, 4);
    const withoutIds = (all: Row[]) => all.map(({ id: _id, ...rest }) => rest);
    expect(withoutIds(again)).toEqual(withoutIds(rows));
  });

  it.each(["jsonl", "csv"] as const)("in %s can be imported into an empty organization unchanged", async (format) => {
    const caller = await target.organization();
    await caller.post("/memories", {
      content: '=SUM(A1), said "Ada"\r\non two lines; she prefers tea.',
      user_id: "-ada",
      metadata: { nested: { list: [1, null, "=two"] } },
    });
    await caller.post("/memories", { content: "'+1 is what Grace said.", category: "@home" });
    const rows = await exportOf(caller, 2);
    const { body } = await caller.post("/exports", { format });
    expect(body).toMatchObject({ format, count: 2 });
    expect(body.memories).toBeUndefined();
    const { download_url } = await ended(caller, body.event_id);
    const file = new Uint8Array(await (await target.follow(download_url)).arrayBuffer());
    const fresh = await target.organization();
    expect(await upload(fresh, file, "memories", {})).toMatchObject({ imported: 2, progress: { failed: 0 } });
    expect(await exportOf(fresh, 2)).toEqual(rows);
    expect(await upload(fresh, file, "memories", { format })).toMatchObject({ imported: 0, skipped: 2 });
  });

  it(
    "contains all memories, with one file for every few megabytes",
    async () => {
      const caller = await target.organization();
      const content = "All work and no play makes Jack a dull boy. ".repeat(400);
      const rows = Array.from({ length: 240 }, (_, position) => ({
        content: `${position} ${content}`,
        user_id: position % 2 === 0 ? "even" : "odd",
        entities: [],
        facts: [],
        compression: { original_tokens: 4400, compressed_tokens: 4400, reduction_percentage: 0 },
      }));
      const event = await importAll(caller, rows);
      expect(event).toMatchObject({ imported: 240 });
      const exported = await exportOf(caller, 240);
      expect(new Set(exported.map((row) => row.content))).toEqual(new Set(rows.map((row) => row.content)));
      expect(await exportAll(caller, { user_id: "odd" })).toHaveLength(120);
      const { body } = await caller.post("/exports", {});
      const { files, download_url } = await ended(caller, body.event_id);
      expect(files.length).toBeGreaterThan(1);
      expect(download_url).toBeUndefined();
      const last = files.at(-1);
      const rest = await (await target.follow(last.download_url)).text();
      const fresh = await target.organization();
      const taken = await fresh.post("/imports", JSON.parse(rest));
      expect(await ended(fresh, taken.body.event_id)).toMatchObject({ imported: last.memories, skipped: 0 });
    },
    SLOW,
  );

  it("is accepted as an import, and refused if a newer release wrote it", async () => {
    const caller = await target.organization();
    const memories = [{ content: "Ada likes tea." }];
    for (const format_version of [undefined, 1, EXPORT_FORMAT]) {
      expect((await caller.post("/imports", { format_version, memories })).status).toBe(202);
    }
    const { status, body } = await caller.post("/imports", { format_version: EXPORT_FORMAT + 1, memories });
    expect(status).toBe(400);
    expect(JSON.stringify(body.error)).toContain(`is of a newer release: this one reads up to ${EXPORT_FORMAT}`);
  });

  it("of nothing is an empty file, and a small one is returned at once", async () => {
    const caller = await target.organization();
    const { body } = await caller.post("/exports", { user_id: "nobody", format: "json" });
    expect(body).toMatchObject({ status: "completed", count: 0, memories: [], files: [{ memories: 0 }] });
    expect(await (await target.follow(body.download_url)).json()).toEqual({
      format_version: EXPORT_FORMAT,
      memories: [],
    });
  });

  it.each([{ format: "xml" }, { user_id: "" }, { user_id: 5 }])("refuses %o", async (given) => {
    const caller = await target.organization();
    const { status, body } = await caller.post("/exports", given);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields[0].field).toBe(Object.keys(given)[0]);
  });

  it("is accessible to the caller's organization only", async () => {
    const [caller, other] = [await target.organization(), await target.organization()];
    await caller.post("/memories", { content: "Ada prefers tea over coffee." });
    const { body } = await caller.post("/exports", {});
    expect((await other.get(`/events/${body.event_id}`)).status).toBe(404);
    expect((await other.post("/exports", {})).body).toMatchObject({ count: 0, memories: [] });
  });
});
