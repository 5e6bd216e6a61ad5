import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import openapi from "../../../openapi.json" with { type: "json" };
import { newGroup } from "../../runtime/http/group.ts";
import { buildDocument, type DocumentedGroup } from "./document.ts";

const group = { name: "things", prefixes: ["/things"], capabilities: [], memoryMb: 128, timeoutSeconds: 10 };

/** A group of one route. Each call creates its own schemas, because a schema can have only one name. */
function makeThings(): DocumentedGroup {
  const Thing = z.object({ id: z.string().meta({ examples: ["thing_1"] }), version: z.int() });
  const ChangeThing = z.object({
    name: z
      .string()
      .max(10)
      .meta({ examples: ["Box"] }),
  });
  const routes = newGroup(group);
  routes.post("/things/{id}/names", "renameThing", {
    summary: "Rename a thing",
    permission: "memory:write",
    limit: "update_memory",
    body: ChangeThing,
    answer: Thing,
    status: 201,
    versioned: true,
    conditional: true,
    deprecated: { since: "2026-01-01", sunset: "2027-01-01", see: "/docs/things" },
    deprecatedFields: { name: { since: "2026-02-01", see: "/docs/names" } },
    errors: ["THING_NOT_FOUND"],
    handler: async (_ctx, { params }) => ({ id: params.id, version: 1 }),
  });
  return { routes, schemas: { Thing, ChangeThing, Unused: z.object({ a: z.string() }), aFunction: () => 1 } };
}

describe("openapi.json", () => {
  it("is a valid OpenAPI 3.1 document with every reference resolved", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(openapi));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it("gives every operation a unique id", () => {
    const operations = Object.values(openapi.paths).flatMap((item) => Object.values(item) as { operationId: string }[]);
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("buildDocument", () => {
  const document = JSON.parse(JSON.stringify(buildDocument([makeThings()], "1.2.3")));
  const operation = document.paths["/things/{id}/names"].post;

  it("says what is deprecated", () => {
    expect(operation.deprecated).toBe(true);
    expect(operation.description).toContain(
      "This operation is deprecated since 2026-01-01 and ends on 2027-01-01: see /docs/things. " +
        "`name` is deprecated since 2026-02-01: see /docs/names.",
    );
  });

  it("describes the requirements of a route", () => {
    expect(operation).toMatchObject({
      operationId: "renameThing",
      tags: ["things"],
      security: [{ ApiKey: [] }, { Bearer: [] }],
      "x-permission": "memory:write",
      "x-rate-limit": "update_memory",
      requestBody: {
        required: true,
        content: { "application/json": { schema: { $ref: "#/components/schemas/ChangeThing" } } },
      },
    });
    expect(operation.description).toContain("`memory:write`");
    expect(operation.description).toContain("5 (free), 50 (pro), 250 (team), unlimited (enterprise)");
  });

  it("allows null for a nullable named schema", () => {
    const Part = z.object({ name: z.string() });
    const routes = newGroup(group);
    const answer = z.object({ part: Part.nullable() });
    routes.get("/parts", "getPart", {
      summary: "Get the part",
      permission: "memory:read",
      answer,
      handler: async () => ({ part: null }),
    });
    const { components } = buildDocument([{ routes, schemas: { Part, PartAnswer: answer } }], "1.2.3");
    const anyOf = [{ $ref: "#/components/schemas/Part" }, { type: "null" }];
    expect(components?.schemas?.PartAnswer).toMatchObject({ properties: { part: { anyOf } } });
  });

  it("lists path parameters and the headers that the route honours", () => {
    const refs = operation.parameters.map((each: { $ref?: string; name?: string }) => each.$ref ?? each.name);
    expect(refs.sort()).toEqual([
      "#/components/parameters/IdempotencyKey",
      "#/components/parameters/IfMatch",
      "#/components/parameters/XPermission",
      "id",
    ]);
    const { XPermission, IdempotencyKey } = document.components.parameters;
    expect(XPermission.schema).toEqual({ $ref: "#/components/schemas/Permission" });
    expect(document.components.schemas.Permission.enum).toContain("memory:write");
    expect(IdempotencyKey.schema).toEqual({ type: "string", minLength: 1, maxLength: 255 });
  });

  it("wraps the answer in the envelope and names its headers", () => {
    const { headers, content } = operation.responses[201];
    const names = "Deprecation ETag Idempotent-Replayed RateLimit RateLimit-Policy Sunset X-Request-Id";
    expect(Object.keys(headers).sort().join(" ")).toBe(names);
    expect(content["application/json"].schema.properties.data).toMatchObject({ $ref: "#/components/schemas/Thing" });
  });

  it("lists every status the route can answer with", () => {
    const statuses = "201 400 401 403 404 409 412 413 415 422 429 500 503";
    expect(Object.keys(operation.responses).join(" ")).toBe(statuses);
    expect(operation.responses[404]).toEqual({ $ref: "#/components/responses/THING_NOT_FOUND" });
    const { content, ...response } = document.components.responses.THING_NOT_FOUND;
    expect(content["application/json"].schema).toEqual({ $ref: "#/components/schemas/ErrorAnswer" });
    expect(response["x-codes"]).toEqual(["THING_NOT_FOUND"]);
  });

  it("documents 413 for routes that need a credential and return JSON", () => {
    const routes = newGroup(group);
    const reads = { summary: "Reads", answer: z.object({}), handler: async () => ({}) };
    routes.get("/things", "readThings", { ...reads, permission: "any" });
    const handler = async () => new Response();
    routes.get("/things/file", "readFile", { ...reads, permission: "any", answer: "raw", handler });
    routes.public.get("/things/health", "readHealth", reads);
    const { paths } = JSON.parse(JSON.stringify(buildDocument([{ routes, schemas: {} }], "1")));
    const refused = Object.keys(paths).filter((path) => "413" in paths[path].get.responses);
    expect(refused).toEqual(["/things"]);
  });

  it("leaves out schemas that no operation uses", () => {
    const names = "ChangeThing ErrorAnswer Meta Permission Thing";
    expect(Object.keys(document.components.schemas).join(" ")).toBe(names);
  });

  it("refuses a name that two groups give to different schemas", () => {
    const one = makeThings();
    const other = makeThings();
    expect(() => buildDocument([one, other], "1")).toThrow("two groups export a schema 'Thing'");
  });

  it("refuses to document nothing", () => {
    expect(() => buildDocument([], "1")).toThrow("there is no route to document");
  });
});
