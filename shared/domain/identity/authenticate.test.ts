import { LRUCache } from "lru-cache";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createOrganization, openService } from "../../../test/support/service.ts";
import { bearer, signInUser } from "../../../test/support/users.ts";
import { timestamp } from "../../kernel/clock.ts";
import { HOUR_MS } from "../../kernel/durations.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import type { Permission, Role } from "../../runtime/access/permissions.ts";
import { newApiKey } from "./api-keys.ts";
import { Authenticator, type LastOrganizations } from "./authenticate.ts";
import { credentialIn } from "./credential.ts";
import { type ApiKey, changeApiKey, putApiKey, putOrganization } from "./records.ts";
import { AccessTokens } from "./tokens.ts";
import { reviseUser, type User, type UserChange } from "./users.ts";

const TRUST_MS = 10_000;
let now = Date.parse("2026-01-31T12:00:00Z");
let org: string;

const service = await openService({}, () => now);
afterAll(() => service.close());

beforeEach(async () => {
  now += HOUR_MS;
  ({ org } = await createOrganization(service));
});

/** The number of reads of a store, and of round trips: reads that run concurrently count as one. */
interface Trips {
  reads: number;
  roundTrips: number;
}

const NONE: Trips = { reads: 0, roundTrips: 0 };

/** Another process on the same store, whose round trips are counted. */
function anotherProcess(lastOrganizations?: LastOrganizations): { authenticator: Authenticator; trips(): Trips } {
  let counted = { ...NONE };
  let inFlight = 0;
  const get: RecordStore["get"] = async (key) => {
    counted.reads++;
    if (inFlight++ === 0) counted.roundTrips++;
    try {
      await new Promise(setImmediate);
      return await service.runtime.ports.records.get(key);
    } finally {
      inFlight--;
    }
  };
  const records = { get } as RecordStore;
  const clock = () => now;
  const tokens = new AccessTokens(records, clock);
  const { findAgent } = service.runtime;
  return {
    authenticator: new Authenticator({ records, clock, tokens, findAgent, lastOrganizations }),
    trips: () => {
      const total = counted;
      counted = { ...NONE };
      return total;
    },
  };
}

type Shown = ReturnType<typeof credentialIn>;

async function storeKey(given: Partial<ApiKey>): Promise<{ key: ApiKey; credential: Shown }> {
  const defaults = { name: "a key", permissions: ["memory:read" as const], metadata: {}, created_by: org };
  const { key, secret } = newApiKey({ ...service.runtime, org }, { ...defaults, ...given });
  await service.runtime.ports.records.write(...putApiKey(key));
  return { key, credential: credentialIn(new Headers({ "x-api-key": secret })) };
}

async function signIn(role: Role): Promise<{ user: User; credential: Shown }> {
  const { user, token } = await signInUser(service, { org, role });
  return { user, credential: credentialIn(new Headers(bearer(token))) };
}

const change = (user: User, what: UserChange) => reviseUser(service.runtime, user, () => what);

/** The permissions that a process grants a credential; undefined if it rejects the credential. */
async function heldIn(authenticator: Authenticator, credential: Shown): Promise<readonly Permission[] | undefined> {
  try {
    return (await authenticator.authenticate(credential)).permissions;
  } catch (error) {
    expect(error).toMatchObject({ code: "UNAUTHORIZED" });
    return undefined;
  }
}

const here = () => service.runtime.authenticator;

/** Fails unless a credential that every process lets in is rejected after a change: here at once, elsewhere soon. */
async function expectEnded(credential: Shown, makeChange: () => Promise<unknown>): Promise<void> {
  const { authenticator } = anotherProcess();
  const before = await heldIn(here(), credential);
  expect(before).toBeDefined();
  expect(await heldIn(authenticator, credential)).toEqual(before);
  await makeChange();
  expect(await heldIn(here(), credential)).toBeUndefined();
  now += TRUST_MS;
  expect(await heldIn(authenticator, credential)).toBeUndefined();
}

describe("a request costs", () => {
  it("no round trip within ten seconds of the first request, which takes two with a token", async () => {
    const { credential } = await signIn("viewer");
    const { authenticator, trips } = anotherProcess();
    await authenticator.authenticate(credential);
    expect(trips()).toEqual({ reads: 3, roundTrips: 2 });
    now += TRUST_MS - 1;
    await authenticator.authenticate(credential);
    expect(trips()).toEqual(NONE);
    now += 1;
    await authenticator.authenticate(credential);
    expect(trips()).toEqual({ reads: 3, roundTrips: 2 });
  });

  it("two round trips for the first request with a key, owned by a user or not, and then none", async () => {
    const { user } = await signIn("admin");
    for (const [owner, reads] of [
      [undefined, 2],
      [user.id, 3],
    ] as const) {
      const { credential } = await storeKey({ owner });
      const { authenticator, trips } = anotherProcess();
      await authenticator.authenticate(credential);
      expect(trips()).toEqual({ reads, roundTrips: 2 });
      await authenticator.authenticate(credential);
      expect(trips()).toEqual(NONE);
    }
  });

  it("one round trip with another credential of a cached organization", async () => {
    const [first, second] = [await storeKey({}), await storeKey({})];
    const { authenticator, trips } = anotherProcess();
    await authenticator.authenticate(first.credential);
    trips();
    await authenticator.authenticate(second.credential);
    expect(trips()).toEqual({ reads: 1, roundTrips: 1 });
  });

  it("the same for a hundred concurrent requests as for one", async () => {
    const { credential } = await signIn("viewer");
    const { authenticator, trips } = anotherProcess();
    await Promise.all(Array.from({ length: 100 }, () => authenticator.authenticate(credential)));
    expect(trips()).toEqual({ reads: 3, roundTrips: 2 });
  });

  it("no round trip for a credential that is neither a token nor shaped like a key", async () => {
    const { authenticator, trips } = anotherProcess();
    for (const headers of [{}, { "x-api-key": "" }, { authorization: "Basic YTpi" }, { authorization: "Bearer" }]) {
      expect(await heldIn(authenticator, credentialIn(new Headers(headers as Record<string, string>)))).toBeUndefined();
    }
    expect(trips()).toEqual(NONE);
  });
});

describe("a whole request with a cached credential", () => {
  /** Runs a request and returns the methods of the record store that it called. */
  async function callsOf(run: () => Promise<{ status: number }>): Promise<string[]> {
    const verbs = ["count", "get", "getMany", "query", "write"] as const;
    const spies = verbs.map((verb) => vi.spyOn(service.runtime.ports.records, verb));
    const { status } = await run();
    const calls = spies.flatMap((spy, index) => spy.mock.calls.map(() => String(verbs[index])));
    for (const spy of spies) spy.mockRestore();
    expect(status).toBe(404);
    return calls;
  }

  it.each([
    ["enterprise", ["get"]],
    ["free", ["get", "write", "write"]],
  ] as const)("costs what its verb reads, plus two updates if the plan has a limit: %s", async (plan, calls) => {
    const { org: other, key } = await createOrganization(service, plan);
    const { token } = await signInUser(service, { org: other, role: "viewer" });
    for (const credential of [{ key }, { key: null, headers: bearer(token) }]) {
      const ask = () => service.request("GET", "/memories/mem_none", credential);
      await ask();
      expect(await callsOf(ask)).toEqual(calls);
    }
  });
});

describe("a user", () => {
  it("has the permissions of the current record, not those at sign-in", async () => {
    const { user, credential } = await signIn("viewer");
    const { authenticator } = anotherProcess();
    expect(await heldIn(here(), credential)).toContain("memory:read");
    expect(await heldIn(authenticator, credential)).toContain("memory:read");
    await change(user, { role: "admin", permissions: ["admin:all"] });
    expect(await heldIn(here(), credential)).toEqual(["admin:all"]);
    expect(await heldIn(authenticator, credential)).not.toContain("admin:all");
    now += TRUST_MS;
    expect(await heldIn(authenticator, credential)).toEqual(["admin:all"]);
  });

  it("has no permissions while the password is temporary", async () => {
    const { user, credential } = await signIn("admin");
    await change(user, { must_change_password: true });
    expect(await heldIn(here(), credential)).toEqual([]);
  });

  it.each([
    ["suspended", { status: "suspended" }],
    ["suspended for years", { status: "suspended", suspended_until: "2030-01-31T13:00:00.000Z" }],
    ["inactive", { status: "inactive" }],
    ["deleted", { status: "deleted" }],
    ["of another password", { password_hash: "another" }],
  ] as const)(
    "who is %s is refused with an earlier token, at once here and soon in other processes",
    async (_what, what) => {
      const { user, credential } = await signIn("viewer");
      await expectEnded(credential, () => change(user, what));
    },
  );

  it("of another organization is refused, even if cached", async () => {
    const { user, credential } = await signIn("viewer");
    expect(await heldIn(here(), credential)).toBeDefined();
    const elsewhere = await createOrganization(service);
    const claims = { sub: user.id, org: elsewhere.org, epoch: user.credential_epoch, session: "s" };
    const { access_token } = await service.runtime.tokens.issue(service.runtime, claims);
    expect(await heldIn(here(), credentialIn(new Headers(bearer(access_token))))).toBeUndefined();
  });
});

describe("a key that a user owns", () => {
  it.each([
    ["suspended", { status: "suspended" }],
    ["inactive", { status: "inactive" }],
    ["deleted", { status: "deleted" }],
  ] as const)("is refused after the user is %s, at once here and soon in other processes", async (_what, what) => {
    const { user } = await signIn("viewer");
    const { credential } = await storeKey({ created_by: user.id, owner: user.id });
    expect(await heldIn(here(), credential)).toEqual(["memory:read"]);
    await expectEnded(credential, () => change(user, what));
  });

  it("works again when the suspension ends", async () => {
    const { user } = await signIn("viewer");
    const { credential } = await storeKey({ owner: user.id });
    await change(user, { status: "suspended", suspended_until: timestamp(now + HOUR_MS) });
    expect(await heldIn(here(), credential)).toBeUndefined();
    now += HOUR_MS;
    expect(await heldIn(here(), credential)).toEqual(["memory:read"]);
  });

  it("has only permissions that both the user and the key have now", async () => {
    const { user } = await signIn("admin");
    const { credential } = await storeKey({ owner: user.id, permissions: ["memory:read", "memory:write"] });
    const { credential: mighty } = await storeKey({ owner: user.id, permissions: ["admin:all"] });
    expect(await heldIn(here(), credential)).toEqual(["memory:read", "memory:write"]);
    expect(await heldIn(here(), mighty)).toEqual(["admin:all"]);
    // An organization must keep an admin.
    await signIn("admin");
    await change(user, { role: "viewer", permissions: ["memory:read", "search:read"] });
    expect(await heldIn(here(), credential)).toEqual(["memory:read"]);
    expect(await heldIn(here(), mighty)).toEqual([]);
  });

  it("is refused without its user", async () => {
    const { credential } = await storeKey({ owner: "user_nobody" });
    expect(await heldIn(here(), credential)).toBeUndefined();
  });
});

describe("a key", () => {
  it("is refused from the moment it expires, even if cached", async () => {
    const { credential } = await storeKey({ expires_at: timestamp(now + 5000) });
    now += 4999;
    expect(await heldIn(here(), credential)).toBeDefined();
    now += 1;
    expect(await heldIn(here(), credential)).toBeUndefined();
  });

  it("is attributed to its organization only while it is accepted", async () => {
    const { key, credential } = await storeKey({ expires_at: timestamp(now + 5000) });
    const lastOrganizations: LastOrganizations = new LRUCache({ max: 10 });
    const { authenticator } = anotherProcess(lastOrganizations);
    await authenticator.authenticate(credential);
    expect([...lastOrganizations]).toEqual([[key.hash, org]]);
    now += 5000;
    expect(await heldIn(authenticator, credential)).toBeUndefined();
    expect([...lastOrganizations]).toEqual([]);
  });

  it("of a deleted agent is refused, revoked or not", async () => {
    const { credential } = await storeKey({ agent_id: "agent_gone" });
    expect(await heldIn(here(), credential)).toBeUndefined();
  });

  it("that was revoked while it was read is not cached", async () => {
    const { key, credential } = await storeKey({});
    const { records } = service.runtime.ports;
    const clock = () => now;
    const get: RecordStore["get"] = async (asked) => {
      const found = await records.get(asked);
      if (asked.pk === `credential#${key.hash}` && found?.status === "active") {
        await records.write(...changeApiKey(key, { status: "revoked" }));
        authenticator.forget(key.id);
      }
      return found;
    };
    const reading = { get } as RecordStore;
    const tokens = new AccessTokens(reading, clock);
    const authenticator = new Authenticator({ records: reading, clock, tokens, findAgent: service.runtime.findAgent });
    expect(await heldIn(authenticator, credential)).toBeDefined();
    expect(await heldIn(authenticator, credential)).toBeUndefined();
  });

  it("has the current plan of its organization", async () => {
    const { credential } = await storeKey({});
    const planOf = async () => (await here().authenticate(credential)).plan;
    expect(await planOf()).toBe("enterprise");
    const put = putOrganization({ id: org, label: org, plan: "free", operator: false, created_at: timestamp(now) });
    await service.runtime.ports.records.write({ ...put, condition: "present" } as typeof put);
    expect(await planOf()).toBe("enterprise");
    here().forget(org);
    expect(await planOf()).toBe("free");
  });
});
