import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answered } from "../support/service.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

/** The maximum size of a function's response, which contains the answer as JSON within JSON. */
const MAX_BYTES = 6 * 1024 * 1024;
const bytesOf = ({ bytes }: Answered) => Buffer.byteLength(JSON.stringify(bytes.toString("utf8")));

/** Quotes are escaped twice, which takes the most space: this many memories exceed the limit, one less does not. */
const MEMORIES = 15;
const longContent = (place: number) => `Walnut ${place} `.padEnd(100_000, '"');
const PLAIN = { extract_facts: false, extract_entities: false, compress: false };

let target: Target;
let caller: Caller;
let ids: string[];

beforeAll(async () => {
  target = await openTarget();
  caller = await target.organization();
  ids = [];
  for (let place = 0; place < MEMORIES; place++) {
    const { status, body } = await caller.post("/memories", {
      content: longContent(place),
      user_id: "ann",
      options: PLAIN,
    });
    expect(status, JSON.stringify(body.error)).toBe(201);
    ids.push(body.data.id);
  }
});
afterAll(() => target.close());

interface Item {
  id: string;
}

/** Asks until all memories would be in the answer, and returns the refusal. */
async function refusalOf(ask: () => Promise<Answered>): Promise<Answered> {
  return eventually(async () => {
    const refused = await ask();
    expect([refused.status, refused.body.error?.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(refused.body.error.details).toEqual({ max_limit: MEMORIES - 1 });
    return refused;
  });
}

describe("a response that exceeds the maximum size", () => {
  it("is rejected for a list, never truncated, and the list can be read in pages", async () => {
    const refused = await refusalOf(() => caller.get("/memories?limit=100"));
    expect(refused.body.error.message).toContain("14 of its memories fit");
    const told: string[] = [];
    for (let hasNext = true; hasNext; ) {
      const page = await caller.get(`/memories?limit=14&offset=${told.length}`);
      expect(page.status).toBe(200);
      expect(bytesOf(page)).toBeLessThan(MAX_BYTES);
      told.push(...page.body.data.memories.map(({ id }: Item) => id));
      hasNext = page.body.data.pagination.has_next;
    }
    expect(told.toSorted()).toEqual(ids.toSorted());
  });

  it("is rejected for a memory's versions, and for its history for clients of mem0", async () => {
    const { body } = await caller.post("/memories", { content: longContent(0), options: PLAIN });
    const path = `/memories/${body.data.id}`;
    for (let place = 1; place < MEMORIES; place++) {
      expect((await caller.put(path, { content: longContent(place) })).status).toBe(200);
    }
    await refusalOf(() => caller.get(`${path}/versions?limit=100`));
    const page = await caller.get(`${path}/versions?limit=14&offset=1`);
    expect([page.status, page.body.data.versions.length]).toEqual([200, 14]);
    const history = await caller.get(`/v1${path}/history`);
    expect([history.status, history.body.error?.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(history.body.detail).toContain(`GET ${path}/versions?limit=10`);
    expect((await caller.get(`${path}/versions?limit=10`)).status).toBe(200);
    expect((await caller.delete(path)).status).toBe(200);
  });

  it.each([
    ["GET /search", (limit: number) => caller.get(`/search?q=walnut&limit=${limit}`)],
    ["POST /search", (limit: number) => caller.post("/search", { query: "walnut", options: { limit } })],
    [
      "POST /search/advanced",
      (limit: number) => caller.post("/search/advanced", { query: "walnut", options: { limit } }),
    ],
    ["POST /search/hybrid", (limit: number) => caller.post("/search/hybrid", { query: "walnut", options: { limit } })],
    [
      "POST /search/enhanced",
      (limit: number) => caller.post("/search/enhanced", { query: "walnut", mode: "semantic", options: { limit } }),
    ],
    [
      "POST /v3/memories/search",
      (limit: number) => caller.post("/v3/memories/search", { query: "walnut", user_id: "ann", top_k: limit }),
    ],
  ])("is rejected for %s", async (_, ask) => {
    const refused = await refusalOf(() => ask(50));
    const fitting = await ask(refused.body.error.details.max_limit);
    expect([fitting.status, (fitting.body.data ?? fitting.body).results.length]).toEqual([200, MEMORIES - 1]);
    expect(bytesOf(fitting)).toBeLessThan(MAX_BYTES);
  });

  it("is rejected for a list for clients of mem0, in their error format", async () => {
    const { body } = await refusalOf(() => caller.post("/v3/memories", { user_id: "ann", page_size: 100 }));
    expect(body.detail).toBe(body.error.message);
    const page = await caller.post("/v3/memories", { user_id: "ann", page_size: 14, page: 2 });
    expect([page.status, page.body.results.length]).toEqual([200, MEMORIES - 14]);
  });
});
