import type * as z from "zod";
import { type FieldProblem, invalid, ServiceError } from "../kernel/errors.ts";
import { jsonFault } from "../kernel/json-fault.ts";
import { type Noun, requireKnownNames } from "./known-fields.ts";

/** Longest JSON body in bytes, unless a route says otherwise. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The same for a public route: whoever sends it is unknown. */
export const MAX_PUBLIC_BODY_BYTES = 16 * 1024;

/** Arrays and objects within each other; the deepest body that a route takes is metadata in a list, about half of it. */
const MAX_NESTING = 64;

/** Reads a body of at most so many bytes, also when it lies about its length. Throws PAYLOAD_TOO_LARGE. */
export async function readBody(request: Request, most = MAX_BODY_BYTES): Promise<string> {
  if (request.headers.has("content-length")) {
    refuseLonger(Number(request.headers.get("content-length")), most);
    return request.text();
  }
  return (await readBytes(request, most)).toString("utf8");
}

/** Reads a body of at most so many bytes, also when it lies about its length. Throws PAYLOAD_TOO_LARGE. */
export async function readBytes(request: Request, most: number): Promise<Buffer> {
  refuseLonger(Number(request.headers.get("content-length") ?? 0), most);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    refuseLonger(size, most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refuseLonger(bytes: number, most: number): void {
  if (bytes <= most) return;
  throw new ServiceError("PAYLOAD_TOO_LARGE", `The body exceeds ${most} bytes. Send less at once.`, {
    max_bytes: most,
  });
}

/** Whether JSON holds arrays and objects within each other beyond the limit. */
function isNestedDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let place = 0; place < text.length; place++) {
    const sign = text[place];
    if (isInString) {
      if (sign === "\\") place++;
      else if (sign === '"') isInString = false;
    } else if (sign === '"') isInString = true;
    else if (sign === "[" || sign === "{") {
      if (++depth > MAX_NESTING) return true;
    } else if (sign === "]" || sign === "}") depth--;
  }
  return false;
}

/** Parses a JSON body; an absent one is undefined. Throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON or VALIDATION_ERROR. */
export function parseJson(text: string, contentType: string | null): unknown {
  if (text === "") return undefined;
  if (!/^application\/([\w.-]+\+)?json\b/i.test(contentType ?? "")) {
    throw new ServiceError("UNSUPPORTED_MEDIA_TYPE", "Send the body as JSON with Content-Type: application/json.");
  }
  if (isNestedDeep(text)) throw invalid({ field: "body", problem: `is nested more than ${MAX_NESTING} deep` });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError("MALFORMED_JSON", "The body is not valid JSON.", { reason: jsonFault(error) });
  }
}

/** Fields by the names that they were sent under. */
function problemsOf(error: z.ZodError, sentAs: ReadonlyMap<string, string>): FieldProblem[] {
  return error.issues.map(({ path, message }) => {
    const field = path.join(".");
    return { field: (sentAs.get(field) ?? field) || "body", problem: message };
  });
}

/** The value as its schema has it. Throws VALIDATION_ERROR that names each field that is at fault or not known. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  noun: Noun = "field",
): z.output<Schema> {
  const { value: named, sentAs } = requireKnownNames(schema, value, noun);
  return parse(schema, named, sentAs);
}

/** The same of a value that may hold more than the schema names. Throws VALIDATION_ERROR. */
export function validateNamed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  return parse(schema, value);
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  sentAs: ReadonlyMap<string, string> = new Map(),
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalid(...problemsOf(parsed.error, sentAs));
  return parsed.data;
}

/** The parameters of a query string. One that is given more than once is a list, which schemas refuse that want one value. */
export function readParameters(given: Record<string, string[]>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}

/** A GET has no body: what one says would be ignored. Throws VALIDATION_ERROR. */
export function refuseBody(headers: Headers): void {
  const isEmpty = Number(headers.get("content-length") ?? 0) === 0 && !headers.has("transfer-encoding");
  if (!isEmpty) throw invalid({ field: "body", problem: "is not read here: send query parameters" });
}

/** Version that If-Match names, if the header is there. `*` matches any version; what is no version of ours matches none. */
export function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const version = header.trim().match(/^(?:W\/)?"(\d{1,15})"$/)?.[1];
  if (version === undefined) {
    throw new ServiceError("PRECONDITION_FAILED", 'If-Match must be one ETag that this service answered, such as "3".');
  }
  return Number(version);
}
