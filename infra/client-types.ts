/**
 * `npm run client:types` writes the types of the TypeScript client from openapi.json; with --check it fails when they are not
 * what the document says, or when the document lacks an operation that the client calls.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { compile, type JSONSchema } from "json-schema-to-typescript";
import { OPERATIONS } from "../clients/typescript/src/operations.ts";

const FILE = new URL("../clients/typescript/src/api.ts", import.meta.url);

interface Operation {
  requestBody?: { content: Record<string, { schema: JSONSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JSONSchema }> }>;
  parameters?: { name: string; in: string; schema: JSONSchema; description?: string; required?: boolean }[];
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JSONSchema> };
}

const document: Document = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8"));

const types: Record<string, JSONSchema> = {};
/** Names of the client's for schemas that the document names otherwise. */
const aliases: string[] = [];
for (const [name, { method, path }] of Object.entries(OPERATIONS)) {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined)
    throw new Error(`openapi.json has no ${method} ${path}, which the client's ${name} calls`);
  const title = name[0]?.toUpperCase() + name.slice(1);
  const body = operation.requestBody?.content["application/json"]?.schema;
  if (body !== undefined) add(`${title}Body`, body);
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  if (query.length > 0) types[`${title}Query`] = queryType(query);
  add(`${title}Answer`, answerOf(operation));
}

function add(name: string, schema: JSONSchema): void {
  const named = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref ?? "")?.[1];
  if (named === undefined) types[name] = schema;
  else {
    types[named] ??= document.components.schemas[named] ?? {};
    if (named !== name) aliases.push(`export type ${name} = ${named};`);
  }
}

/** Parameters as one object. */
function queryType(parameters: NonNullable<Operation["parameters"]>): JSONSchema {
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** What an operation answers, without the envelope. */
function answerOf({ responses }: Operation): JSONSchema {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  const schema = success?.content?.["application/json"]?.schema ?? {};
  return schema.properties?.data ?? schema;
}

/** Without second names of fields, which a typed client does not need, and with references of JSON Schema. */
function cleaned(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(cleaned);
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(
    ([, value]) => !(typeof value === "object" && value !== null && "x-alias-of" in value),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      key === "$ref" ? String(value).replace("#/components/schemas/", "#/definitions/") : cleaned(value),
    ]),
  );
}

const root = {
  definitions: { ...document.components.schemas, ...types },
  anyOf: Object.keys(types).map((name) => ({ $ref: `#/definitions/${name}` })),
};
const generated = await compile(cleaned(root) as JSONSchema, "Api", {
  additionalProperties: false,
  bannerComment: "/** Generated from openapi.json by `npm run client:types`. */",
  format: true,
  style: { printWidth: 120 },
});

const written = `${generated}\n${aliases.join("\n")}\n`;

if (!process.argv.includes("--check")) writeFileSync(FILE, written);
else if (readFileSync(FILE, "utf8") !== written) {
  console.error(
    "clients/typescript/src/api.ts is not what openapi.json says. Run `npm run client:types` and commit it.",
  );
  process.exitCode = 1;
}
