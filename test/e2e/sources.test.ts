import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Answered } from "../support/service.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TEXT = "Ada Lovelace keeps the lighthouse of Lisbon. Ships pass it on their way to Hamburg.";

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  caller = await target.organization();
});

/** Returns prose of about this many chunks, on a subject that no other text has. */
function prose(chunks: number, subject: string): string {
  const sentence = (n: number) =>
    `Line ${n} of the log says that the ${subject} was seen again from the northern pier.`;
  const paragraph = (n: number) => [0, 1, 2, 3].map((each) => sentence(4 * n + each)).join(" ");
  return Array.from({ length: chunks * 9 }, (_, n) => paragraph(n)).join("\n\n");
}

async function ingest(body: object): Promise<Answered["body"]> {
  const answer = await caller.post("/sources/ingest", body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const read = async (id: string) => (await caller.get(`/sources/${id}`)).body;

/** Waits until a source is read. The write in between gets the workers' writes indexed. */
async function untilRead(id: string) {
  await eventually(async () => expect((await read(id)).status).not.toBe("processing"));
  await caller.post("/entities", { name: "Zurich", type: "place" });
  return read(id);
}

const find = async (q: string) => (await caller.get(`/search?q=${encodeURIComponent(q)}&limit=50`)).body.data.results;
const idsFound = async (q: string): Promise<string[]> => (await find(q)).map(({ id }: { id: string }) => id);
const listMemories = async (query = "") => (await caller.get(`/memories?limit=100${query}`)).body.data;

describe("POST /sources/ingest", () => {
  it("keeps memories with metadata of the maximum length readable, alone and in a list", async () => {
    const metadata = { note: "x".repeat(16_370) };
    const { source, memory_ids } = await ingest({ type: "text", content: "The kittiwake left.", title: "T", metadata });
    const other = (await caller.post("/memories", { content: "The kittiwake came." })).body.data;
    await eventually(async () => {
      const { memories } = await listMemories();
      expect(memories.map(({ id }: { id: string }) => id).toSorted()).toEqual([...memory_ids, other.id].toSorted());
      expect(new Set(await idsFound("kittiwake"))).toEqual(new Set([...memory_ids, other.id]));
    });
    for (const id of memory_ids) {
      const { body } = await caller.get(`/memories/${id}`);
      expect(body.data.metadata).toMatchObject({ ...metadata, source_id: source.id, title: "T" });
      const { versions } = (await caller.get(`/memories/${id}/versions`)).body.data;
      expect(versions[0].metadata).toEqual(body.data.metadata);
    }
    const filters = { user_id: "*" };
    expect((await caller.post("/v3/memories", { filters })).status).toBe(200);
  });

  it("creates one memory for the source and one for each chunk, with attribution", async () => {
    const { source, ...answer } = await ingest({
      type: "text",
      content: prose(3, "albatross"),
      title: "The log",
      url: "https://example.com/log",
      provider: "archive",
      user_id: "u1",
      metadata: { project: "harbour", title: "theirs" },
    });
    expect(answer).toEqual({
      source_id: expect.stringMatching(/^src_/),
      status: "active",
      extraction: { status: "text" },
      unchanged: false,
      chunks_created: expect.any(Number),
      memories_created: answer.chunks_created + 1,
      entities_created: expect.any(Number),
      memory_ids: [source.id, ...source.chunk_memory_ids],
    });
    expect(answer.chunks_created).toBeGreaterThanOrEqual(3);
    expect(source).toMatchObject({ id: answer.source_id, title: "The log", provider: "archive", user_id: "u1" });
    expect(source.chunk_memory_ids).toHaveLength(answer.chunks_created);
    for (const [position, id] of source.chunk_memory_ids.entries()) {
      const { status, body } = await caller.get(`/memories/${id}`);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({
        id: expect.stringMatching(/^mem_/),
        type: "source_chunk",
        user_id: "u1",
        version: 1,
        metadata: {
          source_id: source.id,
          position,
          title: "The log",
          url: "https://example.com/log",
          provider: "archive",
          project: "harbour",
        },
      });
      expect(body.data.content).toContain("albatross");
      expect(body.data.compression.original_tokens).toBeLessThanOrEqual(840);
    }
  });

  it("summarizes the source in a memory with the source's id", async () => {
    const { source_id } = await ingest({ content: `# Pier log\n\n${TEXT}\n\n${prose(2, "pelican")}`, user_id: "u1" });
    const { data } = (await caller.get(`/memories/${source_id}`)).body;
    expect(data).toMatchObject({
      id: source_id,
      type: "source",
      user_id: "u1",
      metadata: { source_id, title: "Pier log" },
    });
    expect(data.content).toContain("Pier log");
    expect(data.content.length).toBeLessThan(2000);
    expect(data.entities).toContainEqual(expect.objectContaining({ name: "Lisbon", type: "place" }));
    expect((await read(source_id)).source_memory_id).toBe(source_id);
  });

  it("loses nothing of the text", async () => {
    const content = prose(4, "cormorant");
    const { source } = await ingest({ content });
    const chunks: string[] = [];
    for (const id of source.chunk_memory_ids) chunks.push((await caller.get(`/memories/${id}`)).body.data.content);
    for (const sentence of content.split(/(?<=\.)\s+/))
      expect(chunks.some((chunk) => chunk.includes(sentence))).toBe(true);
    expect(content.startsWith(chunks[0]!)).toBe(true);
    expect(content.endsWith(chunks.at(-1)!)).toBe(true);
  });

  it("makes chunks searchable like any memory, with the source in the results", async () => {
    const { source_id, source } = await ingest({
      content: TEXT,
      title: "Lighthouses",
      url: "https://example.com/l",
      user_id: "u1",
      metadata: { project: "coast" },
    });
    const [chunk] = source.chunk_memory_ids;
    await eventually(async () => {
      const found = (await find("who keeps the lighthouse")).find(({ id }: { id: string }) => id === chunk);
      expect(found).toMatchObject({
        content: TEXT,
        type: "source_chunk",
        metadata: { source_id },
        source: { id: source_id, title: "Lighthouses", url: "https://example.com/l", position: 0 },
      });
    });
    const filters = { type: "source_chunk", user_id: "u1", metadata: { project: "coast" } };
    const filtered = await caller.post("/search", { query: "lighthouse", filters });
    expect(filtered.body.data.results.map(({ id }: { id: string }) => id)).toEqual([chunk]);
    const others = await caller.post("/search", { query: "lighthouse", filters: { ...filters, user_id: "u2" } });
    expect(others.body.data.results).toEqual([]);
  });

  it("links chunks to the entities of other memories that they name", async () => {
    await caller.post("/memories", { content: "Ada Lovelace moved to Lisbon." });
    const { source, entities_created } = await ingest({ content: TEXT });
    const { entities } = (await caller.get(`/memories/${source.chunk_memory_ids[0]}/entities`)).body.data;
    expect(entities_created).toBe(entities.length);
    const lisbon = entities.find(({ name }: { name: string }) => name === "Lisbon");
    await eventually(async () => {
      expect((await caller.get(`/entities/${lisbon.id}`)).body.data.memory_count).toBeGreaterThanOrEqual(2);
    });
  });

  it("keeps names apart from those of another organization", async () => {
    const { source_id, source } = await ingest({ content: TEXT, external_id: "same" });
    const foreigner = await target.organization();
    const answer = await foreigner.post("/sources/ingest", { content: TEXT, external_id: "same" });
    expect(answer.body.unchanged).toBe(false);
    expect(answer.body.source_id).not.toBe(source_id);
    for (const id of [source_id, source.chunk_memory_ids[0]]) {
      expect((await foreigner.get(`/memories/${id}`)).status).toBe(404);
    }
    expect((await foreigner.get("/sources")).body.pagination.total).toBe(1);
  });

  it.each([
    ["no content", { type: "text" }],
    ["an empty content", { type: "text", content: "" }],
    ["blanks alone", { type: "text", content: " \n\t " }],
    ["a content that is no text", { type: "text", content: 5 }],
    ["no URL to fetch", { type: "url" }],
    ["a content where a URL is to be fetched", { type: "web", content: "text" }],
    ["an empty type", { type: "", content: "text" }],
    ["metadata that are no object", { content: "text", metadata: "{}" }],
    ["an empty title", { content: "text", title: " " }],
    ["a URL that is too long", { type: "url", url: `http://example.com/${"x".repeat(2048)}` }],
  ])("refuses %s", async (_what, body) => {
    const { status, body: answer } = await caller.post("/sources/ingest", body);
    expect([status, answer.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect((await caller.get("/sources")).body.sources).toEqual([]);
  });

  it("accepts texts of every script, and treats markup and tokens as text", async () => {
    const content = "港の灯台は古い。<script>alert(1)</script> <|endoftext|> Ελλάδα 👩‍👩‍👧 \u0000 \ud800";
    const { source } = await ingest({ type: "note", content });
    const { data } = (await caller.get(`/memories/${source.chunk_memory_ids[0]}`)).body;
    expect(data.content).toBe(content.toWellFormed());
    expect(source).toMatchObject({ type: "note", title: expect.stringContaining("港の灯台は古い。") });
  });

  it("names the source by its title or its first line", async () => {
    expect((await ingest({ content: "## The second pier ##\n\nIt is long." })).source.title).toBe("The second pier ##");
    expect((await ingest({ content: "It is short.", title: "Third" })).source.title).toBe("Third");
  });
});

describe("ingesting again", () => {
  const draft = (content: string) => ({ content, external_id: "doc-1", title: "Log" });

  it("changes nothing if the content is the same, and says so", async () => {
    const first = await ingest(draft(prose(2, "heron")));
    const again = await ingest(draft(prose(2, "heron")));
    expect(again).toMatchObject({
      source_id: first.source_id,
      status: "active",
      unchanged: true,
      chunks_created: 0,
      memories_created: 0,
      entities_created: 0,
      memory_ids: first.memory_ids,
    });
    expect((await read(first.source_id)).updated_at).toBe(first.source.updated_at);
    expect((await listMemories()).pagination.total).toBe(first.memory_ids.length);
  });

  it("identifies a text without a name by its content, separately for each user, label and provider", async () => {
    const { source_id } = await ingest({ content: TEXT });
    expect(await ingest({ content: TEXT })).toMatchObject({ source_id, unchanged: true });
    expect(await ingest({ content: `${TEXT}!` })).toMatchObject({ unchanged: false });
    for (const apart of [{ user_id: "u1" }, { org_id: "team" }, { provider: "p" }, { external_id: "x" }]) {
      const other = await ingest({ content: TEXT, ...apart });
      expect([other.unchanged, other.source_id === source_id]).toEqual([false, false]);
    }
  });

  it("replaces the old chunks if the content changed", async () => {
    const first = await ingest(draft(prose(3, "heron")));
    await eventually(async () => expect((await idsFound("heron")).length).toBeGreaterThan(0));
    const second = await ingest(draft(prose(2, "osprey")));
    expect(second).toMatchObject({ source_id: first.source_id, status: "active", unchanged: false });
    expect(second.chunks_created).toBeLessThan(first.chunks_created);
    expect(second.memories_created).toBe(second.chunks_created);
    for (const id of first.source.chunk_memory_ids) expect((await caller.get(`/memories/${id}`)).status).toBe(404);
    for (const id of second.source.chunk_memory_ids) expect((await caller.get(`/memories/${id}`)).status).toBe(200);
    const summary = (await caller.get(`/memories/${first.source_id}`)).body.data;
    expect(summary).toMatchObject({ version: 2 });
    expect(summary.content).toContain("osprey");
    const isOld = (id: string) => first.source.chunk_memory_ids.includes(id);
    expect((await idsFound("heron")).filter(isOld)).toEqual([]);
    await eventually(async () => expect(await idsFound("osprey")).toContain(second.source.chunk_memory_ids[0]));
    await eventually(async () => expect((await listMemories()).pagination.total).toBe(second.memory_ids.length));
  });

  it("updates the given fields on every chunk of the same content, and keeps the others", async () => {
    const { source_id } = await ingest({ ...draft(TEXT), metadata: { state: "draft" }, url: "https://example.com/a" });
    const renamed = await ingest({ content: TEXT, external_id: "doc-1", title: "Renamed" });
    expect(renamed).toMatchObject({ source_id, unchanged: false, source: { title: "Renamed" } });
    const { metadata } = (await caller.get(`/memories/${renamed.source.chunk_memory_ids[0]}`)).body.data;
    expect(metadata).toMatchObject({ title: "Renamed", state: "draft", url: "https://example.com/a" });
    expect(await ingest({ content: TEXT, external_id: "doc-1" })).toMatchObject({ unchanged: true });
  });

  it("stores one source and one content for concurrent requests", async () => {
    const texts = ["gull", "tern", "skua", "gull", "tern"].map((bird) => prose(1, bird));
    const answers = await Promise.all(texts.map((content) => caller.post("/sources/ingest", draft(content))));
    expect(answers.map(({ status }) => status).filter((status) => ![201, 409].includes(status))).toEqual([]);
    const made = answers.filter(({ status }) => status === 201);
    const [source_id, ...others] = new Set(made.map(({ body }) => body.source_id));
    expect(others).toEqual([]);
    const source = await untilRead(source_id);
    expect(source.status).toBe("active");
    const memories = await eventually(async () => {
      const list = await listMemories();
      expect(list.pagination.total).toBe(source.chunks_created + 1);
      return list.memories as { content: string; type: string }[];
    });
    const birds = memories
      .filter(({ type }) => type === "source_chunk")
      .map(({ content }) => /the (\w+) was/.exec(content)?.[1]);
    expect(new Set(birds).size).toBe(1);
  });
});

describe("a long text", () => {
  const long = prose(150, "petrel");

  it("is accepted at once, read in the background, and visible whole or not at all", async () => {
    expect(long.length).toBeGreaterThan(400_000);
    const answer = await ingest({ content: long, title: "Long" });
    expect(answer).toMatchObject({ status: "processing", chunks_created: 0, memory_ids: [] });
    const { source_id } = answer;
    const seen = new Set<string>();
    await eventually(async () => {
      const before = await read(source_id);
      const { pagination, memories } = await listMemories("&type=source_chunk");
      const after = await read(source_id);
      seen.add(after.status);
      if (before.status === "active") expect(memories).toHaveLength(Math.min(100, before.chunks_created));
      if (after.status === "processing") expect(memories).toEqual([]);
      if (after.status === "processing" && after.progress.chunks_stored > 0) {
        const hidden = `mem_${source_id.slice(4)}_1_0`;
        expect((await caller.get(`/memories/${hidden}`)).status).toBe(404);
        seen.add("progress");
      }
      expect([after.status, pagination.total]).toEqual(["active", after.chunks_created]);
    });
    expect(seen).toContain("active");
    const done = await untilRead(source_id);
    expect(done).toMatchObject({ status: "active", title: "Long" });
    expect(done.chunks_created).toBeGreaterThan(100);
    expect(done.chunk_memory_ids).toHaveLength(done.chunks_created);
    expect(done.progress).toBeUndefined();
    await eventually(async () => expect((await idsFound("petrel northern pier")).length).toBeGreaterThan(0));
  });

  it("leaves the former content visible until it is read, and then replaces it", async () => {
    const first = await ingest({ content: prose(2, "puffin"), external_id: "doc-2" });
    const second = await ingest({ content: long, external_id: "doc-2" });
    expect(second).toMatchObject({ source_id: first.source_id, status: "processing", unchanged: false });
    expect(await ingest({ content: long, external_id: "doc-2" })).toMatchObject({ unchanged: true });
    const birdsIn = (memories: { content: string }[]) =>
      new Set(memories.map(({ content }) => /the (\w+) was/.exec(content)?.[1]));
    const query = { query: "seen from the northern pier", filters: { type: "source_chunk" } };
    await eventually(async () => {
      const found = birdsIn((await caller.post("/search", query)).body.data.results);
      expect(found.size).toBeLessThanOrEqual(1);
      const [bird, ...others] = birdsIn((await listMemories("&type=source_chunk")).memories);
      expect(others).toEqual([]);
      expect(bird).toBe("petrel");
    });
    await eventually(async () =>
      expect((await listMemories()).pagination.total).toBe((await read(first.source_id)).chunks_created + 1),
    );
  });

  it("is replaced by newer content, and nothing of it remains", async () => {
    const { source_id } = await ingest({ content: long, external_id: "doc-3" });
    await ingest({ content: prose(1, "dunlin"), external_id: "doc-3" });
    const source = await untilRead(source_id);
    expect(source).toMatchObject({ status: "active" });
    expect(source.chunks_created).toBeLessThan(5);
    await eventually(async () => expect((await listMemories()).pagination.total).toBe(source.chunks_created + 1));
  });

  it("can be deleted while it is read, and nothing of it reappears", async () => {
    const { source_id } = await ingest({ content: long });
    expect((await caller.delete(`/sources/${source_id}`)).status).toBe(200);
    expect((await caller.get(`/sources/${source_id}`)).status).toBe(404);
    await eventually(async () => expect((await listMemories()).pagination.total).toBe(0));
  });
});

describe("GET /sources", () => {
  it("lists the newest first, page by page, and filters by label", async () => {
    const made: string[] = [];
    for (const n of [1, 2, 3])
      made.push((await ingest({ content: `${TEXT} ${n}`, org_id: n === 2 ? "team" : "other" })).source_id);
    const ids = (answer: Answered) => answer.body.sources.map(({ id }: { id: string }) => id);
    await eventually(async () => expect(ids(await caller.get("/sources"))).toEqual(made.toReversed()));
    const second = await caller.get("/sources?limit=1&offset=1");
    expect(ids(second)).toEqual([made[1]]);
    const next_cursor = expect.any(String);
    expect(second.body.pagination).toEqual({ total: 3, limit: 1, offset: 1, has_next: true, next_cursor });
    expect(ids(await caller.get("/sources?org_id=team"))).toEqual([made[1]]);
    expect(ids(await caller.get("/sources?org_id=none"))).toEqual([]);
    const stranger = await target.organization();
    for (const query of ["", "?org_id=team"]) expect(ids(await stranger.get(`/sources${query}`))).toEqual([]);
  });

  it.each(["limit=101", "limit=0", "limit=x", "offset=-1", "offset=10001"])("refuses %s", async (query) => {
    expect((await caller.get(`/sources?${query}`)).status).toBe(400);
  });
});

describe("GET /sources/{source_id}", () => {
  it("returns all fields of a source, and its chunk ids page by page", async () => {
    const { source_id, source } = await ingest({ content: prose(4, "avocet"), metadata: { a: 1 } });
    const { chunk_memory_ids, ...rest } = source;
    expect(await read(source_id)).toEqual({
      ...rest,
      chunk_memory_ids,
      pagination: { total: source.chunks_created, limit: 1000, offset: 0, has_next: false },
    });
    expect(rest).toMatchObject({
      created_at: expect.stringMatching(ISO),
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const page = (await caller.get(`/sources/${source_id}?limit=2&offset=1`)).body;
    expect(page.chunk_memory_ids).toEqual(chunk_memory_ids.slice(1, 3));
    expect(page.pagination).toMatchObject({ total: source.chunks_created, has_next: source.chunks_created > 3 });
  });

  it("returns 404 for an id that is no source's, including a chunk's", async () => {
    const { source } = await ingest({ content: TEXT });
    for (const id of ["src_absent", source.chunk_memory_ids[0], "x".repeat(3000)]) {
      const { status, body } = await caller.get(`/sources/${id}`);
      expect([status, body.error?.code]).toEqual([404, "SOURCE_NOT_FOUND"]);
    }
  });
});

describe("DELETE /sources/{source_id}", () => {
  it("removes the source, its memory and its chunks from every read immediately", async () => {
    await caller.post("/memories", { content: "The stork stays." });
    const { source_id, memory_ids } = await ingest({ content: prose(3, "stork"), external_id: "doc-1" });
    await eventually(async () => expect((await idsFound("stork")).length).toBeGreaterThan(1));
    const { status, body } = await caller.delete(`/sources/${source_id}`);
    expect([status, body]).toEqual([
      200,
      { source_id, deleted: true, deleted_at: expect.stringMatching(ISO), chunks_deleted: memory_ids.length - 1 },
    ]);
    expect((await caller.get(`/sources/${source_id}`)).status).toBe(404);
    expect((await caller.delete(`/sources/${source_id}`)).status).toBe(404);
    for (const id of memory_ids.slice(1)) expect((await caller.get(`/memories/${id}`)).status).toBe(404);
    expect((await idsFound("stork")).filter((id) => memory_ids.slice(1).includes(id))).toEqual([]);
    await eventually(async () => {
      expect(await idsFound("stork")).toHaveLength(1);
      expect((await listMemories()).pagination.total).toBe(1);
      expect((await caller.get(`/memories/${source_id}`)).status).toBe(404);
      expect((await caller.get("/sources")).body.sources).toEqual([]);
    });
    expect(await ingest({ content: TEXT, external_id: "doc-1" })).toMatchObject({ unchanged: false });
  });
});

describe("memories of a source", () => {
  it("can be edited and deleted one by one; the source remains, and its deletion removes all", async () => {
    const { source_id, source } = await ingest({ content: prose(3, "plover"), external_id: "doc-1" });
    const [edited, deleted] = source.chunk_memory_ids;
    expect((await caller.put(`/memories/${edited}`, { content: "Edited by hand.", metadata: {} })).status).toBe(200);
    expect((await caller.delete(`/memories/${deleted}`)).status).toBe(200);
    expect((await caller.get(`/memories/${edited}`)).body.data.content).toBe("Edited by hand.");
    expect((await caller.get(`/memories/${deleted}`)).status).toBe(404);
    expect(await read(source_id)).toMatchObject({ status: "active", chunks_created: source.chunks_created });
    await caller.delete(`/sources/${source_id}`);
    expect((await caller.get(`/memories/${edited}`)).status).toBe(404);
    await eventually(async () => expect((await listMemories()).pagination.total).toBe(0));
  });

  it("are created again with the next content, including the source's own", async () => {
    const { source_id } = await ingest({ content: prose(1, "wigeon"), external_id: "doc-1" });
    expect((await caller.delete(`/memories/${source_id}`)).status).toBe(200);
    expect((await read(source_id)).status).toBe("active");
    await ingest({ content: prose(1, "garganey"), external_id: "doc-1" });
    expect((await caller.get(`/memories/${source_id}`)).body.data.content).toContain("garganey");
    await eventually(async () => expect(await idsFound("garganey")).toContain(source_id));
  });

  it("have versions and links like any other memory", async () => {
    const { source } = await ingest({ content: TEXT });
    const [chunk] = source.chunk_memory_ids;
    const { versions } = (await caller.get(`/memories/${chunk}/versions`)).body.data;
    expect(versions).toMatchObject([{ version: 1, content: TEXT }]);
    const entity = (await caller.post("/entities", { name: "Lighthouses", type: "place" })).body.data;
    expect((await caller.post(`/memories/${chunk}/link/${entity.id}`, {})).status).toBe(201);
    expect((await caller.post(`/memories/${chunk}/feedback`, { rating: 5 })).status).toBe(201);
  });
});

describe("permissions", () => {
  it("are required: reading, writing and deleting each need their own", async () => {
    const { source_id } = await ingest({ content: TEXT });
    const keyWith = async (permission: string) => {
      const { key } = (await caller.post("/api-keys", { name: permission, permissions: [permission] })).body.data;
      return caller.as(key);
    };
    const [reader, writer] = [await keyWith("memory:read"), await keyWith("memory:write")];
    expect((await reader.get(`/sources/${source_id}`)).status).toBe(200);
    expect((await reader.post("/sources/ingest", { content: "x" })).status).toBe(403);
    expect((await writer.post("/sources/ingest", { content: "x" })).status).toBe(201);
    expect((await writer.delete(`/sources/${source_id}`)).status).toBe(403);
  });
});
