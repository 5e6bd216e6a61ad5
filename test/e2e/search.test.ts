import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answered } from "../support/service.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const PLAIN = { extract_facts: false, extract_entities: false, compress: false };
const MAX_QUERY = 1000;

/** The memories of the tests; the first word identifies each. */
const MEMORIES = [
  {
    content: "Ada drinks green tea every morning.",
    user_id: "ada",
    category: "food",
    type: "preference",
    metadata: { source: { app: "chat", turn: 1 } },
  },
  {
    content: "Bob drinks black coffee with milk.",
    user_id: "bob",
    category: "food",
    type: "preference",
    metadata: { source: { app: "mail", turn: 2 }, pinned: true },
  },
  {
    content: "Carla sailed from Genoa to Corsica in June.",
    user_id: "ada",
    category: "travel",
    type: "fact",
    metadata: { source: { app: "chat", turn: 3 } },
  },
  { content: "Deployments happen on Thursdays after the review.", category: "work", type: "fact" },
  { content: "Émile möchte Grüntee, 緑茶が好きです.", user_id: "emile", category: "food", type: "preference" },
];

let target: Target;
let caller: Caller;
let stranger: Caller;

beforeAll(async () => {
  target = await openTarget();
  [caller, stranger] = [await target.organization(), await target.organization()];
  for (const memory of MEMORIES) {
    expect((await caller.post("/memories", { ...memory, options: PLAIN })).status).toBe(201);
    await delay(2);
  }
  await stranger.post("/memories", {
    content: "Ada drinks green tea in another house.",
    user_id: "ada",
    category: "food",
    options: PLAIN,
  });
  await eventually(async () => expect(await found("tea", { threshold: 0, limit: 50 })).toHaveLength(MEMORIES.length));
});
afterAll(() => target.close());

const nameOf = ({ content }: { content: string }) => content.split(" ")[0];

function namesIn({ status, body }: Answered): (string | undefined)[] {
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.results.map(nameOf);
}

/** Returns the first words of the results of POST /search. */
async function found(query: string, options: object = {}, filters?: object) {
  return namesIn(await caller.post("/search", { query, options, filters }));
}

const get = (query: Record<string, string | number | boolean>) => {
  const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return caller.get(`/search?${new URLSearchParams(parameters)}`);
};

describe("GET /search", () => {
  it("returns the best match first, with all its fields", async () => {
    const { status, body } = await get({ q: "green tea", threshold: 0 });
    expect(status).toBe(200);
    const { query, results, pagination, search_metadata } = body.data;
    expect(query).toBe("green tea");
    expect(results[0]).toEqual({
      id: expect.stringMatching(/^mem_/),
      score: expect.any(Number),
      ...MEMORIES[0],
      occurred_at: results[0].created_at,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      highlight: "Ada drinks <em>green</em> <em>tea</em> every morning.",
    });
    const scores = results.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    for (const score of scores) expect(score).toBeGreaterThanOrEqual(0);
    for (const score of scores) expect(score).toBeLessThanOrEqual(1);
    expect(pagination).toEqual({ total: 5, limit: 10, offset: 0, has_next: false });
    expect(search_metadata).toEqual({
      query_tokens: 2,
      processing_time_ms: expect.any(Number),
      similarity_threshold_used: 0,
    });
  });

  it("omits hits below the threshold, 0.7 by default", async () => {
    const all = (await get({ q: "green tea", threshold: 0 })).body.data.results;
    for (const threshold of [0.55, 0.8, 1]) {
      const { data } = (await get({ q: "green tea", threshold })).body;
      expect(data.results).toEqual(all.filter(({ score }: { score: number }) => score >= threshold));
      expect(data.pagination.total).toBe(data.results.length);
    }
    const { data } = (await get({ q: "green tea" })).body;
    expect(data.search_metadata.similarity_threshold_used).toBeCloseTo(0.7 * all[0].score);
    expect(data.results.map(nameOf)).toEqual(["Ada"]);
  });

  it("returns an empty list if nothing is similar", async () => {
    const { status, body } = await get({ q: "quantum chromodynamics" });
    expect([status, body.data.results]).toEqual([200, []]);
    expect(body.data.pagination).toEqual({ total: 0, limit: 10, offset: 0, has_next: false });
  });

  it("filters by user, category and type", async () => {
    expect(namesIn(await get({ q: "drinks", threshold: 0, user_id: "ada" })).sort()).toEqual(["Ada", "Carla"]);
    expect(namesIn(await get({ q: "drinks", threshold: 0, category: "food", type: "preference" })).sort()).toEqual([
      "Ada",
      "Bob",
      "Émile",
    ]);
    expect(namesIn(await get({ q: "drinks", threshold: 0, user_id: "ada", category: "travel" }))).toEqual(["Carla"]);
    expect(namesIn(await get({ q: "drinks", threshold: 0, user_id: "nobody" }))).toEqual([]);
    expect(namesIn(await get({ q: "drinks", threshold: 0, user_id: "ad" }))).toEqual([]);
  });

  it("pages through the results", async () => {
    const all = namesIn(await get({ q: "drinks tea", threshold: 0 }));
    const pages: (string | undefined)[] = [];
    for (const offset of [0, 2, 4]) {
      const answer = await get({ q: "drinks tea", threshold: 0, limit: 2, offset });
      pages.push(...namesIn(answer));
      expect(answer.body.data.pagination).toEqual({ total: 5, limit: 2, offset, has_next: offset < 4 });
    }
    expect(pages).toEqual(all);
    expect(namesIn(await get({ q: "drinks tea", threshold: 0, offset: 10_000 }))).toEqual([]);
  });

  it("omits content and metadata if the request says so", async () => {
    const [result] = (await get({ q: "green tea", include_content: false, include_metadata: false })).body.data.results;
    expect(result).not.toHaveProperty("content");
    expect(result).not.toHaveProperty("metadata");
    expect(result).toHaveProperty("category", "food");
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=51", "limit"],
    ["limit=ten", "limit"],
    ["offset=-1", "offset"],
    ["offset=10001", "offset"],
    ["threshold=1.1", "threshold"],
    ["threshold=-0.1", "threshold"],
    ["threshold=", "threshold"],
    ["threshold=NaN", "threshold"],
    ["include_content=maybe", "include_content"],
  ])("refuses %s", async (query, field) => {
    const { status, body } = await caller.get(`/search?q=tea&${query}`);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields.map((each: { field: string }) => each.field)).toEqual([field]);
  });

  it("refuses an empty filter", async () => {
    const { status, body } = await caller.get("/search?q=tea&user_id=");
    expect([status, body.error?.code]).toEqual([400, "INVALID_FILTERS"]);
  });
});

describe("a query", () => {
  const both = (query: string) => [() => get({ q: query }), () => caller.post("/search", { query })];

  it.each([
    ["nothing", ""],
    ["white space", " \t\n "],
    ["punctuation", "*"],
  ])("of %s is refused", async (_what, query) => {
    for (const search of both(query)) {
      const { status, body } = await search();
      expect([status, body.error?.code]).toEqual([400, "INVALID_QUERY"]);
      expect(body.error?.details).toEqual({ query, max_length: MAX_QUERY });
    }
  });

  it("that is missing or not a string is refused", async () => {
    expect((await caller.get("/search")).body.error?.code).toBe("INVALID_QUERY");
    for (const query of [undefined, null, 5, ["tea"], { a: 1 }]) {
      const { status, body } = await caller.post("/search", { query });
      expect([status, body.error?.code]).toEqual([400, "INVALID_QUERY"]);
    }
  });

  it("may be as long as the limit and no longer", async () => {
    for (const search of both("tea ".repeat(250))) expect((await search()).status).toBe(200);
    for (const search of both("x".repeat(MAX_QUERY + 1))) {
      const { status, body } = await search();
      expect([status, body.error?.code, body.error?.details.max_length]).toEqual([400, "QUERY_TOO_LONG", MAX_QUERY]);
    }
  });

  it.each([
    '"green tea" OR (NOT coffee) NEAR* ^tea: -x',
    "tea' OR 1=1; DROP TABLE documents; --",
    "a\u0000b tea",
    "👩‍👩‍👧 🍵",
    "מה עדה שותה",
    "緑茶",
    "the of and",
    "\ufffd tea",
    "org_operator",
    '{"match_all": {}}',
  ])("of %j is treated as text only", async (query) => {
    for (const search of both(query)) expect((await search()).status).toBe(200);
    expect((await found(query, { threshold: 0, limit: 50 })).length).toBeLessThanOrEqual(MEMORIES.length);
  });

  it("with lone surrogates is repaired", async () => {
    const { status, body } = await caller.post("/search", '{"query":"tea \\ud800"}');
    expect([status, body.data.query]).toEqual([200, "tea \ufffd"]);
  });

  it("finds a memory by its id, with the request's filters", async () => {
    const [memory] = (await get({ q: "green tea", threshold: 0 })).body.data.results;
    const { results } = (await get({ q: memory.id })).body.data;
    expect([results[0].id, results[0].score]).toEqual([memory.id, 1]);
    const ofBob = (await get({ q: memory.id, user_id: "bob" })).body.data.results;
    expect(ofBob.map(({ id }: { id: string }) => id)).not.toContain(memory.id);
  });

  it("finds words by their stems, in any case and script", async () => {
    expect((await found("DRINKING teas"))[0]).toBe("Ada");
    expect((await found("Grüntee", { threshold: 0 }))[0]).toBe("Émile");
    expect((await found("deployment on thursday", { threshold: 0 }))[0]).toBe("Deployments");
  });
});

describe("POST /search", () => {
  it("shows how the query was understood", async () => {
    const { status, body } = await caller.post("/search", { query: "Who sailed from Genoa?" });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ query: "Who sailed from Genoa?", pagination: { limit: 10, offset: 0 } });
    expect(body.data.query_analysis).toEqual({
      tokens: expect.arrayContaining([expect.stringMatching(/^sail/)]),
      entities: [expect.objectContaining({ name: "Genoa" })],
      semantic_intent: "person",
    });
    expect(body.data.results[0].metadata).toEqual({ source: { app: "chat", turn: 3 } });
  });

  it("needs only search:read, and ignores an Idempotency-Key", async () => {
    const { body } = await caller.post("/api-keys", { name: "reader", permissions: ["search:read"] });
    const headers = { "idempotency-key": "k" };
    const reader = caller.as(body.data.key);
    for (const query of ["tea", "coffee"])
      expect((await reader.post("/search", { query }, { headers })).status).toBe(200);
  });

  it.each([
    ["a user", { user_id: "bob" }, ["Bob"]],
    ["any of several users", { user_id: ["bob", "emile"] }, ["Bob", "Émile"]],
    ["several filters at once", { user_id: "ada", type: ["fact", "preference"], category: "food" }, ["Ada"]],
    ["a value of metadata", { metadata: { pinned: true } }, ["Bob"]],
    ["a nested value of metadata", { metadata: { source: { app: "chat" } } }, ["Ada", "Carla"]],
    ["several values of metadata", { metadata: { source: { app: "chat", turn: 3 } } }, ["Carla"]],
    ["a value of another type", { metadata: { pinned: "true" } }, []],
    ["a number as text", { metadata: { source: { turn: "3" } } }, []],
    ["an operator on metadata", { metadata: { source: { turn: { gt: 1, lte: 2 } } } }, ["Bob"]],
    ["an operator and a value", { metadata: { source: { app: { in: ["chat", "mail"] } }, pinned: true } }, ["Bob"]],
    ["a later time", { created_after: "2999-01-01" }, []],
    ["an earlier time", { created_before: "2001-01-01T00:00:00Z" }, []],
    [
      "a span of time",
      { created_after: "2001-01-01", created_before: "2999-12-31" },
      ["Ada", "Bob", "Carla", "Deployments", "Émile"],
    ],
    ["nothing", {}, ["Ada", "Bob", "Carla", "Deployments", "Émile"]],
  ])("filters by %s", async (_what, filters, expected) => {
    expect((await found("drinks tea", { threshold: 0 }, filters)).sort()).toEqual(expected);
  });

  it("filters by creation time, inclusive", async () => {
    const { results } = (await caller.post("/search", { query: "coffee", options: { threshold: 0 } })).body.data;
    const { created_at } = results.find((hit: { user_id: string }) => hit.user_id === "bob");
    expect((await found("drinks", { threshold: 0 }, { created_before: created_at })).sort()).toEqual(["Ada", "Bob"]);
    expect((await found("drinks", { threshold: 0 }, { created_after: created_at })).sort()).toEqual([
      "Bob",
      "Carla",
      "Deployments",
      "Émile",
    ]);
  });

  it.each([
    ["an unknown filter", { categori: "food" }, "filters.categori"],
    ["a filter that reaches for another organization", { org: "org_operator" }, "filters.org"],
    ["a value of another type", { user_id: 5 }, "filters.user_id"],
    ["an empty list", { user_id: [] }, "filters.user_id"],
    ["too many values", { user_id: Array.from({ length: 101 }, (_, n) => `u${n}`) }, "filters.user_id"],
    ["a time that is none", { created_after: "yesterday" }, "filters.created_after"],
    ["metadata that are none", { metadata: "x" }, "filters.metadata"],
    ["a list in metadata", { metadata: { a: [1] } }, "filters.metadata.a"],
    ["null in metadata", { metadata: { a: { b: null } } }, "filters.metadata.a.b"],
    ["an operator without its operand", { metadata: { a: { gt: null } } }, "filters.metadata.a.gt"],
    ["filters that are no object", "food", "filters"],
    ["a list of filters", [{ user_id: "ada" }], "filters"],
    ["null for filters", null, "filters"],
  ])("refuses %s", async (_what, filters, field) => {
    const { status, body } = await caller.post("/search", { query: "tea", filters });
    expect([status, body.error?.code]).toEqual([400, "INVALID_FILTERS"]);
    expect(body.error?.details.fields.map((each: { field: string }) => each.field)).toEqual([field]);
  });

  it.each([
    ["as deep as an abyss", "VALIDATION_ERROR", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    [
      "a multitude",
      "INVALID_FILTERS",
      JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n]))),
    ],
  ])("refuses metadata that are %s", async (_what, code, metadata) => {
    const filters = `{"metadata":${metadata}}`;
    const { status, body } = await caller.post("/search", `{"query":"tea","filters":${filters}}`);
    expect([status, body.error?.code]).toEqual([400, code]);
  });

  it.each(["created_at", "updated_at"])("sorts by %s in both directions", async (sort) => {
    const inOrder = MEMORIES.map(nameOf);
    expect(await found("tea", { threshold: 0, sort, order: "asc" })).toEqual(inOrder);
    expect(await found("tea", { threshold: 0, sort })).toEqual(inOrder.toReversed());
    expect(await found("tea", { threshold: 0, sort, order: "asc", limit: 2, offset: 1 })).toEqual(inOrder.slice(1, 3));
  });

  it("sorts by score, the worst first on request", async () => {
    const options = { threshold: 0, order: "asc" };
    const { results } = (await caller.post("/search", { query: "green tea", options })).body.data;
    const scores = results.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => a - b));
    expect(nameOf(results.at(-1))).toBe("Ada");
  });

  it("omits content and metadata if the request says so", async () => {
    const options = { threshold: 0, include_content: false, include_metadata: false };
    const { results } = (await caller.post("/search", { query: "tea", options })).body.data;
    expect(results).toHaveLength(MEMORIES.length);
    for (const result of results)
      expect(Object.keys(result)).not.toEqual(expect.arrayContaining(["content", "metadata"]));
  });

  it.each([
    [{ limit: 0 }, "options.limit"],
    [{ limit: 51 }, "options.limit"],
    [{ limit: "10" }, "options.limit"],
    [{ offset: -1 }, "options.offset"],
    [{ offset: null }, "options.offset"],
    [{ threshold: 2 }, "options.threshold"],
    [{ threshold: "0" }, "options.threshold"],
    [{ sort: "content" }, "options.sort"],
    [{ order: "up" }, "options.order"],
    [{ include_content: "yes" }, "options.include_content"],
  ])("refuses the options %j", async (options, field) => {
    const { status, body } = await caller.post("/search", { query: "tea", options });
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields.map((each: { field: string }) => each.field)).toEqual([field]);
  });
});

describe("a memory that changes", () => {
  it("is found by its new content, and no longer by the former one", async () => {
    const writer = await target.organization();
    const searched = async (q: string) =>
      (await writer.get(`/search?threshold=0.6&q=${q}`)).body.data.results.map(
        ({ content }: { content: string }) => content,
      );
    const { id } = (await writer.post("/memories", { content: "Zebras graze.", options: PLAIN })).body.data;
    await eventually(async () => expect(await searched("zebras")).toEqual(["Zebras graze."]));
    await writer.put(`/memories/${id}`, { content: "Giraffes browse." });
    await eventually(async () => {
      expect(await searched("giraffes")).toEqual(["Giraffes browse."]);
      expect(await searched("zebras")).toEqual([]);
    });
    await writer.post(`/memories/${id}/restore`, { version: 1 });
    await eventually(async () => expect(await searched("zebras")).toEqual(["Zebras graze."]));
    await writer.delete(`/memories/${id}`);
    await eventually(async () => expect(await searched("zebras")).toEqual([]));
  });
});

describe("other organizations", () => {
  it("find nothing of this one, whatever the filters", async () => {
    for (const filters of [
      undefined,
      { user_id: "ada" },
      { category: ["food", "travel", "work"] },
      { created_after: "2001-01-01" },
    ]) {
      const { body } = await stranger.post("/search", {
        query: "tea coffee Genoa review",
        filters,
        options: { threshold: 0, limit: 50 },
      });
      expect(body.data.results.map(({ content }: { content: string }) => content)).toEqual([
        "Ada drinks green tea in another house.",
      ]);
    }
    const { data } = (await stranger.get("/search?q=tea&threshold=0&limit=50")).body;
    expect(data.pagination.total).toBe(1);
  });
});

describe("the free plan", () => {
  it("searches sixty times a minute", async () => {
    const free = await target.organization("free");
    const { headers } = await free.get("/search?q=tea");
    expect(headers.get("ratelimit-policy")).toBe('"basic_search";q=60;w=60');
    expect(headers.get("ratelimit")).toMatch(/^"basic_search";r=59;t=\d+$/);
    expect((await free.post("/search", { query: "tea" })).headers.get("ratelimit")).toMatch(/^"basic_search";r=5[89];/);
  });
});
