/** The operations of openapi.json that the clients call. */
import { readFileSync } from "node:fs";
import type { JSONSchema } from "json-schema-to-typescript";

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema: JSONSchema;
  description?: string;
  required?: boolean;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: JSONSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JSONSchema }> }>;
  parameters?: Parameter[];
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JSONSchema>; parameters: Record<string, Parameter> };
}

export interface ClientOperation {
  /** The client's name for it, such as `createSession`; its types' names begin with the same word. */
  name: string;
  title: string;
  method: string;
  path: string;
  body: JSONSchema | undefined;
  /** Its query parameters as an object; undefined if it has none. */
  query: JSONSchema | undefined;
  /** Without the envelope. */
  answer: JSONSchema;
}

const document: Document = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8"));

/** The document's named schemas. */
export const { schemas } = document.components;

/** Throws if the document lacks an operation that a client calls. */
export function readOperations(called: Record<string, { method: string; path: string }>): ClientOperation[] {
  return Object.entries(called).map(([name, { method, path }]) => {
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (operation === undefined)
      throw new Error(`openapi.json has no ${method} ${path}, which the client's ${name} calls`);
    return {
      name,
      title: titled(name),
      method,
      path,
      body: operation.requestBody?.content["application/json"]?.schema,
      query: queryOf(operation),
      answer: answerOf(operation),
    };
  });
}

/** `createSession` as `CreateSession`. */
export function titled(name: string): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

/** The name of the schema to which a reference points. */
export function referenceOf(schema: JSONSchema): string | undefined {
  return /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref ?? "")?.[1];
}

/** Whether a field is an alias of another one, which a typed client does not need. */
export function isAlias(value: unknown): boolean {
  return typeof value === "object" && value !== null && "x-alias-of" in value;
}

function queryOf({ parameters = [] }: Operation): JSONSchema | undefined {
  const query = parameters
    .map((parameter) => document.components.parameters[parameter.$ref?.split("/").at(-1) ?? ""] ?? parameter)
    .filter((parameter) => parameter.in === "query");
  if (query.length === 0) return undefined;
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(query.map(({ name, schema, description }) => [name, { ...schema, description }])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
}

function answerOf({ responses }: Operation): JSONSchema {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  const schema = success?.content?.["application/json"]?.schema ?? {};
  return schema.properties?.data ?? schema;
}
