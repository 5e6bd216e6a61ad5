import { aliasesAmong } from "../../runtime/schemas/aliases.ts";
import { type JsonSchema, nameOfReference, operationsOf, type Parameter, type PlainDocument } from "./schema.ts";

/** Documents how the service treats names: request objects allow no other names, and aliases are accepted. */
export function describeNames(document: PlainDocument): void {
  const closer = new RequestSchemas(document.components.schemas);
  for (const { requestBody, parameters } of operationsOf(document)) {
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
    this.visit(this.#schemas[nameOfReference(schema) ?? ""]);
    for (const inner of Object.values(schema)) this.visit(inner);
    if (isObjectSchema(schema)) this.#close(schema);
  }

  #close(schema: JsonSchema & { properties: Record<string, JsonSchema> }): void {
    schema.additionalProperties ??= false;
    const { filters: given = {} } = schema.properties;
    const filters = (this.#schemas[nameOfReference(given) ?? ""] ?? given).properties ?? {};
    for (const [alias, path] of aliasesAmong(Object.keys(schema.properties), Object.keys(filters))) {
      const named = path.length === 1 ? schema.properties[path[0] ?? ""] : filters[path[1] ?? ""];
      schema.properties[alias] = aliasOf(named ?? {}, path);
    }
  }
}

function isObjectSchema(schema: JsonSchema): schema is JsonSchema & { properties: Record<string, JsonSchema> } {
  return schema.type === "object" && typeof schema.properties === "object";
}

function aliasOf({ default: _default, ...schema }: JsonSchema, path: string[]): JsonSchema {
  return { ...schema, "x-alias-of": path.join("."), description: `Alias of \`${path.join(".")}\`.` };
}

function aliasParameters(parameters: Parameter[]): Parameter[] {
  const named = parameters.filter((each) => each.in === "query");
  const byName = new Map(named.map((each) => [each.name, each]));
  return [...aliasesAmong([...byName.keys()], [])].map(([name, path]) => {
    const { schema = {} } = byName.get(path[0] ?? "") ?? {};
    return { name, in: "query", schema: aliasOf(schema, path), required: false };
  });
}
