import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { asPython, type Mem0, openMem0 } from "../support/mem0.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

// biome-ignore lint/suspicious/noExplicitAny: the client types answers loosely, and some of them wrongly
type Loose = any;

let target: Target;
let mem0: Mem0;
let caller: Caller;
let client: Loose;

beforeAll(async () => {
  target = await openTarget();
  mem0 = await openMem0(target);
});
afterAll(async () => {
  await mem0.close();
  await target.close();
});
beforeEach(async () => {
  caller = await target.organization();
  client = mem0.clientOf(caller);
});

/** Maximum time to wait for a worker, which has more to do in a deployment. */
const SLOW = 240_000;

/** Repeats a check until it passes, like `eventually`, for results of a worker. */
const inTime = <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, { timeout: SLOW / 2, interval: 100 });

/** Stores a text unchanged through the client and returns the memory's id. */
async function keep(text: string, options: Record<string, unknown> = {}): Promise<string> {
  const { results } = await client.add([{ role: "user", content: text }], { infer: false, userId: "ann", ...options });
  expect(results).toHaveLength(1);
  return results[0].id;
}

/** The filter for the memories of all users. */
const ALL = { filters: { user_id: "*" } };

const memoriesOf = ({ results }: { results: { memory: string }[] }) => results.map(({ memory }) => memory).sort();
const future = () => new Date(Date.now() + 86_400_000 * 400).toISOString().slice(0, 10);

/** Returns a refusal as the client throws it: the error's message is the body of the answer. */
async function refusalOf(call: Promise<unknown>): Promise<Loose> {
  const error = await call.then(
    () => undefined,
    (thrown: Error & { errorCode: string }) => thrown,
  );
  expect(error).toBeDefined();
  return { code: error?.errorCode, ...JSON.parse(error?.message ?? "{}") };
}

describe("add", () => {
  it(
    "extracts memories from messages in the background",
    async () => {
      const messages = [
        { role: "system", content: "You are Bob and live in Paris." },
        { role: "user", content: "I'm vegetarian. I work as a nurse in Boston." },
        { role: "assistant", content: "I will keep that in mind." },
      ];
      const added = await client.add(messages, { userId: "ann", agentId: "helper", metadata: { from: "chat" } });
      expect(added).toMatchObject({ eventId: expect.stringMatching(/^evt_/), status: expect.any(String) });
      const { results } = await inTime(async () => {
        const found = await client.getAll({ filters: { AND: [{ user_id: "ann" }, { agentId: "helper" }] } });
        expect(found.results.length).toBeGreaterThan(1);
        return found;
      });
      expect(JSON.stringify(results)).toContain("nurse");
      expect(JSON.stringify(results)).not.toContain("Paris");
      for (const each of results) {
        expect(each).toMatchObject({ userId: "ann", agentId: "helper", appId: null, metadata: { from: "chat" } });
      }
    },
    SLOW,
  );

  it(
    "stores a repeated statement once",
    async () => {
      const add = () => client.add([{ role: "user", content: "I love hiking in the Alps." }], { userId: "ann" });
      const events = [await add(), await add()];
      for (const { eventId } of events) {
        await inTime(async () =>
          expect((await asPython(caller, "GET", `/v1/event/${eventId}/`)).body.status).toBe("SUCCEEDED"),
        );
      }
      await eventually(async () =>
        expect((await client.getAll({ filters: { user_id: "ann" } })).results).toHaveLength(1),
      );
    },
    SLOW,
  );

  it("stores each message unchanged and immediately without inference", async () => {
    const messages = ["The sky is blue.", "Snow is white."].map((content) => ({ role: "user", content }));
    const expirationDate = future();
    const timestamp = 1_700_000_000;
    const options = { infer: false, userId: "ann", runId: "run 1", expirationDate, timestamp };
    const { status, results, memoryIds } = await client.add(messages, options);
    expect(status).toBe("SUCCEEDED");
    expect(results.map(({ memory, event }: Loose) => [memory, event])).toEqual([
      ["The sky is blue.", "ADD"],
      ["Snow is white.", "ADD"],
    ]);
    expect(memoryIds).toEqual(results.map(({ id }: Loose) => id));
    const memory = await client.get(results[0].id);
    const createdAt = new Date(timestamp * 1000).toISOString();
    expect(memory).toMatchObject({ memory: "The sky is blue.", runId: "run 1", expirationDate, createdAt });
  });

  it("accepts names beside or inside filters, in snake_case or camelCase", async () => {
    const messages = [
      { role: "assistant", content: null },
      { role: "user", content: "Likes tea." },
    ];
    const filters = { user_id: "ann", agentId: "helper", runId: null };
    const added = await asPython(caller, "POST", "/v3/memories/add/", { messages, filters, infer: false });
    expect(added.body.results).toHaveLength(1);
    expect(await client.get(added.body.results[0].id)).toMatchObject({ userId: "ann", agentId: "helper", runId: null });
    await asPython(caller, "POST", "/v3/memories/add/", { messages, filters: { user_id: "bob" }, infer: null });
    await inTime(async () => expect((await client.getAll({ filters: { user_id: "bob" } })).count).toBe(1));
  });

  it("assigns the custom categories that fit, or the given categories", async () => {
    const own = [{ hobbies: "sports, hiking and games" }, { food: "meals and drinks" }];
    expect(await client.get(await keep("She goes hiking.", { customCategories: own }))).toMatchObject({
      categories: ["hobbies"],
    });
    const { body } = await caller.post("/v3/memories/add", { memory: "Tea.", categories: ["drinks", "warm"] });
    expect((await client.get(body.memory_ids[0])).categories).toEqual(["drinks", "warm"]);
  });

  it("returns the documented response if a memory is given", async () => {
    const draft = { memory: "Ada moved to Zurich.", user_id: "ada", app_id: "notes" };
    const { status, body } = await caller.post("/v3/memories/add", draft);
    expect([status, body.status]).toEqual([200, "completed"]);
    expect(body.memory_ids).toHaveLength(1);
    expect(body.results).toMatchObject([{ id: body.memory_ids[0], memory: draft.memory, event: "ADD" }]);
    const event = await caller.get(`/events/${body.event_id}`);
    expect(event.body).toMatchObject({
      id: body.event_id,
      type: "memory.add",
      status: "completed",
      resource: "memory",
      resource_id: body.memory_ids[0],
    });
    const { body: own } = await caller.get(`/memories/${body.memory_ids[0]}`);
    expect(own.data).toMatchObject({ content: draft.memory, user_id: "ada", entities: expect.any(Array) });
  });

  it.each([
    ["nothing", {}, /messages or memory/],
    ["messages without a text", { messages: [{ role: "user", content: " " }] }, /no text/],
    ["a part without a type", { messages: [{ role: "user", content: [{ text: "Tea." }] }] }, /messages/],
    ["an expiry in the past", { memory: "x", expiration_date: "2020-01-01" }, /expiration_date.*future/],
    ["a timestamp out of range", { memory: "x", timestamp: 8.64e15 }, /timestamp.*0001 to 9999/],
    ["an unknown filter", { memory: "x", filters: { user: "ann" } }, /filters.*user/],
    ["two different user ids", { memory: "x", user_id: "ann", filters: { userId: "bob" } }, /user_id.*another/],
  ])("rejects %s", async (_name, body, message) => {
    const answer = await caller.post("/v3/memories/add", body);
    expect([answer.status, answer.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.detail).toMatch(message);
    expect(answer.body.detail).toBe(answer.body.error.message);
  });
});

describe("one memory", () => {
  it("can be read, updated and deleted, and has a history", async () => {
    const id = await keep("Likes tea.", { metadata: { snake_case: 1, camelCase: { b: 2 } } });
    expect(await client.get(id)).toMatchObject({
      id,
      memory: "Likes tea.",
      userId: "ann",
      expirationDate: null,
      metadata: { snake_case: 1, camelCase: { b: 2 } },
    });
    const expirationDate = future();
    expect(await client.update(id, { text: "Likes coffee.", expirationDate })).toMatchObject({
      memory: "Likes coffee.",
      expirationDate,
    });
    expect(await client.update(id, { expirationDate: null })).toMatchObject({ expirationDate: null });
    expect(await client.update(id, { metadata: { b: 1 }, timestamp: "2024-03-01" })).toMatchObject({
      metadata: { b: 1 },
      createdAt: "2024-03-01T00:00:00.000Z",
    });
    const history = await client.history(id);
    expect(
      history.map(({ event, oldMemory, newMemory, memoryId }: Loose) => [event, oldMemory, newMemory, memoryId]),
    ).toEqual([
      ["ADD", null, "Likes tea.", id],
      ["UPDATE", "Likes tea.", "Likes coffee.", id],
      ["UPDATE", "Likes coffee.", "Likes coffee.", id],
      ["UPDATE", "Likes coffee.", "Likes coffee.", id],
    ]);
    expect(await client.delete(id)).toEqual({ message: "Memory deleted successfully!" });
    expect(await refusalOf(client.get(id))).toMatchObject({ code: "HTTP_404", error: { code: "MEMORY_NOT_FOUND" } });
    expect(await client.history(id)).toMatchObject([
      { event: "DELETE", oldMemory: null, newMemory: null, memoryId: id },
    ]);
  });

  it("has a DELETE event in its history, whichever route deletes it", async () => {
    const [one, two, three] = [await keep("one"), await keep("two"), await keep("three", { userId: "bob" })];
    await client.batchDelete([one]);
    await client.deleteAll({ userId: "ann" });
    await client.deleteUsers({ userId: "bob" });
    for (const id of [one, two, three]) expect(await client.history(id)).toMatchObject([{ event: "DELETE" }]);
  });

  it("is listed by event time", async () => {
    const [first, second] = [await keep("one"), await keep("two")];
    const ids = async () => (await client.getAll({ filters: { user_id: "ann" } })).results.map(({ id }: Loose) => id);
    await eventually(async () => expect(await ids()).toEqual([second, first]));
    await client.update(second, { timestamp: 1_600_000_000 });
    expect(await client.get(second)).toMatchObject({ createdAt: "2020-09-13T12:26:40.000Z" });
    await eventually(async () => expect(await ids()).toEqual([first, second]));
    const all = { filters: { AND: [{ user_id: "ann" }, { NOT: [{ agent_id: "x" }] }] } };
    const indexed = async () => (await client.getAll(all)).results.map(({ id }: Loose) => id);
    await eventually(async () => expect(await indexed()).toEqual([first, second]));
  });

  it("returns 400 for an invalid id, and 404 for an id of mem0 or an unknown id", async () => {
    for (const call of [
      (id: string) => client.get(id),
      (id: string) => client.update(id, { text: "x" }),
      (id: string) => client.delete(id),
      (id: string) => client.history(id),
      (id: string) => client.batchUpdate([{ memoryId: id, text: "x" }]),
      (id: string) => client.batchDelete([id]),
      (id: string) => client.feedback({ memoryId: id, feedback: "POSITIVE" }),
    ]) {
      expect(await refusalOf(call("892db2ae-06d9"))).toMatchObject({ code: "HTTP_400" });
      const ofMem0 = await refusalOf(call("892db2ae-06d9-49e5-8b3e-585ef9b85b8e"));
      expect(ofMem0).toMatchObject({ code: "HTTP_404", detail: expect.stringContaining("892db2ae") });
      const missing = await refusalOf(call("mem_01JNZ3V5C0E8X2R7T4Y6W9QABC"));
      expect(missing).toMatchObject({ code: "HTTP_404", detail: expect.stringContaining("mem_01JNZ3V5C0E8") });
    }
  });

  it("is not visible to another organization", async () => {
    const id = await keep("secret");
    const other = await target.organization();
    for (const [method, path] of [
      ["get", `/v1/memories/${id}`],
      ["delete", `/v1/memories/${id}`],
      ["get", `/v1/memories/${id}/history`],
    ] as const) {
      expect((await other[method](path)).status).toBe(404);
    }
    const { body } = await other.post("/v3/memories/search", { query: "secret", threshold: 0, ...ALL });
    expect(body.results).toEqual([]);
  });
});

describe("many memories", () => {
  it("are deleted by names, and invalid filters are rejected", async () => {
    await keep("one");
    await keep("two", { agentId: "a" });
    await keep("three", { userId: "bob", agentId: "a" });
    await eventually(async () => expect((await client.getAll(ALL)).count).toBe(3));
    expect(await refusalOf(client.deleteAll())).toMatchObject({ code: "HTTP_400" });
    expect((await asPython(caller, "DELETE", "/v1/memories/?user=ann")).status).toBe(400);
    await eventually(async () => {
      const found = await client.getAll({ filters: { agent_id: "a" } });
      expect(found.count).toBe(2);
    });
    expect(await client.deleteAll({ userId: "ann", agentId: "a" })).toMatchObject({ deletedCount: 1 });
    await eventually(async () => expect(memoriesOf(await client.getAll(ALL))).toEqual(["one", "three"]));
    for (const filters of [
      "{'user_id': None}",
      "{'user': 'ann'}",
      "{'user_id': 'an\\n'}",
      "{'user_id': 'a',}",
      "ann",
      "{}",
      "5",
    ]) {
      expect((await asPython(caller, "DELETE", `/v1/memories/?filters=${encodeURIComponent(filters)}`)).status).toBe(
        400,
      );
    }
    for (const filters of [`{'user_id': "o'x", 'agent_id': None}`, '{"userId": "nobody"}']) {
      const answer = await asPython(caller, "DELETE", `/v1/memories/?filters=${encodeURIComponent(filters)}`);
      expect([answer.status, answer.body.deleted_count]).toEqual([200, 0]);
    }
    const named = encodeURIComponent("{'user_id': 'bob', 'agent_id': 'x'}");
    expect((await asPython(caller, "DELETE", `/v1/memories/?filters=${named}`)).body.deleted_count).toBe(0);
    const { status, body } = await asPython(caller, "DELETE", "/v1/memories/?user_id=ann&org_id=o&project_id=p");
    expect([status, body.deleted_count]).toEqual([200, 1]);
    await eventually(async () => expect(memoriesOf(await client.getAll(ALL))).toEqual(["three"]));
    const last = await asPython(caller, "DELETE", `/v1/memories/?filters=${encodeURIComponent("{'user_id': 'bob'}")}`);
    expect(last.body.deleted_count).toBe(1);
  });

  it(
    "are deleted in the background beyond the limit of a request",
    async () => {
      const memories = Array.from({ length: 60 }, (_, number) => ({ content: `number ${number}`, user_id: "ann" }));
      const options = { extract_facts: false, extract_entities: false, compress: false };
      for (let turn = 0; turn < 9; turn++) await caller.post("/memories/batch", { memories, options });
      const answer = await client.deleteAll({ userId: "ann" });
      expect(answer).toMatchObject({ deletedCount: 500, eventId: expect.stringMatching(/^evt_/) });
      await inTime(async () => expect((await client.getAll({ filters: { user_id: "ann" } })).count).toBe(0));
    },
    SLOW,
  );

  it("are listed in pages, newest first", async () => {
    const ids = [await keep("one"), await keep("two"), await keep("three")].reverse();
    await eventually(async () => expect((await client.getAll(ALL)).count).toBe(3));
    const page = async (number: number) => client.getAll({ page: number, pageSize: 2, ...ALL });
    const [first, second] = [await page(1), await page(2)];
    expect([...first.results, ...second.results].map(({ id }: Loose) => id)).toEqual(ids);
    const urlOf = (page: number) => expect.stringMatching(`^https?://.+/v3/memories/[?]page=${page}&page_size=2$`);
    expect(first).toMatchObject({ count: 3, previous: null, next: urlOf(2) });
    expect(second).toMatchObject({ count: 3, previous: urlOf(1), next: null });
    const { body } = await caller.post("/v3/memories", { user_id: "ann", page: 2, page_size: 1, fields: ["memory"] });
    expect(body.results).toEqual([{ id: ids[1], memory: "two" }]);
    expect((await caller.post("/v3/memories", { page: 101, page_size: 100, ...ALL })).status).toBe(400);
  });
});

describe("filters", () => {
  const ANYBODY = { OR: [{ user_id: "*" }, { run_id: "*" }] };
  let shared: Caller;
  let own: Loose;

  beforeAll(async () => {
    shared = await target.organization();
    own = mem0.clientOf(shared);
    const add = (memory: string, fields: object) => shared.post("/v3/memories/add", { memory, ...fields });
    const base = { user_id: "ann", infer: false };
    await add("tea one", { ...base, metadata: { rank: 1, place: { city: "Oslo" } }, categories: ["food", "warm"] });
    await add("tea two", { ...base, agent_id: "helper", metadata: { rank: 2, tag: "Größe" } });
    await add("tea three", { user_id: "bob", infer: false, app_id: "app", metadata: { rank: 10, tags: ["a", "b"] } });
    await add("tea four", { run_id: "r", infer: false, timestamp: 1_700_000_000, expiration_date: future() });
    await eventually(async () => expect((await own.getAll({ filters: ANYBODY })).count).toBe(4));
  });

  it.each<[object, string[]]>([
    [{}, ["four", "one", "three", "two"]],
    [{ user_id: "ann" }, ["one", "two"]],
    [{ userId: "ann" }, ["one", "two"]],
    [{ user_id: "*" }, ["one", "three", "two"]],
    [{ user_id: null }, ["four"]],
    [{ user_id: ["ann", "bob"] }, ["one", "three", "two"]],
    [{ user_id: { eq: "bob" } }, ["three"]],
    [{ user_id: { ne: "bob" } }, ["four", "one", "two"]],
    [{ user_id: { in: ["bob", "x"] } }, ["three"]],
    [{ agent_id: "helper" }, ["two"]],
    [{ agentId: { ne: "*" } }, ["four", "one", "three"]],
    [{ app_id: { icontains: "AP" } }, ["three"]],
    [{ app_id: { contains: "AP" } }, []],
    [{ runId: "r" }, ["four"]],
    [{ metadata: { rank: 2 } }, ["two"]],
    [{ metadata: { rank: { gt: 1 } } }, ["three", "two"]],
    [{ metadata: { rank: { gte: 2, lt: 10 } } }, ["two"]],
    [{ metadata: { rank: { lte: 2 } } }, ["one", "two"]],
    [{ metadata: { "place.city": "Oslo" } }, ["one"]],
    [{ metadata: { tag: { icontains: "GRÖSS" } } }, []],
    [{ metadata: { tag: { icontains: "GRÖß" } } }, ["two"]],
    [{ metadata: { tags: "b" } }, ["three"]],
    [{ metadata: { absent: "*" } }, []],
    [{ categories: { contains: "foo" } }, ["one"]],
    [{ categories: { in: ["warm", "x"] } }, ["one"]],
    [{ created_at: { lt: "2024-01-01" } }, ["four"]],
    [{ createdAt: { gte: "2023-11-14T22:13:20", lte: 1_700_000_000 } }, ["four"]],
    [{ created_at: "2023-11-14" }, ["four"]],
    [{ created_at: { in: ["2023-11-14"] } }, ["four"]],
    [{ expiration_date: "*" }, ["four"]],
    [{ AND: [{ user_id: "ann" }, { metadata: { rank: { gt: 1 } } }] }, ["two"]],
    [{ OR: [{ user_id: "bob" }, { run_id: "r" }] }, ["four", "three"]],
    [{ NOT: [{ user_id: "ann" }, { run_id: "r" }] }, ["three"]],
    [{ AND: [{ OR: [{ userId: "ann" }, { userId: "bob" }] }, { NOT: { categories: "food" } }] }, ["three", "two"]],
  ])("match %j", async (filters, expected) => {
    const memories = expected.map((name) => `tea ${name}`);
    const scoped = { AND: [ANYBODY, filters] };
    expect(memoriesOf(await own.getAll({ filters: scoped }))).toEqual(memories);
    expect(memoriesOf(await own.search("tea", { filters: scoped, threshold: 0, topK: 20 }))).toEqual(memories);
  });

  it.each<[object, string]>([
    [{ colour: "red" }, "filters.colour"],
    [{ AND: [{ user_id: "a" }, { NOT: [{ user: "x" }] }] }, "filters.AND.1.NOT.0.user"],
    [{ user_id: { like: "a" } }, "filters.user_id.like"],
    [{ metadata: { a: { regex: "x" } } }, "filters.metadata.a.regex"],
    [{ metadata: { a: { eq: 1, between: [1, 2] } } }, "filters.metadata.a.between"],
    [{ metadata: "x" }, "filters.metadata"],
    [{ user_id: { in: "ann" } }, "filters.user_id.in"],
    [{ user_id: { in: [] } }, "filters.user_id.in"],
    [{ user_id: { contains: 5 } }, "filters.user_id.contains"],
    [{ created_at: { gt: "soon" } }, "filters.created_at.gt"],
    [{ metadata: { a: { gt: true } } }, "filters.metadata.a.gt"],
    [{ user_id: {} }, "filters.user_id"],
    [{ OR: ["x"] }, "filters.OR.0"],
  ])("are rejected with the name of the invalid field: %j", async (filters, field) => {
    for (const call of [() => own.getAll({ filters }), () => own.search("tea", { filters })]) {
      const { code, error, detail } = await refusalOf(call());
      expect([code, error.code]).toEqual(["HTTP_400", "INVALID_FILTERS"]);
      expect(error.details.fields[0].field).toBe(field);
      expect(detail).toContain(field);
    }
  });

  it.each<object>([
    {},
    { categories: { in: ["food"] } },
    { user_id: null },
    { user_id: { ne: "bob" } },
    { NOT: { user_id: "ann" } },
    { OR: [{ user_id: "ann" }, { metadata: { rank: 1 } }] },
    { AND: [{ created_at: { gt: "2000-01-01" } }] },
  ])("are rejected if they do not restrict user, agent, app or run: %j", async (filters) => {
    for (const call of [() => own.getAll({ filters }), () => own.search("tea", { filters })]) {
      const { code, error, detail } = await refusalOf(call());
      expect([code, error.code]).toEqual(["HTTP_400", "VALIDATION_ERROR"]);
      expect(detail).toContain("user_id, agent_id, app_id or run_id");
    }
  });

  it("are rejected if they are too large or too deep", async () => {
    const many = Array.from({ length: 101 }, (_, number) => ({ metadata: { [`k${number}`]: 1 } }));
    expect(await refusalOf(own.getAll({ filters: { OR: many } }))).toMatchObject({ code: "HTTP_400" });
    const deep = Array.from({ length: 40 }).reduce<object>((inner) => ({ AND: [inner] }), { user_id: "a" });
    expect(await refusalOf(own.getAll({ filters: deep }))).toMatchObject({ code: "HTTP_400" });
  });

  it("work like the same fields beside them: categories, metadata, dates and names", async () => {
    const list = async (body: object) => memoriesOf((await shared.post("/v3/memories", body)).body);
    expect(await list({ user_id: "*", categories: ["food"] })).toEqual(["tea one"]);
    expect(await list({ user_id: "*", metadata: { rank: 10 } })).toEqual(["tea three"]);
    expect(await list({ run_id: "*", end_date: "2023-12-31" })).toEqual(["tea four"]);
    expect(await list({ app_id: "app", user_id: "bob" })).toEqual(["tea three"]);
    expect(await list({ user_id: "ann", filters: { user_id: "bob" } })).toEqual([]);
  });
});

describe("search", () => {
  it("returns scores with a breakdown", async () => {
    await keep("Ada drinks green tea.");
    await keep("Bob repairs bicycles.");
    const { results } = await eventually(async () => {
      const found = await client.search("green tea", { filters: { user_id: "ann" } });
      expect(found.results).toHaveLength(2);
      return found;
    });
    expect(results.every(({ score }: Loose) => score >= 0.1)).toBe(true);
    expect(results[0]).toMatchObject({
      memory: "Ada drinks green tea.",
      userId: "ann",
      score: expect.any(Number),
      scoreBreakdown: { semantic: expect.any(Number), keyword: expect.any(Number) },
    });
    const all = await client.search("green tea", { threshold: 0, ...ALL });
    expect(all.results.map(({ memory }: Loose) => memory)).toEqual(["Ada drinks green tea.", "Bob repairs bicycles."]);
    expect((await client.search("green tea", { threshold: 0, topK: 1, ...ALL })).results).toHaveLength(1);
    expect((await client.search("green tea", { topK: 1000, ...ALL })).results).toHaveLength(2);
    expect(await refusalOf(client.search("green tea", { topK: 1001, ...ALL }))).toMatchObject({ code: "HTTP_400" });
    expect((await client.search("green tea", { threshold: 0.99999, ...ALL })).results).toEqual([]);
    const { results: narrow } = await client.search("green tea", { fields: ["memory", "score"], ...ALL });
    expect(Object.keys(narrow[0]).sort()).toEqual(["id", "memory", "score"]);
    expect(await refusalOf(client.search("green tea", { fields: ["colour"], ...ALL }))).toMatchObject({
      code: "HTTP_400",
    });
    expect(await refusalOf(client.search(" ", ALL))).toMatchObject({
      code: "HTTP_400",
      error: { code: "INVALID_QUERY" },
    });
  });

  it("reranks results by their activation", async () => {
    await keep("Clara Meyer likes tea.");
    await keep("Clara Meyer moved to Zurich for tea.");
    await keep("tea tea");
    const { results } = await eventually(async () => {
      const found = await client.search("tea", { threshold: 0, rerank: true, ...ALL });
      expect(found.results).toHaveLength(3);
      return found;
    });
    const activations = results.map(({ scoreBreakdown }: Loose) => scoreBreakdown.activation);
    expect(activations).toEqual(activations.toSorted((a: number, b: number) => b - a));
    const plain = await client.search("tea", { threshold: 0, ...ALL });
    expect(plain.results[0].scoreBreakdown).not.toHaveProperty("activation");
  });

  it("returns expired memories only on request", async () => {
    const { body } = await caller.post("/v3/memories/add", { memory: "Short-lived tea.", user_id: "ann" });
    const id = body.memory_ids[0];
    await keep("Lasting tea.");
    await eventually(async () =>
      expect((await client.search("tea", { threshold: 0, ...ALL })).results).toHaveLength(2),
    );
    await caller.post(`/memories/${id}/expire`, {});
    const found = async (options: object) =>
      memoriesOf(await client.search("tea", { threshold: 0, ...ALL, ...options }));
    await eventually(async () => expect(await found({})).toEqual(["Lasting tea."]));
    expect(await found({ showExpired: true })).toEqual(["Lasting tea.", "Short-lived tea."]);
    expect(memoriesOf(await client.getAll({ showExpired: true, ...ALL }))).toEqual([
      "Lasting tea.",
      "Short-lived tea.",
    ]);
    expect(memoriesOf(await client.getAll(ALL))).toEqual(["Lasting tea."]);
    const forgotten = { query: "tea", threshold: 0, ...ALL, include: { forgotten_memories: true } };
    const { results } = (await caller.post("/v3/memories/search", forgotten)).body;
    expect(new Map(results.map((each: Loose) => [each.memory, each.is_forgotten]))).toEqual(
      new Map([
        ["Lasting tea.", false],
        ["Short-lived tea.", true],
      ]),
    );
  });

  it("includes documents, summaries and related memories on request", async () => {
    const content = "The Harrow lighthouse was built in 1887. It stands on a cliff and warns ships at night.";
    expect(
      (await caller.post("/sources/ingest", { title: "Lighthouse", content, user_id: "ann" })).status,
    ).toBeLessThan(300);
    await keep("Dora Lind visited Bergen.");
    await keep("Dora Lind collects stamps.");
    const search = async (query: string, include: object) =>
      (await caller.post("/v3/memories/search", { query, threshold: 0, include, ...ALL })).body.results;
    const chunk = await eventually(async () => {
      const all = await search("Harrow lighthouse built", { documents: true, summaries: true });
      const found = all.find(({ documents }: Loose) => documents.length > 0);
      expect(found).toBeDefined();
      return found;
    });
    expect(chunk.documents[0]).toMatchObject({ title: "Lighthouse", summary: expect.any(String) });
    const [bare] = await search("Harrow lighthouse built", { documents: true });
    expect(bare.documents[0]).not.toHaveProperty("summary");
    const dora = await eventually(async () => {
      const all = await search("Dora Lind visited Bergen", { related_memories: true });
      expect(all[0].related_memories.length).toBeGreaterThan(0);
      return all[0];
    });
    expect(dora.related_memories.map(({ memory }: Loose) => memory)).toContain("Dora Lind collects stamps.");
    const [plain] = await search("Dora Lind", {});
    for (const name of ["documents", "related_memories", "is_forgotten"]) expect(plain).not.toHaveProperty(name);
  });
});

describe("an agent's API key", () => {
  it(
    "finds, lists, updates and deletes only the agent's memories",
    async () => {
      const hidden = await keep("Ada hides tea.", { agentId: "x" });
      const agent = (await caller.post("/agents", { name: "Guide", model: "m" })).body.data.id;
      const permissions = ["memory:read", "memory:write", "memory:delete"];
      const made = await caller.post("/api-keys", { name: "its own", permissions, agent_id: agent });
      const own: Loose = mem0.clientOf(caller.as(made.body.data.key));
      const text = [{ role: "user", content: "I love green tea." }];
      const { eventId } = await own.add(text, { userId: "ann", agentId: "x" });
      const { results } = await inTime(async () => {
        const found = await own.getAll({ filters: { agent_id: "x" } });
        expect(found.results).toHaveLength(1);
        return found;
      });
      expect(memoriesOf(await own.search("tea", { threshold: 0, showExpired: true, ...ALL }))).toEqual([
        results[0].memory,
      ]);
      expect((await own.getAll({ showExpired: true, ...ALL })).count).toBe(1);
      expect((await own.getAll(ALL)).count).toBe(1);
      for (const call of [
        () => own.get(hidden),
        () => own.update(hidden, { text: "x" }),
        () => own.delete(hidden),
        () => own.history(hidden),
      ]) {
        expect(await refusalOf(call())).toMatchObject({ code: "HTTP_404" });
      }
      expect(await own.deleteAll({ agentId: "x" })).toMatchObject({ deletedCount: 1 });
      expect((await client.get(hidden)).memory).toBe("Ada hides tea.");
      const theirs = await target.organization();
      expect((await theirs.get(`/events/${eventId}`)).status).toBe(404);
    },
    SLOW,
  );

  it("sees only the events and deletions of its own agent", async () => {
    const agent_id = (await caller.post("/agents", { name: "Guide", model: "m" })).body.data.id;
    const made = await caller.post("/api-keys", {
      name: "its own",
      permissions: ["memory:read", "memory:write"],
      agent_id,
    });
    const own = caller.as(made.body.data.key);
    const begin = async (by: Caller): Promise<string> => {
      const messages = [{ role: "user", content: "I love green tea." }];
      return (await by.post("/v3/memories/add", { messages, user_id: "ann" })).body.event_id;
    };
    const [mine, hidden] = [await begin(own), await begin(caller)];
    const gone = await keep("Ada hides tea.");
    await client.delete(gone);
    for (const path of [`/events/${hidden}`, `/v1/event/${hidden}`, `/v1/memories/${gone}/history`]) {
      expect([path, (await caller.get(path)).status, (await own.get(path)).status]).toEqual([path, 200, 404]);
    }
    const listed = async (by: Caller) => (await by.get("/v1/events")).body.results.map(({ id }: { id: string }) => id);
    await eventually(async () => expect(await listed(caller)).toEqual(expect.arrayContaining([mine, hidden])));
    await eventually(async () => expect(await listed(own)).toEqual([mine]));
  });
});

describe("unsupported fields that published clients send", () => {
  it("are accepted, and unknown fields are rejected by name", async () => {
    const ofCli = { source: "CLI", immutable: true, structured_data_schema: {}, custom_instructions: "x" };
    const message = { role: "assistant", content: "Tea.", tool_calls: [], name: "Ada" };
    const given = { messages: [message], user_id: "ann", infer: false, ...ofCli };
    const { status, body } = await asPython(caller, "POST", "/v3/memories/add/", given);
    expect([status, body.results.length]).toEqual([200, 1]);
    const path = `/v1/memories/${body.results[0].id}/`;
    const wanted = { latest_only: true, reference_date: 1, keyword_search: true, output_format: "v1.1", source: "CLI" };
    for (const [method, url, sent] of [
      ["POST", "/v3/memories/search/", { query: "tea", user_id: "ann", ...wanted }],
      ["POST", "/v3/memories/?source=CLI", { user_id: "ann", latest_only: true, source: "CLI" }],
      ["GET", `${path}?source=CLI&org_id=o&project_id=p`, undefined],
      ["PUT", path, { text: "Coffee.", source: "CLI" }],
      ["DELETE", `${path}?source=CLI&delete_linked=true`, undefined],
      ["DELETE", "/v1/memories/?source=CLI&user_id=ann", undefined],
    ] as const) {
      const answer = await asPython(caller, method, url, sent);
      expect([method, url, answer.status]).toEqual([method, url, 200]);
    }
    const refusal = await asPython(caller, "POST", "/v3/memories/add/", { ...given, userid: "ann" });
    expect([refusal.status, refusal.body.detail]).toEqual([400, "Unknown field `userid`: did you mean `user_id`?"]);
  });
});

describe("the Python client", () => {
  it("adds, searches, lists, reads, updates and deletes on the same paths", async () => {
    const given = { messages: [{ role: "user", content: "Likes tea." }], user_id: "ann", infer: false, version: "v2" };
    const added = await asPython(caller, "POST", "/v3/memories/add/", { ...given, org_id: "o", project_id: "p" });
    expect(added.status).toBe(200);
    const id = added.body.results[0].id;
    const filters = { AND: [{ user_id: "ann" }] };
    await eventually(async () => {
      const body = { query: "tea", filters, top_k: 5, threshold: 0, rerank: false };
      expect((await asPython(caller, "POST", "/v3/memories/search/", body)).body.results).toMatchObject([
        { id, user_id: "ann" },
      ]);
    });
    const listed = await asPython(caller, "POST", "/v3/memories/?page=1&page_size=10", { filters });
    expect(listed.body).toMatchObject({ count: 1, results: [{ id, memory: "Likes tea." }] });
    const query = "?org_id=o&project_id=p";
    expect((await asPython(caller, "GET", `/v1/memories/${id}/${query}`)).body).toMatchObject({
      id,
      memory: "Likes tea.",
    });
    const changed = await asPython(caller, "PUT", `/v1/memories/${id}/${query}`, { text: "Likes coffee." });
    expect(changed.body).toMatchObject({ id, memory: "Likes coffee." });
    expect((await asPython(caller, "GET", `/v1/memories/${id}/history/${query}`)).body).toHaveLength(2);
    expect((await asPython(caller, "DELETE", `/v1/memories/${id}/${query}`)).body).toEqual({
      message: "Memory deleted successfully!",
    });
  });
});
