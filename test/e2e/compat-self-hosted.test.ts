import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runChecks } from "../compat/checks.ts";
import { SELF_HOSTED_CLIENTS } from "../compat/self-hosted-clients.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  caller = await target.organization();
});

/** Sends a request as clients of a self-hosted mem0 do: below /mem0, with the key in X-API-Key. */
const send = (method: string, path: string, body?: unknown) =>
  target.service.request(method, `/mem0${path}`, {
    key: null,
    headers: { "x-api-key": caller.key },
    ...(body !== undefined && { body }),
  });

const post = (path: string, body?: unknown) => send("POST", path, body);
const get = (path: string) => send("GET", path);

describe.each(Object.entries(SELF_HOSTED_CLIENTS))("the calls of %s", (_name, checksOf) => {
  it("are answered as it expects", async () => {
    expect(await runChecks(checksOf(send))).toMatchObject({ failed: [] });
  });
});

/** The routes of mem0's server: mem0ai/mem0, server/main.py at 8d5b7865bd0521e75fe9ab1b260eeccc83f8a378. */
describe("mem0's own server", () => {
  const keep = async (content: string, names: object) =>
    (await post("/memories", { messages: [{ role: "user", content }], infer: false, ...names })).body.results[0].id;

  it("lists the memories of a name, and of everybody for an administrator", async () => {
    const [ofAnn, ofRun] = [await keep("Ann likes tea.", { user_id: "ann" }), await keep("A run.", { run_id: "r1" })];
    await eventually(async () => {
      expect((await get("/memories?user_id=ann")).body.results).toMatchObject([{ id: ofAnn, user_id: "ann" }]);
      expect((await get("/memories?run_id=r1&top_k=5")).body.results).toMatchObject([{ id: ofRun, run_id: "r1" }]);
      const all = (await get("/memories")).body.results.map(({ id }: { id: string }) => id);
      expect(all.sort()).toEqual([ofAnn, ofRun].sort());
    });
    const { body } = await caller.post("/api-keys", { name: "narrow", permissions: ["memory:read"] });
    const headers = { "x-api-key": body.data.key };
    const refused = await target.service.request("GET", "/mem0/memories", { key: null, headers });
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining("admin:all")]);
  });

  it("reads names of the metadata in filters, and groups in either form", async () => {
    const id = await keep("Tea is in the kitchen.", { user_id: "ann", metadata: { room: "kitchen", floor: 2 } });
    await keep("Tea is in the office.", { user_id: "ann", metadata: { room: "office", floor: 1 } });
    const idsFor = async (filters: object) => {
      const { body } = await post("/search", { query: "Where is the tea?", user_id: "ann", filters });
      return body.results?.map((each: { id: string }) => each.id) ?? body;
    };
    await eventually(async () => {
      expect(await idsFor({ room: "kitchen" })).toEqual([id]);
      expect(await idsFor({ floor: { gt: 1 } })).toEqual([id]);
      expect(await idsFor({ $and: [{ room: "kitchen" }, { user_id: "ann" }] })).toEqual([id]);
      expect(await idsFor({ AND: [{ user_id: "ann" }], room: "kitchen" })).toEqual([id]);
      expect(await idsFor({ $not: [{ room: "office" }] })).toEqual([id]);
    });
    const explained = await post("/search", { query: "tea", user_id: "ann", explain: true });
    expect(explained.body.results[0].score_breakdown).toMatchObject({ keyword: expect.any(Number) });
  });

  it("returns the history of a memory", async () => {
    const id = await keep("Likes tea.", { user_id: "ann" });
    await send("PUT", `/memories/${id}`, { text: "Likes coffee.", metadata: { a: 1 }, expiration_date: "2099-01-01" });
    const { body } = await get(`/memories/${id}/history`);
    expect(body).toMatchObject([
      { memory_id: id, old_memory: null, new_memory: "Likes tea.", event: "ADD", is_deleted: false, actor_id: null },
      { memory_id: id, old_memory: "Likes tea.", new_memory: "Likes coffee.", event: "UPDATE" },
    ]);
    expect((await get(`/memories/${id}`)).body).toMatchObject({ metadata: { a: 1 }, expiration_date: "2099-01-01" });
    await send("PUT", `/memories/${id}`, { expiration_date: null });
    expect((await get(`/memories/${id}`)).body).toMatchObject({ expiration_date: null });
  });

  it("deletes by name, and everything only if it is confirmed", async () => {
    await keep("Ann likes tea.", { user_id: "ann" });
    await keep("Bob likes tea.", { user_id: "bob" });
    await eventually(async () => expect((await get("/memories")).body.results).toHaveLength(2));
    const deleted = await send("DELETE", "/memories?user_id=ann");
    expect([deleted.status, deleted.body.message]).toEqual([200, "All relevant memories deleted"]);
    const reset = await post("/reset");
    expect([reset.status, reset.body.detail]).toEqual([400, expect.stringContaining("confirm")]);
    expect((await get("/memories?user_id=bob")).body.results).toHaveLength(1);
    const { body } = await caller.post("/api-keys", { name: "writer", permissions: ["memory:write", "memory:delete"] });
    const headers = { "x-api-key": body.data.key };
    const refused = await target.service.request("POST", "/mem0/reset", {
      key: null,
      headers,
      body: { confirm: true },
    });
    expect(refused.status).toBe(403);
    const confirmed = await post("/reset", { confirm: true });
    expect([confirmed.status, confirmed.body.message]).toEqual([200, "All memories reset"]);
    await eventually(async () => expect((await get("/memories")).body.results).toEqual([]));
  });

  it.each([
    ["no name", "POST", "/memories", { messages: [{ role: "user", content: "Hello." }] }, /user_id/],
    ["no messages", "POST", "/memories", { user_id: "ann" }, /messages/],
    ["an unknown field", "POST", "/search", { query: "tea", user_id: "ann", topk: 1 }, /topk.*top_k/],
    ["a search without a name", "POST", "/search", { query: "tea" }, /user_id/],
    ["a deletion without a name", "DELETE", "/memories", undefined, /user_id/],
    ["an update with nothing", "PUT", "/memories/mem_01", {}, /text/],
  ])("refuses %s", async (_name, method, path, body, message) => {
    const answer = await send(method, path, body);
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringMatching(message)]);
  });

  it("refers to what exists here in place of its settings", async () => {
    const { status, body } = await get("/configure");
    expect([status, body.error.code]).toEqual([404, "NOT_OFFERED"]);
  });
});
