import { type ApiDocument, type Operation, type Parameter, resolve, type Schema } from "./document.ts";

const MAX_DEPTH = 5;

/** A minimal curl command for the operation. */
export function curlOf(
  method: string,
  path: string,
  operation: Operation,
  components: ApiDocument["components"],
): string {
  const parameters = (operation.parameters ?? []).map((each) => resolve<Parameter>(each, components.parameters));
  const asked = parameters.filter((each) => each.in === "query" && each.required);
  const body = operation.requestBody?.content["application/json"]?.schema;
  const url = `"$URL${path.replace(/\{(\w+)\}/g, "<$1>")}"`;
  const parts = [
    method === "get" ? `curl ${url}` : `curl -X ${method.toUpperCase()} ${url}`,
    ...(operation.security.length > 0 ? ['-H "X-API-Key: $API_KEY"'] : []),
    ...(asked.length > 0 ? ["-G", ...asked.map(({ name }) => `--data-urlencode "${name}=…"`)] : []),
    ...(body
      ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(exampleOf(body, components.schemas))}'`]
      : []),
  ];
  return parts.join(" \\\n  ");
}

/** A minimal value that the schema allows: required properties, or one if none is required. */
export function exampleOf(schema: Schema, schemas: Record<string, Schema>, name = "", depth = 0): unknown {
  const known = resolve<Schema>(schema, schemas);
  if (known.default !== undefined && depth > 0) return known.default;
  if (known.enum) return known.enum[0];
  const alternative = known.anyOf?.[0] ?? known.oneOf?.[0] ?? known.allOf?.[0];
  if (alternative) return exampleOf(alternative, schemas, name, depth);
  switch ([known.type].flat()[0]) {
    case "object":
      return objectOf(known, schemas, depth);
    case "array":
      return known.items && depth < MAX_DEPTH ? [exampleOf(known.items, schemas, name, depth + 1)] : [];
    case "integer":
    case "number":
      return known.minimum ?? 1;
    case "boolean":
      return true;
    default:
      return textOf(known, name);
  }
}

function objectOf({ properties = {}, required = [] }: Schema, schemas: Record<string, Schema>, depth: number): object {
  if (depth >= MAX_DEPTH) return {};
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  const entries = names.flatMap((name) => {
    const property = properties[name];
    return property ? [[name, exampleOf(property, schemas, name, depth + 1)] as const] : [];
  });
  return Object.fromEntries(entries);
}

function textOf({ format }: Schema, name: string): string {
  if (format === "date-time") return "2030-01-31T12:00:00Z";
  if (format === "date") return "2030-01-31";
  return name === "" ? "…" : `<${name}>`;
}
