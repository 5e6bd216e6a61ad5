import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answered } from "../support/service.ts";
import { type Caller, IS_DEPLOYED, openTarget, type Target } from "../support/target.ts";

/** Functions start a process for each concurrent request, and a machine that emulates them has few processors. */
const [MOST, AT_ONCE] = IS_DEPLOYED ? [5, 20] : [50, 200];

let target: Target;

beforeAll(async () => {
  target = await openTarget();
});

afterAll(() => target.close());

/** Returns a caller with its own limit, in an organization without a limit. */
async function limitedTo(requests_per_minute: number, burst_limit: number): Promise<Caller> {
  const admin = await target.organization("enterprise");
  const rate_limit = { requests_per_minute, burst_limit };
  const { status, body } = await admin.post("/api-keys", { name: "limited", permissions: ["memory:read"], rate_limit });
  expect(status).toBe(201);
  return admin.as(body.data.key);
}

const remember = (caller: Caller) => caller.post("/memories", { content: "Ada drinks tea." });

/**
 * Repeats a request until it is refused, and returns the refusal. The number of successes must be the limit, plus the
 * tokens refilled meanwhile: few if requests are fast.
 */
async function useUp(
  perMinute: number,
  ask: () => Promise<Answered>,
  { burst = perMinute, startedAt = performance.now() } = {},
): Promise<Answered> {
  for (let passed = 0; ; passed++) {
    const answer = await ask();
    const flowedIn = Math.ceil(((performance.now() - startedAt) * perMinute) / 60_000);
    // Checked each time, because without a limit no refusal ends the loop.
    expect(passed).toBeLessThanOrEqual(burst + flowedIn);
    if (answer.status === 429) {
      expect(passed).toBeGreaterThanOrEqual(burst);
      return answer;
    }
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
  }
}

describe("a rate limit", () => {
  it(`of ${MOST} lets exactly ${MOST} of ${AT_ONCE} parallel requests through`, async () => {
    const caller = await limitedTo(1, MOST);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => caller.get("/memories/mem_none")));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(MOST);
    expect(statuses.filter((status) => status === 429)).toHaveLength(AT_ONCE - MOST);
    for (const { status, headers, body } of answers) {
      if (status !== 429) continue;
      expect(body.error).toMatchObject({ code: "RATE_LIMITED", details: { limit: "key", requests_per_minute: 1 } });
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  it("allows the next request after Retry-After, and not long before", async () => {
    const caller = await limitedTo(30, 1);
    expect((await caller.get("/memories")).status).toBe(200);
    const { status, headers } = await caller.get("/memories");
    const wait = Number(headers.get("retry-after"));
    expect([status, wait]).toEqual([429, 2]);
    await delay(500);
    expect((await caller.get("/memories")).status).toBe(429);
    await delay(wait * 1000 - 500);
    expect((await caller.get("/memories")).status).toBe(200);
  });

  it("does not count requests rejected for lack of permission", async () => {
    const reader = await limitedTo(1, 1);
    for (let turn = 0; turn < 3; turn++) expect((await remember(reader)).status).toBe(403);
    expect((await reader.get("/memories")).status).toBe(200);
    expect((await reader.get("/memories")).status).toBe(429);
  });

  it("of one credential does not affect the other credentials of its organization", async () => {
    const admin = await target.organization("free");
    const { body } = await admin.post("/api-keys", { name: "another", permissions: ["memory:write"] });
    await useUp(10, () => remember(admin));
    expect((await remember(admin.as(body.data.key))).status).toBe(201);
  });
});

describe("the free plan", () => {
  it.each([
    ["creates", "create_memory", 10, (caller: Caller) => remember(caller)],
    ["updates", "update_memory", 5, (caller: Caller) => caller.put("/memories/mem_none", { content: "new" })],
    ["deletes", "delete_memory", 5, (caller: Caller) => caller.delete("/memories/mem_none")],
  ])("limits how often a credential %s memories", async (_what, limit, most, ask) => {
    const caller = await target.organization("free");
    const refusal = await useUp(most, () => ask(caller));
    expect(refusal.body.error?.details).toMatchObject({ limit, requests_per_minute: most });
    expect((await caller.get("/api-keys")).status).toBe(200);
  });

  it("counts each operation separately, and all of them together", async () => {
    const caller = await target.organization("free");
    const startedAt = performance.now();
    for (let turn = 0; turn < 5; turn++) {
      expect((await caller.put("/memories/mem_none", { content: "new" })).status).toBe(404);
      expect((await caller.delete("/memories/mem_none")).status).toBe(404);
    }
    const refusal = await useUp(100, () => caller.get("/api-keys"), { burst: 90, startedAt });
    expect(refusal.body.error?.details.limit).toBe("general");
  });

  it("returns the tightest limit in the headers of each response", async () => {
    const caller = await target.organization("free");
    const { headers } = await remember(caller);
    expect(headers.get("ratelimit-policy")).toBe('"create_memory";q=10;w=60');
    expect(headers.get("ratelimit")).toMatch(/^"create_memory";r=9;t=\d+$/);
    expect((await caller.get("/api-keys")).headers.get("ratelimit-policy")).toBe('"general";q=100;w=60');
  });
});

describe("the keys of an organization", () => {
  it("share a budget in addition to their own limits", async () => {
    const admin = await target.organization("free");
    const keys = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { body } = await admin.post("/api-keys", { name: "one of many", permissions: ["memory:write"] });
        return admin.as(body.data.key);
      }),
    );
    const startedAt = performance.now();
    let turn = 0;
    const refusal = await useUp(25, () => keys[turn++ % keys.length]!.put("/memories/mem_none", { content: "new" }), {
      startedAt,
    });
    expect(refusal.body.error?.details).toMatchObject({ limit: "organization_update_memory", requests_per_minute: 25 });
    expect(refusal.headers.get("ratelimit-policy")).toBe('"organization_update_memory";q=25;w=60');
    expect(refusal.headers.get("ratelimit")).toMatch(/^"organization_update_memory";r=0;t=\d+$/);
    expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await keys[0]!.delete("/memories/mem_none")).status).not.toBe(429);
  });
});

describe("mails to one address", () => {
  it("are limited with visible headers, and the Idempotency-Key does not store the rejection", async () => {
    const admin = await target.organization("free");
    const invitation = {
      email: `${randomUUID()}@example.com`,
      role: "viewer",
      name: "Grace",
      permissions: [],
      send_email: true,
    };
    for (let turn = 0; turn < 3; turn++) expect((await admin.post("/admin/invites", invitation)).status).toBe(201);
    for (let turn = 0; turn < 2; turn++) {
      const headers = { "idempotency-key": "the fourth" };
      const { status, headers: told } = await admin.post("/admin/invites", invitation, { headers });
      expect([status, told.get("ratelimit-policy")]).toEqual([429, '"mails";q=3;w=1800']);
      expect(told.get("ratelimit")).toMatch(/^"mails";r=0;t=\d+$/);
      expect(Number(told.get("retry-after"))).toBeGreaterThan(500);
      expect(told.has("idempotent-replayed")).toBe(false);
    }
  });
});

describe("the enterprise plan", () => {
  it("has no limit, and returns no limit headers", async () => {
    const caller = await target.organization("enterprise");
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => caller.get("/memories/mem_none")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(answers.filter(({ headers }) => headers.has("ratelimit") || headers.has("ratelimit-policy"))).toEqual([]);
  });
});
