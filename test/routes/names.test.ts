import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import type { Route } from "../../shared/runtime/http/group.ts";
import { aliasesOf } from "../../shared/runtime/schemas/aliases.ts";
import { isMeasured, partOf, shapeOf } from "../../shared/runtime/schemas/schema-parts.ts";
import { serviceErrorOf } from "../support/documented.ts";
import { type Answered, createOrganization, type LocalService, openService } from "../support/service.ts";
import { guarded, routes, titled, urlOf } from "./harness.ts";
import { makeThings, SAMPLES } from "./samples/index.ts";

/** Callbacks of providers. */
const CALLBACKS = ["finishSocialSignIn", "finishSocialSignInAtProvider"];
/** Their standards (RFC 6749, 7009, 7591) require unknown parameters and fields to be ignored. */
const PAGES = ["readConsentPage", "readGrantsPage", "readConsole", "readConsoleFile", "readConsoleView"];
const IGNORING = [...CALLBACKS, ...PAGES, ...["registerOAuthClient", "issueOAuthTokens", "revokeOAuthToken"]];

/** Bodies of another protocol, which defines its own errors. */
const OTHER_PROTOCOLS = ["callMcp"];

/** Routes with PUT whose path returns a list, or nothing, to GET. */
const WITHOUT_READER = ["updateMemories", "updateCompatBatch", "setPlan", "changeCompatWebhook"];

const INVENTED = "zzz_invented";

let service: LocalService;
let owner: { org: string; key: string };

beforeAll(async () => {
  service = await openService();
  owner = await createOrganization(service);
});

afterAll(() => service.close());

/** An object of a request: its place, and the names that it accepts. */
interface Place {
  path: string[];
  names: string[];
}

/** All objects of a body that have a schema, with the lists, unions and records that contain them. */
function placesIn(schema: z.ZodType, path: string[] = []): Place[] {
  const part = partOf(schema);
  if (part.kind === "preprocessed") return placesIn(part.schema, path);
  if (part.kind === "list") return placesIn(part.element, [...path, "0"]);
  if (part.kind === "record") return placesIn(part.values, [...path, "any"]);
  if (part.kind === "union") return part.options.flatMap((option) => placesIn(option, path));
  if (part.kind !== "object") return [];
  const inner = Object.entries(part.shape).flatMap(([name, field]) => placesIn(field, [...path, name]));
  return part.isOpen ? inner : [{ path, names: Object.keys(part.shape) }, ...inner];
}

/** A body with the field at the path and nothing else. */
function bodyWith(path: string[], field: Record<string, unknown>): unknown {
  const [name, ...inner] = path;
  if (name === undefined) return field;
  return name === "0" ? [bodyWith(inner, field)] : { [name]: bodyWith(inner, field) };
}

function ask(route: Route, url: string, body?: unknown): Promise<Answered> {
  return service.request(route.definition.method.toUpperCase(), url, { key: owner.key, body });
}

/** Fails unless the response refuses exactly this field by its name. */
function expectRefused({ status, body }: Answered, field: string, problem = "Unknown") {
  expect([status, serviceErrorOf(body).code], JSON.stringify(body)).toEqual([400, "VALIDATION_ERROR"]);
  expect(serviceErrorOf(body).details?.fields).toEqual([{ field, problem: expect.stringContaining(problem) }]);
  expect(body.error.message).toContain(`\`${field}\``);
}

const queryOf = ({ definition }: Route) => definition.query ?? z.object({});
const without = (url: string) => url.split("?")[0] ?? "";

describe.each(titled(routes.filter(({ definition }) => !IGNORING.includes(definition.name))))("%s", (_title, route) => {
  it("refuses a query parameter that it does not know", async () => {
    const url = urlOf(route);
    const answer = await ask(route, `${url}${url.includes("?") ? "&" : "?"}${INVENTED}=1`);
    expectRefused(answer, INVENTED, "Unknown query parameter");
  });

  it("suggests the parameter for a similar name", async () => {
    for (const name of Object.keys(queryOf(route).shape).filter((each) => each.length > 3)) {
      const answer = await ask(route, `${without(urlOf(route))}?${name}e=1`);
      expectRefused(answer, `${name}e`, `did you mean \`${name}\`?`);
    }
  });
});

const withBodies = routes.filter(
  ({ definition: { method, form, name } }) =>
    method !== "get" && !form && ![...OTHER_PROTOCOLS, ...IGNORING].includes(name),
);

describe.each(titled(withBodies))("%s", (_title, route) => {
  const { body: schema = z.object({}), name } = route.definition;
  const places = placesIn(schema);

  it("refuses a field that it does not know, beside valid ones and in each object", async () => {
    expectRefused(await ask(route, urlOf(route), { ...SAMPLES[name]?.body, [INVENTED]: 1 }), INVENTED);
    expect(places.length).toBeGreaterThan(0);
    for (const { path } of places) {
      const answer = await ask(route, urlOf(route), bodyWith(path, { [INVENTED]: 1 }));
      expectRefused(answer, [...path, INVENTED].join("."));
    }
  });

  it("suggests the field for a similar name", async () => {
    for (const { path, names } of places) {
      const [known] = names.filter((each) => each.length > 3);
      if (known === undefined) continue;
      const answer = await ask(route, urlOf(route), bodyWith(path, { [`${known}e`]: 1 }));
      expectRefused(answer, [...path, `${known}e`].join("."), `did you mean \`${known}\`?`);
    }
  });

  it("accepts another name of a field, and refuses two that differ", async () => {
    for (const { path } of places) {
      const shape = shapeAt(schema, path);
      for (const [alias, own] of shape ? aliasesOf(shape) : []) {
        const taken = await ask(route, urlOf(route), bodyWith(path, { [alias]: { not: "taken" } }));
        expect(JSON.stringify(taken.body)).not.toContain(`Unknown field \`${[...path, alias].join(".")}`);
        const two = { [alias]: "a", ...nested(own, "b") };
        const answer = await ask(route, urlOf(route), bodyWith(path, two));
        expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
        expect(answer.body.error.message).toContain(`\`${alias}\` and \`${own.join(".")}\` mean the same and differ`);
      }
    }
  });
});

/** `{filters: {user_id: value}}` of `["filters", "user_id"]`. */
function nested([name = "", ...inner]: string[], value: unknown): Record<string, unknown> {
  return { [name]: inner.length === 0 ? value : nested(inner, value) };
}

function shapeAt(schema: z.ZodType, path: string[]) {
  const place = path.reduce<z.ZodType | undefined>((within, name) => within && shapeOf(within)?.[name], schema);
  return place && shapeOf(place);
}

describe("other names of a query parameter", () => {
  it.each(titled(guarded.filter((route) => aliasesOf(queryOf(route).shape).size > 0)))(
    "are accepted by %s",
    async (_title, route) => {
      for (const [alias, [own = ""]] of aliasesOf(queryOf(route).shape)) {
        const url = without(urlOf(route));
        const [one, other] = [await ask(route, `${url}?${own}=1`), await ask(route, `${url}?${alias}=1`)];
        expect(other.status).toBe(one.status);
        const answer = await ask(route, `${url}?${own}=1&${alias}=2`);
        expectRefused(answer, alias, `\`${own}\` mean the same and differ`);
      }
    },
  );
});

describe("a callback of OAuth", () => {
  it.each(routes.filter(({ definition }) => CALLBACKS.includes(definition.name)).map((route) => urlOf(route)))(
    "accepts parameters that the provider adds: %s",
    async (url) => {
      const query = "code=c&state=s&scope=email&authuser=0&prompt=none";
      const { body } = await service.request("GET", `${without(url)}?${query}`, { key: null });
      expect(body.error.code).not.toBe("VALIDATION_ERROR");
    },
  );
});

describe("a repeated parameter", () => {
  it("is refused if the route expects a single value", async () => {
    const { status, body } = await service.request("GET", "/search?q=tea&user_id=ada&user_id=bob", { key: owner.key });
    expect([status, body.error.code, body.error.details.fields[0].field]).toEqual([400, "VALIDATION_ERROR", "user_id"]);
  });
});

describe("a body of a GET", () => {
  it("is refused", async () => {
    const headers = { "content-length": "17" };
    const { status, body } = await service.request("GET", "/search?q=tea", { key: owner.key, headers });
    expect([status, body.error.details.fields[0].field]).toEqual([400, "body"]);
  });
});

describe("items that are checked separately", () => {
  it.each([
    ["POST", "/memories/batch", { memories: [{ contents: "x" }, { content: "x" }] }, "failed.0.error.details.fields.0"],
    ["PUT", "/memories/batch-update", { updates: [{ id: "mem_1", contents: "x" }] }, "failed.0.error.details.fields.0"],
    [
      "PUT",
      "/v1/batch",
      { memories: [{ memory_id: "mem_1", texts: "x" }] },
      "error.details.failed.0.error.details.fields.0",
    ],
    ["DELETE", "/v1/batch", { memories: [{ memory_ids: "mem_1" }] }, "error.details.failed.0.error.details.fields.0"],
  ])("%s %s", async (method, path, body, place) => {
    const answer = await service.request(method, path, { key: owner.key, body });
    const found = place.split(".").reduce((within, name) => within?.[name], answer.body.data ?? answer.body);
    expect(found?.problem).toMatch(/^Unknown field `(contents|texts|memory_ids)`: did you mean/);
  });

  it.each([
    ["/search", "GET"],
    ["/search/advanced", "POST"],
    ["/search/hybrid", "POST"],
    ["/search/enhanced", "POST"],
  ])("filters of %s", async (path) => {
    const body = { query: "tea", filters: { user: "ada" } };
    const answer = await service.request("POST", path, { key: owner.key, body });
    expect([answer.status, answer.body.error.code]).toEqual([400, "INVALID_FILTERS"]);
    expect(answer.body.error.message).toContain("did you mean `user_id`?");
  });
});

const changing = guarded.filter(({ definition }) => definition.method === "put" || definition.method === "patch");

function readerOf({ definition }: Route): Route | undefined {
  return guarded.find(({ definition: other }) => other.method === "get" && other.path === definition.path);
}

describe("a resource as GET returns it", () => {
  it("is accepted by every route that changes it, except the listed routes", () => {
    const missing = changing.filter((route) => !readerOf(route)).map(({ definition }) => definition.name);
    expect(missing.toSorted()).toEqual(WITHOUT_READER.filter((name) => name !== "setPlan").toSorted());
  });

  const pairs = changing.filter((route) => readerOf(route) && !WITHOUT_READER.includes(route.definition.name));

  it.each(titled(pairs))("is accepted whole by %s, and refused if a read-only field differs", async (_title, route) => {
    const ids = await makeThings(service, service.adminKey, SAMPLES[route.definition.name]?.params ?? {}, "Zurich");
    const url = without(urlOf(route, ids));
    const key = service.adminKey;
    const read = async () => {
      const { status, body } = await service.request("GET", url, { key });
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data ?? body;
    };
    const method = route.definition.method.toUpperCase();
    const change = SAMPLES[route.definition.name]?.body;
    expect((await service.request(method, url, { key, body: change })).status).toBeLessThan(300);
    const whole = await read();
    const { status, body } = await service.request(method, url, { key, body: whole });
    expect(status, JSON.stringify(body)).toBeLessThan(300);

    const now = await read();
    const answer = readerOf(route)?.definition.answer as z.ZodType;
    const taken = shapeOf(route.definition.body as z.ZodType) ?? {};
    const readOnly = Object.entries(shapeOf(answer) ?? {}).filter(
      ([name, field]) => !(name in taken) && !aliasesOf(taken).has(name) && !isMeasured(field),
    );
    for (const [name] of readOnly) {
      const changed = { ...now, [name]: "something else" };
      const refused = await service.request(method, url, { key, body: changed });
      expectRefused(refused, name, "is read-only");
    }
  });
});

describe("requests that once returned other people's memories", () => {
  it.each([
    ["GET", "/search?q=tea&user=ada", undefined, "user_id"],
    ["POST", "/exports", { user: "eve" }, "user_id"],
    ["POST", "/webhooks", { name: "a", url: "https://example.com", events: ["memory.created"], filter: {} }, "filters"],
    ["POST", "/memories", { content: "x", expire_att: "2099-01-01" }, "expire_at"],
  ])("are refused: %s %s", async (method, path, body, meant) => {
    const answer = await service.request(method, path, { key: owner.key, body });
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toMatch(new RegExp(`did you mean \`(filters\\.)?${meant}\`\\?$`));
  });

  it("are executed as intended if a name is a synonym", async () => {
    const make = async (user_id: string) =>
      (await service.request("POST", "/memories", { key: owner.key, body: { content: "Prefers tea.", user_id } })).body
        .data;
    const [ada, bob] = [await make("ada"), await make("bob")];
    for (const path of ["/search", "/search/advanced", "/search/hybrid"]) {
      const body = { query: "tea", user_id: "ada" };
      const { results } = (await service.request("POST", path, { key: owner.key, body })).body.data;
      expect(results.map(({ id }: { id: string }) => id)).toEqual([ada.id]);
    }
    const exported = await service.request("POST", "/exports", { key: owner.key, body: { user_id: "bob" } });
    expect(exported.body.memories.map(({ id }: { id: string }) => id)).toEqual([bob.id]);

    const expiry = await service.request("POST", `/memories/${ada.id}/expire`, {
      key: owner.key,
      body: { expires_at: "2099-01-01" },
    });
    expect(expiry.body.data).toMatchObject({ expired: false, expire_at: "2099-01-01T00:00:00.000Z" });
    const key = await service.request("POST", "/api-keys", {
      key: owner.key,
      body: { name: "k", permissions: ["memory:read"], expire_at: "2099-01-01" },
    });
    expect(key.body.data.expires_at).toBe("2099-01-01T00:00:00.000Z");
  });
});
