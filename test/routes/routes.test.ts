import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadGroups } from "../../infra/groups.ts";
import { parametersOf, type Route } from "../../shared/http/group.ts";
import { covers, PERMISSIONS, type Permission, ROLE_PERMISSIONS, ROLES } from "../../shared/identity/permissions.ts";
import contractRoutes from "../fixtures/contract-routes.json" with { type: "json" };
import { expectDocumented, operationOf, schemaOf } from "../support/documented.ts";
import { createOrganization, type LocalService, openService, type RequestOptions } from "../support/service.ts";
import { ADDITIONS, makeThings, SAMPLES } from "./samples/index.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const ABSENT = "nothing_has_this_id";
const SOON_MS = 40;

const routes = (await loadGroups()).flatMap((group) => group.routes);
const guarded = routes.filter(({ isPublic }) => !isPublic);
const titled = (those: Route[]) => those.map((route) => [titleOf(route.definition), route] as const);

function titleOf({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path}`;
}

let service: LocalService;
let owner: { key: string };
let foreigner: { key: string };
const bad: Record<"expired" | "revoked", string> = { expired: "", revoked: "" };
const keysByPermissions = new Map<string, string>();

async function makeKey(permissions: readonly Permission[], expires_at?: string): Promise<{ id: string; key: string }> {
  const { status, body } = await service.request("POST", "/api-keys", {
    key: owner.key,
    body: { name: "made for a test", permissions, expires_at },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

/** A key that holds exactly these permissions; made once for all routes. */
async function keyWith(permissions: readonly Permission[]): Promise<string> {
  const name = [...permissions].sort().join();
  const known = keysByPermissions.get(name) ?? (await makeKey(permissions)).key;
  keysByPermissions.set(name, known);
  return known;
}

/** The route's path with ids in it, the sample's query behind it. */
function urlOf({ definition }: Route, ids: Record<string, string> = {}): string {
  const path = definition.path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? ABSENT);
  const query = SAMPLES[definition.name]?.query;
  return query === undefined ? path : `${path}?${query}`;
}

/** Sends the route's sample request; whatever comes back must be in the document. */
async function send(route: Route, options: RequestOptions & { ids?: Record<string, string> } = {}) {
  const { name, method } = route.definition;
  const { ids, ...rest } = options;
  const answer = await service.request(method.toUpperCase(), urlOf(route, ids), { body: SAMPLES[name]?.body, ...rest });
  expectDocumented(name, answer);
  return answer;
}

beforeAll(async () => {
  service = await openService();
  owner = await createOrganization(service);
  foreigner = await createOrganization(service);
  const [expiring, revoked] = [
    await makeKey(["admin:all"], new Date(Date.now() + SOON_MS).toISOString()),
    await makeKey(["admin:all"]),
  ];
  expect((await service.request("DELETE", `/api-keys/${revoked.id}`, { key: owner.key })).status).toBe(200);
  Object.assign(bad, { expired: expiring.key, revoked: revoked.key });
  await delay(SOON_MS);
});

afterAll(() => service.close());

describe("the route table", () => {
  it("has a sample for every route, and no other", () => {
    const names = routes.map(({ definition }) => definition.name);
    expect(names.length).toBeGreaterThanOrEqual(33);
    expect(names.toSorted()).toEqual(Object.keys(SAMPLES).sort());
    for (const { definition } of routes) {
      const { params = {}, body } = SAMPLES[definition.name] ?? {};
      expect(Object.keys(params), titleOf(definition)).toEqual(parametersOf(definition.path));
      expect(body !== undefined, titleOf(definition)).toBe(definition.body !== undefined);
    }
  });

  it("holds what the contract names, and additions that are listed", () => {
    const named = new Set(contractRoutes.map(titleOf));
    expect(named.size).toBeGreaterThan(100);
    const unnamed = routes.map(({ definition }) => titleOf(definition)).filter((title) => !named.has(title));
    expect(unnamed.toSorted()).toEqual(ADDITIONS.toSorted());
  });
});

describe.each(titled(routes))("%s", (_title, route) => {
  const { path, method } = route.definition;

  it("accepts a trailing slash", async () => {
    const [plain, slashed] = [urlOf(route), urlOf(route).replace(/\?|$/, "/$&")];
    const ask = (url: string) => service.request(method.toUpperCase(), url, { key: null });
    const { status, body } = await ask(plain);
    if (route.isPublic) expect(["NOT_FOUND", "METHOD_NOT_ALLOWED"]).not.toContain(body.error?.code);
    else expect(status).toBe(401);
    expect((await ask(slashed)).status).toBe(status);
  });

  it("refuses other methods and names those it takes", async () => {
    const taken = routes.filter(({ definition }) => definition.path === path);
    const allow = taken.map(({ definition }) => definition.method.toUpperCase());
    for (const other of METHODS.filter((each) => !allow.includes(each))) {
      const { status, headers, body } = await service.request(other, urlOf(route), { key: null });
      expect([other, status, body.error.code]).toEqual([other, 405, "METHOD_NOT_ALLOWED"]);
      expect(headers.get("x-request-id")).toBe(body.meta.request_id);
      expect(headers.get("allow")?.split(", ").sort()).toEqual(allow.toSorted());
    }
  });

  it("names the request", async () => {
    const { headers } = await send(route, { key: null });
    expect(headers.get("x-request-id")).toMatch(/^req_[0-9A-Z]{26}$/);
  });
});

describe.each(titled(guarded))("%s asks for a credential", (_title, route) => {
  it.each([
    ["none", { key: null }],
    ["an unknown key", { key: "ak_live_unknown" }],
    ["an empty key", { key: "" }],
    ["an unknown bearer token", { key: null, headers: { authorization: "Bearer garbage" } }],
    ["another scheme", { key: null, headers: { authorization: "Basic YTpi" } }],
  ])("that is not %s", async (_what, options) => {
    const { status, body } = await send(route, options);
    expect([status, body.error.code]).toEqual([401, "UNAUTHORIZED"]);
  });

  it.each(["expired", "revoked"] as const)("that is not %s", async (state) => {
    const { status, body } = await send(route, { key: bad[state] });
    expect([status, body.error.code]).toEqual([401, "UNAUTHORIZED"]);
  });

  it("and takes it as a bearer token too", async () => {
    const { status } = await send(route, { key: null, headers: { authorization: `Bearer ${owner.key}` } });
    expect(status).not.toBe(401);
  });
});

const permitted = guarded.flatMap((route) =>
  "permission" in route.definition && route.definition.permission !== "any"
    ? [
        [
          `${titleOf(route.definition)} needs ${route.definition.permission}`,
          route,
          route.definition.permission,
        ] as const,
      ]
    : [],
);

describe.each(permitted)("%s", (_title, route, permission) => {
  const others = PERMISSIONS.filter((each) => each !== permission && each !== "admin:all");

  it("and refuses a credential that holds all others", async () => {
    const { status, body } = await send(route, { key: await keyWith(others) });
    expect([status, body.error.code]).toEqual([403, "PERMISSION_DENIED"]);
    expect(body.error.details).toEqual({ required: permission });
  });

  it("and refuses a request that is narrowed to another", async () => {
    for (const other of others) {
      const { status, body } = await send(route, { key: owner.key, headers: { "x-permission": other } });
      expect([other, status, body.error.code]).toEqual([other, 403, "PERMISSION_DENIED"]);
    }
  });

  it("which X-Permission cannot grant", async () => {
    const headers = { "x-permission": permission };
    const { status, body } = await send(route, { key: await keyWith(others), headers });
    expect([status, body.error.code]).toEqual([403, "PERMISSION_DENIED"]);
  });

  it("and takes a credential that holds it alone, and one narrowed to it", async () => {
    const alone = await send(route, { key: await keyWith([permission]) });
    const narrowed = await send(route, { key: owner.key, headers: { "x-permission": permission } });
    for (const { body } of [alone, narrowed]) expect(body.error?.code).not.toBe("PERMISSION_DENIED");
  });

  it.each(ROLES)("as the role %s has it or has it not", async (role) => {
    const { status, body } = await send(route, { key: await keyWith(ROLE_PERMISSIONS[role]) });
    const isDenied = status === 403 && body.error.code === "PERMISSION_DENIED";
    expect(isDenied).toBe(!covers(ROLE_PERMISSIONS[role], permission));
  });
});

/** A value of another type than the one that a field wants. */
function wrongFor(type: string | undefined): unknown {
  return type === "string" ? { not: "text" } : "not what is wanted";
}

describe.each(titled(guarded.filter(({ definition }) => definition.body)))("%s checks its body:", (_title, route) => {
  const json = { "content-type": "application/json" };

  it("malformed JSON", async () => {
    const { status, body } = await send(route, { key: owner.key, body: '{"content":', headers: json });
    expect([status, body.error.code]).toEqual([400, "MALFORMED_JSON"]);
  });

  it("another content type", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonish", ""]) {
      const { status } = await send(route, { key: owner.key, body: "{}", headers: { "content-type": type } });
      expect([type, status]).toEqual([type, 415]);
    }
  });

  it.each(["[]", "null", "1", '"text"'])("%s, which is no object", async (body) => {
    expect((await send(route, { key: owner.key, body, headers: json })).status).toBe(400);
  });

  it("more than 1 MB", async () => {
    const body = JSON.stringify({ padding: "x".repeat(1024 * 1024) });
    const { status, body: answer } = await send(route, { key: owner.key, body });
    expect([status, answer.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  const { definition } = route;
  const schema = schemaOf(operationOf(definition.name).requestBody?.content["application/json"]?.schema ?? {});
  const required = schema.required ?? [];

  for (const field of required) {
    it(`${field}, which is required, absent or of another type`, async () => {
      const { type } = schemaOf(schema.properties?.[field] ?? {});
      const { [field]: _, ...without } = SAMPLES[definition.name]?.body ?? {};
      for (const body of [without, { ...without, [field]: wrongFor(type) }, { ...without, [field]: null }]) {
        const { status, body: answer } = await send(route, { key: owner.key, body });
        expect([body, status]).toEqual([body, 400]);
        expect(JSON.stringify(answer.error)).toContain(field);
      }
    });
  }
});

const withParameters = guarded.filter(({ definition }) => parametersOf(definition.path).length > 0);

describe.each(titled(withParameters))("%s", (_title, route) => {
  const { params = {} } = SAMPLES[route.definition.name] ?? {};
  const make = (key: string, name: string) => makeThings(service, key, params, name);

  it("finds the organization's own", async () => {
    const { status, body } = await send(route, { key: owner.key, ids: await make(owner.key, "Zurich") });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
  });

  it.each(Object.keys(params))("answers a foreign {%s} like one that does not exist", async (param) => {
    const [mine, theirs] = [await make(foreigner.key, "Bern"), await make(owner.key, "Basel")];
    const foreignId = theirs[param] as string;
    const foreign = await send(route, { key: foreigner.key, ids: { ...mine, [param]: foreignId } });
    const absent = await send(route, { key: foreigner.key, ids: { ...mine, [param]: ABSENT } });
    expect([foreign.status, absent.status]).toEqual([404, 404]);
    const withoutId = (error: object, id: string) => JSON.stringify(error).replaceAll(id, "ID");
    expect(withoutId(foreign.body.error, foreignId)).toBe(withoutId(absent.body.error, ABSENT));
    expect(JSON.stringify(foreign.body.error.details)).toContain(foreignId);
  });
});
