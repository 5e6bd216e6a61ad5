import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PASSWORD } from "../support/people.ts";
import { refused } from "../support/refused.ts";
import type { Answered } from "../support/service.ts";
import { type Caller, eventually, IS_DEPLOYED, onceAllKnow, openTarget, type Target } from "../support/target.ts";
import { bearer, hire } from "../support/users.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Long enough to use a key before it expires, even if requests are slow. */
const SHORT_MS = IS_DEPLOYED ? 5_000 : 2_000;
const SECRET = /^ak_live_[1-9A-HJ-NP-Za-km-z]{40,60}$/;

let target: Target;
let admin: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  admin = await target.organization();
});

/** Creates a key and returns the answer's data. */
async function make(fields: object = {}, maker: Caller = admin) {
  const { status, body } = await maker.post("/api-keys", { name: "a key", permissions: ["memory:read"], ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

async function listed(query = "", caller: Caller = admin): Promise<string[]> {
  const { status, body } = await caller.get(`/api-keys?limit=100${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.api_keys.map(({ id }: { id: string }) => id);
}

const soon = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

describe("creating a key", () => {
  it("returns the secret once, and the key works immediately", async () => {
    const fields = {
      name: "Agent 7",
      description: "reads",
      permissions: ["memory:read", "memory:write"],
      rate_limit: { requests_per_minute: 60, burst_limit: 10 },
      expires_at: soon(3_600_000),
      metadata: { team: "a" },
    };
    const made = await make(fields);
    const { id, key, ...rest } = made;
    expect(id).toMatch(/^ak_/);
    expect(key).toMatch(SECRET);
    expect(rest).toEqual({
      ...fields,
      prefix: key.slice(0, 12),
      status: "active",
      created_at: expect.stringMatching(ISO),
      last_used: null,
    });
    expect((await admin.as(key).get("/memories")).status).toBe(200);
    for (const { body } of [
      await admin.get(`/api-keys/${id}`),
      await admin.get("/api-keys"),
      await admin.put(`/api-keys/${id}`, { name: "n" }),
    ]) {
      expect(JSON.stringify(body)).not.toContain(key);
      expect(JSON.stringify(body)).not.toMatch(/"(key|hash)"/);
    }
  });

  it("removes duplicate permissions", async () => {
    expect((await make({ permissions: ["memory:read", "memory:read"] })).permissions).toEqual(["memory:read"]);
  });

  it.each([
    ["no name", { name: undefined }, "name"],
    ["an empty name", { name: " " }, "name"],
    ["no permission", { permissions: [] }, "permissions"],
    ["an unknown permission", { permissions: ["memory:everything"] }, "permissions.0"],
    ["an expiry in the past", { expires_at: "2001-01-01T00:00:00Z" }, "expires_at"],
    ["a zero rate limit", { rate_limit: { requests_per_minute: 0, burst_limit: 1 } }, "rate_limit.requests_per_minute"],
    ["an incomplete rate limit", { rate_limit: { requests_per_minute: 5 } }, "rate_limit.burst_limit"],
    ["metadata that is not an object", { metadata: "x" }, "metadata"],
  ])("is rejected for %s", async (_what, fields, field) => {
    const { status, body } = await admin.post("/api-keys", { name: "a", permissions: ["memory:read"], ...fields });
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields.map((each: { field: string }) => each.field)).toEqual([field]);
  });

  it("never grants permissions that its creator does not hold", async () => {
    const manager = admin.as((await make({ permissions: ["agents:manage", "memory:read"] })).key);
    await make({ permissions: ["memory:read"] }, manager);
    for (const permissions of [["memory:write"], ["memory:read", "admin:all"]]) {
      const { status, body } = await manager.post("/api-keys", { name: "more", permissions });
      expect([status, body.error?.code]).toEqual([403, "FORBIDDEN"]);
      expect(body.error?.details.permissions).toEqual([permissions.at(-1)]);
    }
    const narrowed = { headers: { "x-permission": "agents:manage" } };
    const { status } = await admin.post("/api-keys", { name: "a", permissions: ["memory:read"] }, narrowed);
    expect(status).toBe(403);
  });
});

describe("listing keys", () => {
  it("returns pages, newest first, without secrets", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 4; index++) ids.unshift((await make({ name: `key ${index}` })).id);
    await eventually(async () => expect(await listed()).toHaveLength(5));
    const { data } = (await admin.get("/api-keys?limit=2&offset=1")).body;
    expect(data.api_keys.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[2]]);
    expect(data.pagination).toEqual({ total: 5, limit: 2, offset: 1, has_next: true });
    for (const key of data.api_keys) {
      expect(Object.keys(key).sort()).toEqual([
        "created_at",
        "id",
        "last_used",
        "name",
        "permissions",
        "prefix",
        "status",
      ]);
    }
  });

  it("filters by status", async () => {
    const [active, revoked, expiring] = [await make(), await make(), await make({ expires_at: soon(SHORT_MS) })];
    await admin.delete(`/api-keys/${revoked.id}`);
    await delay(SHORT_MS + 10);
    await eventually(async () => {
      expect(await listed("&status=revoked")).toEqual([revoked.id]);
      expect(await listed("&status=expired")).toEqual([expiring.id]);
      expect(await listed("&status=active")).toEqual([active.id, expect.any(String)]);
    });
    const { status, body } = await admin.get("/api-keys?status=asleep");
    expect([status, body.error?.details.fields[0].field]).toEqual([400, "status"]);
  });

  it.each(["limit=0", "limit=101", "limit=x", "offset=-1", "offset=10001"])("rejects %s", async (query) => {
    expect((await admin.get(`/api-keys?${query}`)).status).toBe(400);
  });
});

describe("reading a key", () => {
  it("returns its usage statistics", async () => {
    const { id, key } = await make({ rate_limit: { requests_per_minute: 60, burst_limit: 10 } });
    const user = admin.as(key);
    expect((await admin.get(`/api-keys/${id}`)).body.data.usage_stats).toEqual({
      total_requests: 0,
      successful_requests: 0,
      failed_requests: 0,
      last_used: null,
    });
    await user.get("/memories");
    await user.get("/memories/mem_none");
    await user.delete("/memories/mem_none");
    const { rate_limit } = (await admin.get(`/api-keys/${id}`)).body.data;
    const data = await onceAllKnow(async () => {
      await admin.get("/memories");
      const { body } = await admin.get(`/api-keys/${id}`);
      expect(body.data.usage_stats).toEqual({
        total_requests: 3,
        successful_requests: 1,
        failed_requests: 2,
        last_used: expect.stringMatching(ISO),
      });
      return body.data;
    });
    expect(data.last_used).toBe(data.usage_stats.last_used);
    expect(rate_limit).toEqual({
      requests_per_minute: 60,
      burst_limit: 10,
      // Tokens refill within a second, which requests to functions may take.
      current_usage: IS_DEPLOYED ? expect.any(Number) : 2,
      reset_time: expect.stringMatching(ISO),
    });
  });

  it('returns status "expired" for an expired key, which is rejected with 401', async () => {
    const { id, key } = await make({ expires_at: soon(SHORT_MS) });
    expect((await admin.as(key).get("/memories")).status).toBe(200);
    await delay(SHORT_MS + 10);
    expect((await admin.as(key).get("/memories")).status).toBe(401);
    expect((await admin.get(`/api-keys/${id}`)).body.data.status).toBe("expired");
    expect((await admin.post(`/api-keys/${id}/rotate`, {})).status).toBe(409);
  });
});

describe("updating a key", () => {
  it("merges concurrent updates of different fields", async () => {
    const { id, key } = await make({ permissions: ["memory:read", "memory:write"] });
    const changes = [{ name: "renamed" }, { permissions: ["memory:read"] }, { description: "told" }, {}];
    const answers = await Promise.all(changes.map((change) => admin.put(`/api-keys/${id}`, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await admin.get(`/api-keys/${id}`);
    expect(body.data).toMatchObject({ name: "renamed", permissions: ["memory:read"], description: "told" });
    expect((await admin.as(key).post("/memories", { content: "x" })).status).toBe(403);
  });

  it("takes effect immediately", async () => {
    const { id, key } = await make();
    expect((await admin.as(key).post("/memories", { content: "x" })).status).toBe(403);
    const change = { name: "renamed", description: "d", permissions: ["memory:write"], metadata: { a: 1 } };
    const { status, body } = await admin.put(`/api-keys/${id}`, change);
    expect([status, body.data]).toEqual([200, expect.objectContaining({ id, ...change, status: "active" })]);
    await onceAllKnow(async () => expect((await admin.as(key).post("/memories", { content: "x" })).status).toBe(201));
    expect((await admin.as(key).get("/memories")).status).toBe(403);
  });

  it("rejects permissions that the caller does not hold, unknown keys and empty permissions", async () => {
    const { id } = await make();
    const manager = admin.as((await make({ permissions: ["agents:manage"] })).key);
    expect((await manager.put(`/api-keys/${id}`, { permissions: ["admin:all"] })).status).toBe(403);
    expect((await admin.put("/api-keys/ak_none", { name: "x" })).body.error).toMatchObject({
      code: "API_KEY_NOT_FOUND",
      details: { api_key_id: "ak_none" },
    });
    expect((await admin.put(`/api-keys/${id}`, { permissions: [] })).status).toBe(400);
  });

  it("does not allow a caller to rotate a key with more permissions", async () => {
    const { id } = await make({ permissions: ["admin:all"] });
    const manager = admin.as((await make({ permissions: ["agents:manage"] })).key);
    const { status, body } = await manager.post(`/api-keys/${id}/rotate`, {});
    expect([status, body.error?.code]).toEqual([403, "FORBIDDEN"]);
  });

  it("does not allow an editor to restrict or revoke an admin:all key", async () => {
    const { id, key } = await make({ permissions: ["admin:all"] });
    const { token } = await hire(target.service, admin.key, { role: "editor" });
    const ask = (method: string, path: string, body: object = {}) =>
      target.service.request(method, path, { key: null, headers: bearer(token), body });
    for (const answer of [
      await ask("PUT", `/api-keys/${id}`, { permissions: ["memory:read"] }),
      await ask("PUT", `/api-keys/${id}`, { rate_limit: { requests_per_minute: 1, burst_limit: 1 } }),
      await ask("DELETE", `/api-keys/${id}`),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([403, "FORBIDDEN"]);
    }
    const self = admin.as(key);
    expect((await self.get(`/api-keys/${id}`)).body.data).toMatchObject({
      permissions: ["admin:all"],
      status: "active",
    });
    expect((await self.delete(`/api-keys/${id}`)).status).toBe(200);
    const { id: lesser } = await make();
    expect((await ask("DELETE", `/api-keys/${lesser}`)).status).toBe(200);
  });
});

describe("revoking a key", () => {
  it("stops it immediately and permanently", async () => {
    const { id, key } = await make();
    expect((await admin.as(key).get("/memories")).status).toBe(200);
    const { status, body } = await admin.delete(`/api-keys/${id}`, { reason: "leaked" });
    const gone = { id, status: "revoked", revoked_at: expect.stringMatching(ISO), revoked_reason: "leaked" };
    expect([status, body.data]).toEqual([200, gone]);
    await onceAllKnow(async () => expect((await admin.as(key).get("/memories")).status).toBe(401));
    expect((await admin.get(`/api-keys/${id}`)).body.data).toMatchObject(gone);
    expect((await admin.put(`/api-keys/${id}`, { name: "again" })).body.error?.code).toBe("CONFLICT");
    expect((await admin.post(`/api-keys/${id}/rotate`, {})).body.error?.code).toBe("CONFLICT");
    expect((await admin.delete(`/api-keys/${id}`, { reason: "again" })).body.data).toEqual(body.data);
  });

  it("requires no reason and no body", async () => {
    const { id } = await make();
    const { body } = await admin.delete(`/api-keys/${id}`);
    const revoked_reason = "No reason was given.";
    expect(body.data).toMatchObject({ id, status: "revoked", revoked_reason });
    expect((await admin.get(`/api-keys/${id}`)).body.data).toMatchObject({ status: "revoked", revoked_reason });
    expect((await admin.delete(`/api-keys/${id}`)).body.data).toEqual(body.data);
  });
});

describe("rotating a key", () => {
  it("creates a new key with the same permissions and stops the old one immediately", async () => {
    const old = await make({ metadata: { a: 1 }, rate_limit: { requests_per_minute: 60, burst_limit: 5 } });
    expect((await admin.as(old.key).get("/memories")).status).toBe(200);
    const { status, body } = await admin.post(`/api-keys/${old.id}/rotate`, { name: "renewed" });
    expect(status).toBe(201);
    const { old_key, new_key } = body.data;
    expect(old_key).toEqual({ id: old.id, status: "revoked", revoked_at: expect.stringMatching(ISO) });
    expect(new_key).toEqual({
      id: expect.stringMatching(/^ak_/),
      name: "renewed",
      key: expect.stringMatching(SECRET),
      prefix: new_key.key.slice(0, 12),
      created_at: expect.stringMatching(ISO),
    });
    await onceAllKnow(async () => expect((await admin.as(old.key).get("/memories")).status).toBe(401));
    expect((await admin.as(new_key.key).get("/memories")).status).toBe(200);
    const { permissions, metadata, rate_limit } = (await admin.get(`/api-keys/${new_key.id}`)).body.data;
    expect([permissions, metadata]).toEqual([old.permissions, old.metadata]);
    expect(rate_limit).toMatchObject(old.rate_limit);
  });

  it("succeeds once if two requests do it concurrently", async () => {
    const { id } = await make();
    const both = await Promise.all([
      admin.post(`/api-keys/${id}/rotate`, {}),
      admin.post(`/api-keys/${id}/rotate`, {}),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it("does not restore permissions or limits that a concurrent update reduces", async () => {
    const [all, few] = [["memory:read", "memory:delete"], ["memory:read"]];
    const [slow, slower] = [60, 30].map((requests_per_minute) => ({ requests_per_minute, burst_limit: 5 }));
    for (let round = 0; round < 10; round++) {
      const { id } = await make({ permissions: all, rate_limit: slow });
      const [narrowed, rotated] = await Promise.all([
        admin.put(`/api-keys/${id}`, { permissions: few, rate_limit: slower }),
        admin.post(`/api-keys/${id}/rotate`, {}),
      ]);
      expect(["200 201", "200 409", "409 201"]).toContain(`${narrowed.status} ${rotated.status}`);
      const left = rotated.status === 201 ? rotated.body.data.new_key.id : id;
      const { permissions, rate_limit } = (await admin.get(`/api-keys/${left}`)).body.data;
      const [rights, limit] = narrowed.status === 200 ? [few, slower] : [all, slow];
      expect([permissions, rate_limit]).toEqual([rights, expect.objectContaining(limit)]);
    }
  });

  it("returns the same secret when repeated with the same Idempotency-Key", async () => {
    const { id } = await make();
    const headers = { "idempotency-key": "rotation" };
    const [first, again] = [
      await admin.post(`/api-keys/${id}/rotate`, {}, { headers }),
      await admin.post(`/api-keys/${id}/rotate`, {}, { headers }),
    ];
    expect([again.status, again.body.data]).toEqual([201, first.body.data]);
  });
});

describe("without agents:manage", () => {
  it("a key can read, rotate and revoke only itself", async () => {
    const [mine, other] = [await make(), await make()];
    const self = admin.as(mine.key);
    expect((await self.get(`/api-keys/${mine.id}`)).body.data.id).toBe(mine.id);
    for (const [verb, path] of [
      ["get", ""],
      ["delete", ""],
      ["post", "/rotate"],
    ] as const) {
      const { status, body } = await self[verb](`/api-keys/${other.id}${path}`, verb === "get" ? undefined : {});
      expect([verb, status, body.error?.code]).toEqual([verb, 404, "API_KEY_NOT_FOUND"]);
    }
    expect((await self.post("/api-keys", { name: "x", permissions: ["memory:read"] })).status).toBe(403);
    expect((await self.put(`/api-keys/${mine.id}`, { name: "x" })).status).toBe(403);
    await eventually(async () => expect(await listed("", self)).toEqual([mine.id]));
    const { body } = await self.post(`/api-keys/${mine.id}/rotate`, {});
    const renewed = self.as(body.data.new_key.key);
    expect((await self.get("/memories")).status).toBe(401);
    expect((await renewed.delete(`/api-keys/${body.data.new_key.id}`)).status).toBe(200);
    expect((await renewed.get("/memories")).status).toBe(401);
  });

  it("a request narrowed by X-Permission sees only the keys that its credential created", async () => {
    const manager = admin.as((await make({ permissions: ["agents:manage", "memory:read"] })).key);
    const [mine, theirs] = [await make(), await make({}, manager)];
    const headers = { "x-permission": "memory:read" };
    expect((await admin.get(`/api-keys/${mine.id}`, { headers })).status).toBe(200);
    expect((await admin.get(`/api-keys/${theirs.id}`, { headers })).status).toBe(404);
    expect((await admin.get(`/api-keys/${theirs.id}`)).status).toBe(200);
  });
});

describe("a key created with another key", () => {
  it("has no higher rate limit and no later expiry than its creator", async () => {
    const [limit, end] = [{ requests_per_minute: 60, burst_limit: 10 }, soon(3_600_000)];
    const bounded = await make({ permissions: ["admin:all"], rate_limit: limit, expires_at: end });
    const maker = admin.as(bounded.key);
    for (const more of [
      { rate_limit: { ...limit, requests_per_minute: 61 } },
      { rate_limit: { ...limit, burst_limit: 11 } },
      { expires_at: soon(3_700_000) },
    ]) {
      const { status, body } = await maker.post("/api-keys", { name: "more", permissions: ["memory:read"], ...more });
      expect([more, status, body.error?.code]).toEqual([more, 403, "FORBIDDEN"]);
    }
    expect(await make({}, maker)).toMatchObject({ rate_limit: limit, expires_at: end });
    const less = { rate_limit: { requests_per_minute: 1, burst_limit: 1 }, expires_at: soon(60_000) };
    expect(await make(less, maker)).toMatchObject(less);
    const raised = await maker.put(`/api-keys/${bounded.id}`, { rate_limit: { ...limit, burst_limit: 1000 } });
    expect([raised.status, raised.body.error?.code]).toEqual([403, "FORBIDDEN"]);
    const unbounded = await make({ permissions: ["memory:read"] });
    const taken = await maker.post(`/api-keys/${unbounded.id}/rotate`, {});
    expect([taken.status, taken.body.error?.code]).toEqual([403, "FORBIDDEN"]);
    const renewed = await maker.post(`/api-keys/${bounded.id}/rotate`, {});
    const { data } = (await admin.get(`/api-keys/${renewed.body.data.new_key.id}`)).body;
    expect(data).toMatchObject({ rate_limit: limit, expires_at: end });
  });

  it("cannot set server-managed fields", async () => {
    const foreign = await target.organization();
    const claims = {
      id: "ak_mine",
      org: "org_operator",
      owner: "user_other",
      created_by: "user_other",
      status: "revoked",
    };
    const sneaked = { ...claims, hash: "00", prefix: "ak_live_mine", key: "ak_live_mine" };
    const valid = { name: "sneaky", permissions: ["memory:read"] };
    expect(refused(await admin.post("/api-keys", { ...valid, ...sneaked }))).toEqual([400, Object.keys(sneaked)]);
    const made = await make();
    expect(made.key).toMatch(SECRET);
    expect(refused(await admin.put(`/api-keys/${made.id}`, { owner: "user_other", org: "org_operator" }))).toEqual([
      400,
      ["owner", "org"],
    ]);
    const expired = { id: "ak_mine", status: "revoked", expires_at: "2001-01-01T00:00:00Z" };
    expect(refused(await admin.put(`/api-keys/${made.id}`, expired))).toEqual([400, ["id", "status", "expires_at"]]);
    expect((await admin.as(made.key).get("/memories")).status).toBe(200);
    expect((await admin.get(`/api-keys/${made.id}`)).status).toBe(200);
    expect((await foreign.get(`/api-keys/${made.id}`)).status).toBe(404);
  });
});

describe("a user's keys", () => {
  const asUser = (token: string) => ({ key: null, headers: bearer(token) });

  it("are limited to the user's permissions, and to those that X-Permission selects", async () => {
    const { token } = await hire(target.service, admin.key, { role: "editor" });
    const ask = (permissions: string[], headers = {}) =>
      target.service.request("POST", "/api-keys", {
        key: null,
        body: { name: "a user's", permissions },
        headers: { ...bearer(token), ...headers },
      });
    expect((await ask(["memory:read", "agents:manage"])).status).toBe(201);
    for (const permissions of [["admin:all"], ["memory:read", "compression:benchmark"]]) {
      const { status, body } = await ask(permissions);
      expect([status, body.error?.code]).toEqual([403, "FORBIDDEN"]);
    }
    expect((await ask(["agents:manage"], { "x-permission": "agents:manage" })).status).toBe(201);
    const narrowed = await ask(["memory:read"], { "x-permission": "agents:manage" });
    expect([narrowed.status, narrowed.body.error?.code]).toEqual([403, "FORBIDDEN"]);
    const widened = await ask(["memory:read"], { "x-permission": "admin:all" });
    expect([widened.status, widened.body.error?.code]).toEqual([403, "PERMISSION_DENIED"]);
  });

  it("cannot read the user's account or change how the user signs in", async () => {
    const { token } = await hire(target.service, admin.key, { role: "editor" });
    const body = { name: "a user's", permissions: ["memory:read"] };
    const made = await target.service.request("POST", "/api-keys", { ...asUser(token), body });
    const own = admin.as(made.body.data.key);
    const change = { current_password: PASSWORD, new_password: `${PASSWORD} 2`, confirm_password: `${PASSWORD} 2` };
    for (const answer of [
      await own.get("/auth/me"),
      await own.post("/auth/change-password", change),
      await own.post("/auth/2fa/setup", {}),
      await own.post("/auth/logout", { all_sessions: true }),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([403, "FORBIDDEN"]);
    }
    expect((await target.service.request("GET", "/auth/me", asUser(token))).status).toBe(200);
  });

  it("stop working, with the keys that they created, while the user is suspended", async () => {
    const { id, token } = await hire(target.service, admin.key, { role: "editor" });
    const body = { name: "a user's", permissions: ["memory:read", "agents:manage"] };
    const made = await target.service.request("POST", "/api-keys", { ...asUser(token), body });
    const own = admin.as(made.body.data.key);
    const descendant = admin.as((await make({}, own)).key);
    const expectStatus = (expected: number) =>
      onceAllKnow(async () => {
        for (const each of [own, descendant]) expect((await each.get("/memories")).status).toBe(expected);
      });
    await expectStatus(200);
    const suspended = await admin.post(`/admin/users/${id}/suspend`, { reason: "test", notify_user: false });
    expect(suspended.status).toBe(200);
    await expectStatus(401);
    expect((await target.service.request("GET", "/memories", asUser(token))).status).toBe(401);
    await admin.post(`/admin/users/${id}/activate`, {});
    await expectStatus(200);
    await admin.put(`/admin/users/${id}`, { role: "agent" });
    await expectStatus(200);
    await onceAllKnow(async () => expect((await own.post("/api-keys", body)).status).toBe(403));
    await admin.delete(`/admin/users/${id}`, { reason: "test" });
    await expectStatus(401);
  });

  it("include the keys that the user rotated, because the user knows their secrets", async () => {
    const { id, token } = await hire(target.service, admin.key, { role: "editor" });
    const old = await make();
    const answer = await target.service.request("POST", `/api-keys/${old.id}/rotate`, { ...asUser(token), body: {} });
    const renewed = admin.as(answer.body.data.new_key.key);
    expect((await renewed.get("/memories")).status).toBe(200);
    await admin.post(`/admin/users/${id}/suspend`, { reason: "test", notify_user: false });
    await onceAllKnow(async () => expect((await renewed.get("/memories")).status).toBe(401));
  });

  it("can read keys with agents:manage alone, but no other resources", async () => {
    const { token } = await hire(target.service, admin.key, { role: "viewer", permissions: ["agents:manage"] });
    const mine = await make();
    const ask = (path: string) => target.service.request("GET", path, asUser(token));
    expect((await ask(`/api-keys/${mine.id}`)).status).toBe(200);
    for (const path of ["/memories", "/memories/mem_none", "/search?q=tea", "/admin/users", "/sessions"]) {
      expect([path, (await ask(path)).body.error?.code]).toEqual([path, "PERMISSION_DENIED"]);
    }
  });
});

describe("another organization", () => {
  it("can neither read nor change a key", async () => {
    const { id, key } = await make();
    const stranger = await target.organization();
    expect((await stranger.get(`/api-keys/${id}`)).status).toBe(404);
    expect((await stranger.put(`/api-keys/${id}`, { name: "taken" })).status).toBe(404);
    expect((await stranger.delete(`/api-keys/${id}`)).status).toBe(404);
    expect((await stranger.post(`/api-keys/${id}/rotate`, {})).status).toBe(404);
    expect(await listed("", stranger)).not.toContain(id);
    expect((await admin.as(key).get("/memories")).status).toBe(200);
  });
});

describe("the keys of an organization", () => {
  const MOST = 10;
  const ask = (caller: Caller, fields: object = {}) =>
    caller.post("/api-keys", { name: "one of many", permissions: ["memory:read"], ...fields });
  const expectFull = ({ status, body }: Answered) =>
    expect([status, body.error]).toEqual([
      409,
      expect.objectContaining({ code: "LIMIT_REACHED", details: { resource: "keys", limit: MOST, plan: "free" } }),
    ]);

  it("are limited by its plan, also if they are created concurrently", async () => {
    const caller = await target.organization("free");
    const answers = await Promise.all(Array.from({ length: 2 * MOST }, () => ask(caller)));
    // One of the keys is the caller's own.
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MOST - 1);
    for (const answer of answers) if (answer.status !== 201) expectFull(answer);
    expect((await caller.get("/api-keys?status=active")).body.data.pagination.total).toBe(MOST);
  });

  it("are limited to the number that the credential's own description says, with all other kinds", async () => {
    const [few, many] = await Promise.all(
      (["free", "team"] as const).map(async (plan) => (await target.organization(plan)).get("/whoami")),
    );
    expect(few?.body.data.limits).toMatchObject({ keys: MOST, users: 25, webhooks: 5, entities: 5000 });
    expect(many?.body.data.limits.keys).toBeGreaterThan(MOST);
  });

  it("free a slot when one is revoked or expires, but not when one is rotated", async () => {
    const caller = await target.organization("free");
    const brief = await ask(caller, { expires_at: soon(SHORT_MS) });
    const { id } = (await ask(caller)).body.data;
    for (let turn = 0; turn < MOST - 3; turn++) expect((await ask(caller)).status).toBe(201);
    expect(brief.status).toBe(201);
    const { new_key } = (await caller.post(`/api-keys/${id}/rotate`, {})).body.data;
    await eventually(async () => expect((await ask(caller)).status).toBe(201));
    expectFull(await ask(caller));
    expect((await caller.delete(`/api-keys/${new_key.id}`)).status).toBe(200);
    await eventually(async () => expect((await ask(caller)).status).toBe(201));
    expectFull(await ask(caller));
    const agent = await caller.post("/agents", { name: "an agent", model: "a model" });
    expectFull(await ask(caller, { agent_id: agent.body.data.id }));
  });

  it("are counted separately from those of other organizations", async () => {
    const caller = await target.organization("free");
    await Promise.all(Array.from({ length: MOST }, () => ask(caller)));
    expect((await ask(await target.organization("free"))).status).toBe(201);
  });
});

describe("a key's own rate limit", () => {
  it("applies in addition to the plan's limit, and refills", async () => {
    const { key } = await make({ rate_limit: { requests_per_minute: 120, burst_limit: 2 } });
    const user = admin.as(key);
    const first = await user.get("/memories");
    expect(first.headers.get("ratelimit-policy")).toBe('"key";q=2;w=1');
    expect(first.headers.get("ratelimit")).toMatch(/^"key";r=1;t=\d+$/);
    expect((await user.get("/memories")).status).toBe(200);
    const { status, headers, body } = await user.get("/memories");
    expect([status, body.error?.code, body.error?.details.limit]).toEqual([429, "RATE_LIMITED", "key"]);
    const wait = Number(headers.get("retry-after"));
    expect(wait).toBe(1);
    await delay(wait * 1000);
    expect((await user.get("/memories")).status).toBe(200);
  });
});
