/**
 * `npm run client:types` writes the types of the TypeScript client and the models of the Python client from
 * openapi.json. With --check it fails if they differ from the document, or if the document lacks an operation that a
 * client calls.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { compile, type JSONSchema } from "json-schema-to-typescript";
import { CLI_OPERATIONS } from "../clients/typescript/src/cli/operations.ts";
import { OPERATIONS } from "../clients/typescript/src/operations.ts";
import { isAlias, readOperations, referenceOf, schemas } from "./client-operations.ts";
import { pythonTypes } from "./client-python.ts";

await emit("clients/typescript/src/api.ts", await typescriptTypes());
await emit("clients/python/src/memory_service/api.py", pythonTypes());

async function emit(path: string, written: string): Promise<void> {
  const file = new URL(`../${path}`, import.meta.url);
  if (!process.argv.includes("--check")) writeFileSync(file, written);
  else if (readFileSync(file, "utf8") !== written) {
    console.error(`${path} is not what openapi.json says. Run \`npm run client:types\` and commit it.`);
    process.exitCode = 1;
  }
}

async function typescriptTypes(): Promise<string> {
  const types: Record<string, JSONSchema> = {};
  /** The client's names for schemas with other names in the document. */
  const aliases: string[] = [];
  for (const { title, body, query, answer } of readOperations({ ...OPERATIONS, ...CLI_OPERATIONS })) {
    if (body !== undefined) add(`${title}Body`, body);
    if (query !== undefined) types[`${title}Query`] = query;
    add(`${title}Answer`, answer);
  }

  function add(name: string, schema: JSONSchema): void {
    const named = referenceOf(schema);
    if (named === undefined) types[name] = schema;
    else {
      types[named] ??= schemas[named] ?? {};
      if (named !== name) aliases.push(`export type ${name} = ${named};`);
    }
  }

  const root = {
    definitions: { ...schemas, ...types },
    anyOf: Object.keys(types).map((name) => ({ $ref: `#/definitions/${name}` })),
  };
  const generated = await compile(cleaned(root) as JSONSchema, "Api", {
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    bannerComment: "/** Generated from openapi.json by `npm run client:types`. */",
    format: true,
    style: { printWidth: 120 },
  });
  return `${generated}\n${aliases.join("\n")}\n`;
}

/** Removes aliases of fields and descriptions beside references, and points these to `#/definitions/`. */
function cleaned(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(cleaned);
  if (typeof node !== "object" || node === null) return node;
  if ("$ref" in node) return { $ref: String(node.$ref).replace("#/components/schemas/", "#/definitions/") };
  const kept = Object.entries(node).filter(([, value]) => !isAlias(value));
  return Object.fromEntries(kept.map(([key, value]) => [key, cleaned(value)]));
}
