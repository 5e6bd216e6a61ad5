import { aliasesAmong } from "../../runtime/schemas/aliases.ts";
import type { OpenApiDocument } from "./document.ts";

/** The parts of a JSON Schema that this file reads and writes. */
interface JsonSchema {
  $ref?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: unknown;
  description?: string;
  [keyword: string]: unknown;
}

interface Parameter {
  name: string;
  in: string;
  schema: JsonSchema;
}

interface Operation {
  parameters?: Partial<Parameter>[];
  requestBody?: unknown;
}

const SCHEMAS = "#/components/schemas/";

/** Documents how the service treats names: request objects allow no other names, and aliases are accepted. */
export function describeNames(document: OpenApiDocument): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  const closer = new RequestSchemas(schemas);
  const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item) as Operation[]);
  for (const { requestBody, parameters } of operations) {
    closer.visit(requestBody);
    if (parameters) parameters.push(...aliasParameters(parameters));
  }
}

/** Schemas that requests refer to. */
class RequestSchemas {
  readonly #schemas: Record<string, JsonSchema>;
  readonly #seen = new Set<unknown>();

  constructor(schemas: Record<string, JsonSchema>) {
    this.#schemas = schemas;
  }

  visit(part: unknown): void {
    if (typeof part !== "object" || part === null || this.#seen.has(part)) return;
    this.#seen.add(part);
    const schema = part as JsonSchema;
    if (schema.$ref?.startsWith(SCHEMAS)) this.visit(this.#schemas[schema.$ref.slice(SCHEMAS.length)]);
    for (const inner of Object.values(schema)) this.visit(inner);
    if (isObjectSchema(schema)) this.#close(schema);
  }

  #close(schema: JsonSchema & { properties: Record<string, JsonSchema> }): void {
    schema.additionalProperties ??= false;
    const filters = this.#resolved(schema.properties.filters)?.properties ?? {};
    for (const [alias, path] of aliasesAmong(Object.keys(schema.properties), Object.keys(filters))) {
      const named = path.length === 1 ? schema.properties[path[0] ?? ""] : filters[path[1] ?? ""];
      schema.properties[alias] = aliasOf(named ?? {}, path);
    }
  }

  #resolved(schema: JsonSchema | undefined): JsonSchema | undefined {
    if (!schema?.$ref) return schema;
    return this.#schemas[schema.$ref.slice(SCHEMAS.length)];
  }
}

function isObjectSchema(schema: JsonSchema): schema is JsonSchema & { properties: Record<string, JsonSchema> } {
  return schema.type === "object" && typeof schema.properties === "object";
}

function aliasOf({ default: _default, ...schema }: JsonSchema, path: string[]): JsonSchema {
  return { ...schema, "x-alias-of": path.join("."), description: `Alias of \`${path.join(".")}\`.` };
}

function aliasParameters(parameters: Partial<Parameter>[]): Parameter[] {
  const named = parameters.filter((each): each is Parameter => each.in === "query");
  const byName = new Map(named.map((each) => [each.name, each]));
  return [...aliasesAmong([...byName.keys()], [])].map(([name, path]) => {
    const { schema = {} } = byName.get(path[0] ?? "") ?? {};
    return { name, in: "query", schema: aliasOf(schema, path), required: false } as Parameter;
  });
}
