import type * as z from "zod";
import { type FieldProblem, invalid, ServiceError } from "../kernel/errors.ts";
import { jsonFault } from "../kernel/json-fault.ts";

/** Longest JSON body in bytes, unless a route says otherwise. */
export const MAX_BODY_BYTES = 1024 * 1024;

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

function problemsOf(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({ field: issue.path.join(".") || "body", problem: issue.message }));
}

/** The value as its schema has it. Throws VALIDATION_ERROR that names each field at fault. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalid(...problemsOf(parsed.error));
  return parsed.data;
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
