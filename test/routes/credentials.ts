import { setTimeout as delay } from "node:timers/promises";
import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RouteRow, routeTable } from "../../infra/route-table.ts";
import type { AccessClaims } from "../../shared/domain/identity/tokens.ts";
import {
  covers,
  PERMISSIONS,
  type Permission,
  ROLE_PERMISSIONS,
  ROLES,
  type Role,
} from "../../shared/runtime/access/permissions.ts";
import type { Route } from "../../shared/runtime/http/group.ts";
import {
  type Answered,
  createOrganization,
  type LocalService,
  openService,
  type RequestOptions,
} from "../support/service.ts";
import { bearer, hire, tokenFor } from "../support/users.ts";
import { groups, routes, sendSample, titleOf } from "./harness.ts";
import { makeThing } from "./samples/index.ts";

const SOON_MS = 1_000;

const byName = new Map(routes.map((route) => [route.definition.name, route]));
export const table = routeTable(groups);
/** The routes that need a credential. */
export const GUARDED_ROWS = table.filter(({ permission }) => permission !== "public");
export const titledRows = (rows: RouteRow[]) => rows.map((row) => [titleOf(row), row, routeOf(row)] as const);

/** What a request may contain that does not authenticate it. */
const REFUSED = [
  "nothing",
  "an unknown key",
  "an empty key",
  "an unknown bearer token",
  "what looks like a token",
  "another scheme",
  "an expired key",
  "a revoked key",
  "a rotated key",
  "the key of a suspended user",
  "a key made by the key of a suspended user",
  "the key of a deleted user",
  "an expired token",
  "the token of a suspended user",
  "the token of a deleted user",
  "the token of a sign-in that ended",
  "a token of before the password changed",
  "a token that is not signed",
  "a token that another key signed",
  "a token in the place of a key",
] as const;

let service: LocalService;
let owner: { org: string; key: string };
const users = new Map<Role, { id: string }>();
const keys = new Map<string, string>();
let agentKey: RequestOptions;
const refused = new Map<(typeof REFUSED)[number], RequestOptions>();

function routeOf({ name }: RouteRow): Route {
  const route = byName.get(name);
  if (!route) throw new Error(`no route is called '${name}'`);
  return route;
}

async function done(method: string, path: string, options: RequestOptions) {
  const { status, body } = await service.request(method, path, options);
  expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBeLessThan(300);
  return body.data;
}

const byToken = (token: string): RequestOptions => ({ key: null, headers: bearer(token) });

function makeKey(permissions: readonly Permission[], maker: RequestOptions, more: object = {}) {
  return done("POST", "/api-keys", { ...maker, body: { name: "made for a test", permissions, ...more } });
}

const nameOfKey = (permissions: readonly Permission[]) => [...permissions].sort().join();
const keyWith = (permissions: readonly Permission[]): RequestOptions => ({ key: keys.get(nameOfKey(permissions)) });
const allBut = (permission: Permission) => PERMISSIONS.filter((each) => each !== permission && each !== "admin:all");

/** A token valid for at least one request, whatever the request does to its session. */
const asUser = async (role: Role): Promise<RequestOptions> =>
  byToken(await tokenFor(service, owner.org, users.get(role)?.id ?? ""));

/** Creates a user who is then suspended or deleted, with all credentials the user could have. */
async function makeGone(end: (id: string) => Promise<unknown>) {
  const { id, token } = await hire(service, owner.key, { role: "admin" });
  const made = await makeKey(["admin:all"], byToken(token));
  const { key: descendant } = await makeKey(["admin:all"], { key: made.key });
  await end(id);
  return { token, key: made.key as string, descendant: descendant as string };
}

async function makeRefused(): Promise<void> {
  const maker = { key: owner.key };
  const expiry = Date.now() + SOON_MS;
  const expiring = await makeKey(["admin:all"], maker, { expires_at: new Date(expiry).toISOString() });
  const [revoked, rotated] = [await makeKey(["admin:all"], maker), await makeKey(["admin:all"], maker)];
  await done("DELETE", `/api-keys/${revoked.id}`, maker);
  await done("POST", `/api-keys/${rotated.id}/rotate`, { ...maker, body: {} });
  const reason = { reason: "test" };
  const suspended = await makeGone((id) =>
    done("POST", `/admin/users/${id}/suspend`, { ...maker, body: { ...reason, notify_user: false } }),
  );
  const deleted = await makeGone((id) => done("DELETE", `/admin/users/${id}`, { ...maker, body: reason }));
  const { id } = await hire(service, owner.key, { role: "admin" });
  const { runtime } = service;
  const early = { ...runtime, clock: () => runtime.clock() - 16 * 60_000 };
  const signedOut = await tokenFor(service, owner.org, id);
  await done("POST", "/auth/logout", { ...byToken(signedOut), body: {} });
  const { privateKey } = await generateKeyPair("EdDSA");
  const whole = await tokenFor(service, owner.org, id);
  await done("GET", "/auth/me", byToken(whole));
  const [header, right] = partsOf(whole);
  const credentials: Record<(typeof REFUSED)[number], RequestOptions> = {
    nothing: { key: null },
    "an unknown key": { key: "ak_live_unknown" },
    "an empty key": { key: "" },
    "an unknown bearer token": byToken("garbage"),
    "what looks like a token": byToken("eyJhbGciOiJub25lIn0.e30."),
    "another scheme": { key: null, headers: { authorization: "Basic YTpi" } },
    "an expired key": { key: expiring.key },
    "a revoked key": { key: revoked.key },
    "a rotated key": { key: rotated.key },
    "the key of a suspended user": { key: suspended.key },
    "a key made by the key of a suspended user": { key: suspended.descendant },
    "the key of a deleted user": { key: deleted.key },
    "an expired token": byToken((await runtime.tokens.issue(early, right)).access_token),
    "the token of a suspended user": byToken(suspended.token),
    "the token of a deleted user": byToken(deleted.token),
    "the token of a sign-in that ended": byToken(signedOut),
    "a token of before the password changed": byToken(
      (await runtime.tokens.issue(runtime, { ...right, epoch: right.epoch - 1 })).access_token,
    ),
    "a token that is not signed": byToken(new UnsecuredJWT({ ...right }).encode()),
    "a token that another key signed": byToken(
      await new SignJWT({ ...right }).setProtectedHeader(header).sign(privateKey),
    ),
    "a token in the place of a key": { key: whole },
  };
  for (const name of REFUSED) refused.set(name, credentials[name]);
  await delay(Math.max(0, expiry - Date.now()));
}

function partsOf(token: string): [header: { alg: string }, claims: AccessClaims] {
  const [header, claims] = token
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  return [header, claims];
}

async function openStage(): Promise<void> {
  service = await openService();
  owner = await createOrganization(service);
  for (const role of ROLES) users.set(role, await hire(service, owner.key, { role }));
  const wanted = [
    ...PERMISSIONS.map((permission) => [permission]),
    ...PERMISSIONS.map(allBut),
    ...ROLES.map((role) => ROLE_PERMISSIONS[role]),
  ];
  for (const permissions of wanted) {
    keys.set(nameOfKey(permissions), (await makeKey(permissions, { key: owner.key })).key);
  }
  const agent_id = await makeThing(service, owner.key, "agent", "Ada");
  agentKey = { key: (await makeKey(["admin:all"], { key: owner.key }, { agent_id })).key };
  await makeRefused();
}

const isDenied = ({ status, body }: Answered) => status === 403 && body.error.code === "PERMISSION_DENIED";

/** Whether a credential reaches the verb; fails on an answer that calls it invalid. */
async function passes(route: Route, options: RequestOptions): Promise<boolean> {
  const answer = await sendSample(service, route, options);
  expect(answer.body?.error?.code, JSON.stringify(answer.body)).not.toBe("UNAUTHORIZED");
  return !isDenied(answer);
}

/** Checks which requests these routes accept, and that none of all routes answers without a credential. */
export function describeCredentials(rows: RouteRow[]): void {
  beforeAll(openStage);
  afterAll(() => service.close());

  it("no route answers a request without a credential", async () => {
    for (const row of GUARDED_ROWS) {
      const { status } = await sendSample(service, routeOf(row), { key: null });
      expect([row.name, status]).toEqual([row.name, 401]);
    }
  });

  describe.each(titledRows(rows))("%s", (_title, { permission, roles, allowsAgentKeys }, route) => {
    it("refuses a request without a valid credential", async () => {
      for (const credential of REFUSED) {
        const { status, body, headers } = await sendSample(service, route, refused.get(credential));
        expect([credential, status, body.error?.code]).toEqual([credential, 401, "UNAUTHORIZED"]);
        expect(headers.get("www-authenticate")).toMatch(/^Bearer /);
      }
    });

    it("accepts a key as a bearer token", async () => {
      expect(await passes(route, byToken(owner.key))).toBe(true);
    });

    it.each(ROLES)("accepts or refuses users of the role %s as the table says", async (role) => {
      expect(await passes(route, await asUser(role))).toBe(roles.includes(role));
    });

    it.each(ROLES)("accepts or refuses keys with the permissions of the role %s as the table says", async (role) => {
      expect(await passes(route, keyWith(ROLE_PERMISSIONS[role]))).toBe(roles.includes(role));
    });

    it("accepts or refuses an agent's keys as the table says", async () => {
      expect(await passes(route, agentKey)).toBe(allowsAgentKeys);
    });

    it("accepts or refuses a key that has only one permission as the table says", async () => {
      for (const held of PERMISSIONS) {
        const isAccepted = permission === "any" || covers([held], permission as Permission);
        expect([held, await passes(route, keyWith([held]))]).toEqual([held, isAccepted]);
      }
    });
  });

  describe.each(titledRows(rows.filter(({ permission }) => permission !== "any")))("%s", (_title, row, route) => {
    const permission = row.permission as Permission;

    it("refuses a credential with all other permissions, and names the required one", async () => {
      const answer = await sendSample(service, route, keyWith(allBut(permission)));
      expect([answer.status, answer.body.error?.code]).toEqual([403, "PERMISSION_DENIED"]);
      expect(answer.body.error?.details).toEqual({ required: permission });
    });

    it("refuses a key and a user narrowed to another permission", async () => {
      for (const other of allBut(permission)) {
        const headers = { "x-permission": other };
        expect([other, await passes(route, { key: owner.key, headers })]).toEqual([other, false]);
      }
      const admin = await asUser("admin");
      const [other] = allBut(permission);
      const narrowed = { ...admin, headers: { ...admin.headers, "x-permission": other ?? "" } };
      expect(await passes(route, narrowed)).toBe(false);
    });

    it("accepts a credential narrowed to the permission, if it has the permission", async () => {
      const headers = { "x-permission": permission };
      expect(await passes(route, { key: owner.key, headers })).toBe(true);
      expect(await passes(route, { ...keyWith(allBut(permission)), headers })).toBe(false);
      for (const role of ROLES) {
        const user = await asUser(role);
        const narrowed = { ...user, headers: { ...user.headers, ...headers } };
        expect([role, await passes(route, narrowed)]).toEqual([role, row.roles.includes(role)]);
      }
    });
  });
}
