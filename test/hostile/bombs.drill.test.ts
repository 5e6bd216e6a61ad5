import { afterAll, beforeAll, describe, expect, it } from "vitest";
import openapi from "../../openapi.json" with { type: "json" };
import { routes, titleOf, urlOf } from "../routes/harness.ts";
import { makeThings, SAMPLES } from "../routes/samples/index.ts";
import { processorTimeOf } from "../support/processor-time.ts";
import { type LocalService, openService } from "../support/service.ts";
import { IS_FULL, LIMIT } from "./linear.ts";
import { SHAPES, TELLING_SHAPES } from "./shapes.ts";

/** A field of this length contains a text to process; shorter ones cost little whatever they contain. */
const MIN_LONG = 4_000;
/** For a request with one text of that length; comparing algorithms process it thirty times. */
const MAX_MS = LIMIT / 10;
const shapes = IS_FULL ? TELLING_SHAPES : ["letters and commas", "lines of keys and items"];
/** For all shapes of one field, on a machine that may be busy. */
const FIELD_MS = 600_000;

interface Schema {
  $ref?: string;
  type?: string | string[];
  maxLength?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const schemas = openapi.components.schemas as object as Record<string, Schema>;
const operations = Object.values(openapi.paths).flatMap((item) => Object.values(item as Record<string, unknown>));

type Path = (string | 0)[];
type Field = { path: Path; length: number };

/** Finds the long texts of a schema. */
function longTextsIn(given: Schema, path: Path = []): Field[] {
  const schema = given.$ref === undefined ? given : (schemas[given.$ref.split("/").at(-1) ?? ""] ?? {});
  const own = schema.type === "string" && (schema.maxLength ?? 0) >= MIN_LONG;
  return [
    ...(own ? [{ path, length: Math.min(LIMIT, schema.maxLength ?? 0) }] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => longTextsIn(each, [...path, name])),
    ...(schema.items ? longTextsIn(schema.items, [...path, 0]) : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((each) => longTextsIn(each, path)),
  ];
}

function fieldsOf(name: string): Field[] {
  const operation = operations.find((each) => (each as { operationId?: string }).operationId === name);
  const body = operation as { requestBody?: { content: Record<string, { schema: Schema }> } } | undefined;
  const schema = body?.requestBody?.content["application/json"]?.schema;
  const found = schema ? longTextsIn(schema) : [];
  return [...new Map(found.map((field) => [field.path.join("."), field])).values()];
}

/** Returns the sample body with the text in the field. */
function withText(within: unknown, [name, ...rest]: Path, text: string): unknown {
  if (name === undefined) return text;
  if (name === 0) return [withText(Array.isArray(within) ? within[0] : undefined, rest, text)];
  const object = typeof within === "object" && within !== null ? (within as Record<string, unknown>) : {};
  return { ...object, [name]: withText(object[name], rest, text) };
}

const cases = routes.flatMap(({ definition }) =>
  fieldsOf(definition.name).map(
    (field) => [titleOf(definition), field.path.join("."), definition.name, field] as const,
  ),
);

let service: LocalService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.close());

describe("a request with a hostile text", () => {
  it("is sent to every route that accepts long texts", () => {
    expect(cases.length).toBeGreaterThan(20);
  });

  const sendAll = async (_title: string, _field: string, name: string, { path, length }: Field) => {
    const route = routes.find(({ definition }) => definition.name === name);
    const sample = SAMPLES[name];
    if (route === undefined || sample === undefined) throw new Error(`${name} has no sample`);
    const ids = await makeThings(service, service.adminKey, sample.params ?? {}, crypto.randomUUID());
    const faults: string[] = [];
    for (const shape of shapes) {
      const text = SHAPES[shape]?.(length) ?? "";
      const body = withText(sample.body, path, text);
      const method = route.definition.method.toUpperCase();
      let status = 0;
      const ms = await processorTimeOf(async () => {
        ({ status } = await service.request(method, urlOf(route, ids), { body }));
      });
      if (IS_FULL) process.stdout.write(`MEASURED\t${Math.round(ms)}\t${length}\t${method} ${name}\t${shape}\n`);
      if (ms > MAX_MS || status >= 500) faults.push(`${shape}: status ${status}, ${Math.round(ms)} ms`);
    }
    expect(faults).toEqual([]);
  };
  it.each(cases)("takes time in proportion to its length: %s, %s", sendAll, FIELD_MS);
});

describe("requests that once blocked the service", () => {
  const once = (shape: string) => SHAPES[shape]?.(99_000) ?? "";

  it("include nine memories of letters and commas in one batch", async () => {
    const memories = Array.from({ length: 9 }, () => ({ content: once("letters and commas") }));
    const ms = await processorTimeOf(() => service.request("POST", "/memories/batch", { body: { memories } }));
    expect(ms).toBeLessThan(9 * 1_000);
  });

  it("include the PDF of a message of blanks", async () => {
    const session = await service.request("POST", "/sessions", { body: { agent_id: "guide", user_id: "ada" } });
    const url = `/sessions/${session.body.data.id}`;
    for (const content of [once("blanks inside"), once("newlines inside"), once("blanks of all kinds").concat("b")]) {
      expect((await service.request("POST", `${url}/messages`, { body: { role: "user", content } })).status).toBe(201);
    }
    let status = 0;
    const ms = await processorTimeOf(async () => {
      ({ status } = await service.request("GET", `${url}/export?format=pdf`));
    });
    expect(status).toBe(200);
    expect(ms).toBeLessThan(3 * 1_500);
  });

  it("include JSON with the maximum nesting of a body", async () => {
    const ms = await processorTimeOf(async () => {
      const { status } = await service.request("POST", "/memories", {
        body: "[".repeat(1_000_000),
        headers: { "content-type": "application/json" },
      });
      expect(status).toBe(400);
    });
    expect(ms).toBeLessThan(2_000);
  });
});
