import { invalid, ServiceError } from "../../kernel/errors.ts";

/** Default maximum size of a JSON body in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Maximum size of a JSON body of a public route, whose senders are unknown. */
export const MAX_PUBLIC_BODY_BYTES = 16 * 1024;

/** Reads a body of at most `maxBytes` bytes, even if its Content-Length is wrong. Throws PAYLOAD_TOO_LARGE. */
export async function readBody(request: Request, maxBytes = MAX_BODY_BYTES): Promise<string> {
  if (request.headers.has("content-length")) {
    refuseLonger(Number(request.headers.get("content-length")), maxBytes);
    return request.text();
  }
  return (await readBytes(request, maxBytes)).toString("utf8");
}

/** Reads a body of at most `maxBytes` bytes, even if its Content-Length is wrong. Throws PAYLOAD_TOO_LARGE. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  refuseLonger(Number(request.headers.get("content-length") ?? 0), maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    refuseLonger(size, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refuseLonger(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new ServiceError("PAYLOAD_TOO_LARGE", `The body exceeds ${maxBytes} bytes. Send less at once.`, {
    max_bytes: maxBytes,
  });
}

/** Returns the parameters of a query string. A repeated one becomes a list, which schemas of single values refuse. */
export function readParameters(given: Record<string, string[]>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}

/** Parses a body of `application/x-www-form-urlencoded`. Throws UNSUPPORTED_MEDIA_TYPE. */
export function parseUrlEncoded(text: string, contentType: string | null): unknown {
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType ?? "")) {
    throw new ServiceError("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/x-www-form-urlencoded.");
  }
  const given = new URLSearchParams(text);
  return readParameters(Object.fromEntries([...new Set(given.keys())].map((name) => [name, given.getAll(name)])));
}

/** Refuses a GET with a body, which would be ignored. Throws VALIDATION_ERROR. */
export function refuseBody(headers: Headers): void {
  const isEmpty = Number(headers.get("content-length") ?? 0) === 0 && !headers.has("transfer-encoding");
  if (!isEmpty) throw invalid({ field: "body", problem: "is not read here: send query parameters" });
}

/**
 * Returns the version in If-Match; undefined (any version) without the header or for `*`. Throws PRECONDITION_FAILED.
 */
export function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const version = header.trim().match(/^(?:W\/)?"(\d{1,15})"$/)?.[1];
  if (version === undefined) {
    throw new ServiceError("PRECONDITION_FAILED", 'If-Match must be one ETag that this service answered, such as "3".');
  }
  return Number(version);
}
