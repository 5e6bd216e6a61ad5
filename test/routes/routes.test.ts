import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parametersOf, type Route, shapeOf } from "../../shared/runtime/http/group.ts";
import contractRoutes from "../fixtures/contract-routes.json" with { type: "json" };
import { operationOf, schemaOf, serviceErrorOf } from "../support/documented.ts";
import { createOrganization, type LocalService, openService, type RequestOptions } from "../support/service.ts";
import { bearer, signInUser } from "../support/users.ts";
import { absentLike, guarded, routes, sendSample, titled, titleOf, urlOf } from "./harness.ts";
import { ADDITIONS, makeThing, makeThings, SAMPLES, THINGS } from "./samples/index.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

let service: LocalService;
let owner: { org: string; key: string };
let foreigner: { key: string; token: string };

const send = (route: Route, options: RequestOptions & { ids?: Record<string, string> } = {}) =>
  sendSample(service, route, options);

beforeAll(async () => {
  service = await openService();
  owner = await createOrganization(service);
  const { org, key } = await createOrganization(service);
  foreigner = { key, token: (await signInUser(service, { org, role: "admin" })).token };
});

afterAll(() => service.close());

describe("the route table", () => {
  it("has a sample for every route, and no other sample", () => {
    const names = routes.map(({ definition }) => definition.name);
    expect(names.toSorted()).toEqual(Object.keys(SAMPLES).sort());
    for (const { definition } of routes) {
      const { params = {}, kinds = {}, body } = SAMPLES[definition.name] ?? {};
      const named = Object.keys({ ...params, ...kinds });
      expect(named.toSorted(), titleOf(definition)).toEqual(parametersOf(definition.path).toSorted());
      expect(body !== undefined, titleOf(definition)).toBe(definition.body !== undefined);
    }
  });

  it("contains the routes of the contract, and the listed additions", () => {
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

  it("refuses other methods and names the allowed ones", async () => {
    const taken = routes.filter(({ definition }) => shapeOf(definition.path) === shapeOf(path));
    const allow = taken.map(({ definition }) => definition.method.toUpperCase());
    for (const other of METHODS.filter((each) => !allow.includes(each))) {
      const { status, headers, body } = await service.request(other, urlOf(route), { key: null });
      expect([other, status, body.error?.code]).toEqual([other, 405, "METHOD_NOT_ALLOWED"]);
      expect(headers.get("x-request-id")).toBe(body.meta.request_id);
      expect(headers.get("allow")?.split(", ").sort()).toEqual(allow.toSorted());
    }
  });

  it("names the request", async () => {
    const { headers } = await send(route, { key: null });
    expect(headers.get("x-request-id")).toMatch(/^req_[0-9A-Z]{26}$/);
  });
});

/** A value of another type than the field's. */
function wrongFor(type: string | undefined): unknown {
  return type === "string" ? { not: "text" } : "not what is wanted";
}

describe.each(titled(guarded.filter(({ definition }) => definition.body)))("%s checks its body:", (_title, route) => {
  const json = { "content-type": "application/json" };

  it("malformed JSON", async () => {
    const { status, body } = await send(route, { key: owner.key, body: '{"content":', headers: json });
    expect([status, serviceErrorOf(body).code]).toEqual([400, "MALFORMED_JSON"]);
  });

  it("another content type", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonish", ""]) {
      const { status } = await send(route, { key: owner.key, body: "{}", headers: { "content-type": type } });
      expect([type, status]).toEqual([type, 415]);
    }
  });

  it.each(["[]", "null", "1", '"text"'])("%s, which is not an object", async (body) => {
    expect((await send(route, { key: owner.key, body, headers: json })).status).toBe(400);
  });

  it("more than 1 MB, or than the route's limit", async () => {
    const { maxBodyBytes = 1024 * 1024 } = route.definition;
    const body = JSON.stringify({ padding: "x".repeat(maxBodyBytes) });
    const { status, body: answer } = await send(route, { key: owner.key, body });
    expect([status, serviceErrorOf(answer).code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  const { definition } = route;
  const schema = schemaOf(operationOf(definition.name).requestBody?.content["application/json"]?.schema ?? {});
  const required = schema.required ?? [];

  for (const field of required) {
    it(`${field}, which is required, missing or of another type`, async () => {
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

/** Routes for what only a signed-in user has, and no API key: tested in test/e2e/oauth.test.ts. */
const OF_USERS = ["endGrant"];

const withParameters = guarded.filter(
  ({ definition: { path, name } }) => parametersOf(path).length > 0 && !OF_USERS.includes(name),
);

describe.each(titled(withParameters))("%s", (_title, route) => {
  const { params = {}, names, body: sample } = SAMPLES[route.definition.name] ?? {};
  const make = (key: string, name: string) => makeThings(service, key, params, name);

  it("finds resources of the same organization", async () => {
    const named = names && { body: { ...sample, ...(await makeThings(service, owner.key, names, "Basel")) } };
    const ids = await make(owner.key, "Zurich");
    const { status, body } = await send(route, { key: owner.key, ids, ...named });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
  });

  it.each(Object.keys(params))("answers a foreign {%s} like one that does not exist", async (param) => {
    const [mine, theirs] = [await make(foreigner.key, "Bern"), await make(owner.key, "Basel")];
    const foreignId = theirs[param] as string;
    const absentId = absentLike(foreignId);
    for (const asker of [{ key: foreigner.key }, { key: null, headers: bearer(foreigner.token) }]) {
      const foreign = await send(route, { ...asker, ids: { ...mine, [param]: foreignId } });
      const absent = await send(route, { ...asker, ids: { ...mine, [param]: absentId } });
      expect([foreign.status, absent.status]).toEqual([404, 404]);
      const withoutId = (error: object, id: string) => JSON.stringify(error).replaceAll(id, "ID");
      expect(withoutId(foreign.body.error, foreignId)).toBe(withoutId(absent.body.error, absentId));
      expect(JSON.stringify(foreign.body.error?.details)).toContain(foreignId);
    }
  });
});

const withoutParameters = guarded.filter(({ definition }) => parametersOf(definition.path).length === 0);

describe("what one organization stores", () => {
  const owned: string[] = [];

  beforeAll(async () => {
    owned.push(owner.org);
    for (const thing of Object.keys(THINGS)) owned.push(await makeThing(service, owner.key, thing, "Basel"));
  });

  it("exists", () => {
    expect(owned.length).toBeGreaterThan(4);
  });

  it.each(titled(withoutParameters))("is absent from %s of another one", async (_title, route) => {
    const { method, path } = route.definition;
    for (const asker of [{ key: foreigner.key }, { key: null, headers: bearer(foreigner.token) }]) {
      const answers = [await send(route, asker)];
      // Without their query, a list is as long as its default limit: samples request few items.
      if (method === "get") answers.push(await service.request("GET", path, asker));
      const told = JSON.stringify(answers.map(({ status, headers, body }) => [status, [...headers], body]));
      expect(owned.filter((id) => told.includes(id))).toEqual([]);
    }
  });
});
