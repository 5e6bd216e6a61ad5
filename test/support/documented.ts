import { expect } from "vitest";
import openapi from "../../openapi.json" with { type: "json" };
import type { Answered } from "./service.ts";

interface Response {
  $ref?: string;
  headers?: Record<string, unknown>;
}

interface DocumentedSchema {
  $ref?: string;
  type?: string;
  properties?: Record<string, DocumentedSchema>;
  required?: string[];
  allOf?: DocumentedSchema[];
  enum?: string[];
}

interface Operation {
  operationId: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  "x-permission"?: string;
  "x-rate-limit"?: string;
  requestBody?: { content: Record<string, { schema: DocumentedSchema }> };
  responses: Record<string, Response>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, DocumentedSchema> };
}

const { paths, components } = asDocument(openapi);
const operations = new Map(
  Object.values(paths)
    .flatMap((item) => Object.values(item))
    .map((operation) => [operation.operationId, operation]),
);

const templates = Object.entries(paths)
  .map(([path, those]) => ({ pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`), path, operations: those }))
  .sort((a, b) => a.path.split("{").length - b.path.split("{").length);

/** A separate test checks that the file is a valid document. */
function asDocument(json: unknown): Document {
  return json as Document;
}

/** Returns the operation of a route in openapi.json. Throws an error if there is none. */
export function operationOf(name: string): Operation {
  const operation = operations.get(name);
  if (!operation) throw new Error(`openapi.json has no operation '${name}'; run npm run openapi`);
  return operation;
}

/**
 * Returns the name of the route for a path; fixed paths come before those with parameters. Throws an error if there is
 * none.
 */
export function routeAt(method: string, url: string): string {
  const path = url.split("?")[0]?.replace(/(.)\/$/, "$1") ?? "";
  const found = templates.find(({ pattern, operations: those }) => pattern.test(path) && method.toLowerCase() in those);
  if (!found) throw new Error(`openapi.json has no ${method} ${path}`);
  return operationOf(found.operations[method.toLowerCase()]?.operationId ?? "").operationId;
}

/** Resolves a schema's reference, if it is one. Throws an error if the referenced schema does not exist. */
export function schemaOf({ $ref, ...schema }: DocumentedSchema): DocumentedSchema {
  const found = $ref === undefined ? schema : components.schemas[$ref.slice("#/components/schemas/".length)];
  if (!found) throw new Error(`openapi.json has no ${$ref}`);
  return found;
}

/** Fails unless the document lists the status for the route and, for an error, the code. */
export function expectDocumented(name: string, { status, body }: Omit<Answered, "bytes">): void {
  const { responses, tags } = operationOf(name);
  const response = responses[status];
  expect(response, `${name} answered ${status}: ${JSON.stringify(body)}`).toBeDefined();
  if (status < 400) return;
  const codes = response?.$ref?.slice("#/components/responses/".length).split(".");
  expect(codes, `codes of ${name}`).toContain(serviceErrorOf(body).code);
  // The JSON-RPC error, which callMcp documents beside the envelope.
  if (codes?.[0] === "callMcp" && "jsonrpc" in body) {
    const error = { code: expect.any(Number), message: expect.any(String), data: expect.any(Object) };
    expect(body).toEqual({ jsonrpc: "2.0", id: null, error });
    return;
  }
  if (typeof body.error === "string") {
    const text = expect.any(String);
    expect(body).toEqual({ error: text, error_description: text, code: text, details: expect.any(Object) });
    return;
  }
  expect(body, "the error envelope").toEqual({
    success: false,
    error: { code: expect.any(String), message: expect.any(String), details: expect.any(Object) },
    ...(tags.includes("compatibility") && { detail: body.error?.message }),
    meta: {
      request_id: expect.stringMatching(/^req_/),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    },
  });
}

/** Returns the error of an answer: from the envelope, from the data of JSON-RPC, or beside an error of OAuth. */
export function serviceErrorOf(body: Answered["body"]): { code?: string; details?: Record<string, unknown> } {
  const { error } = body;
  return typeof error === "string" ? body : (error?.data ?? error ?? {});
}
