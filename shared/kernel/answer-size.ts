import { ServiceError } from "./errors.ts";

/**
 * Maximum bytes of a response body on both platforms. A function's whole response has at most 6 MB (AWS Lambda
 * Developer Guide, "Lambda quotas") and is JSON that contains the body as a string.
 */
export const MAX_ANSWER_BYTES = 5_900_000;
/** Bytes reserved for everything around the quoted content. */
const MAX_AROUND_BYTES = 400_000;
/** Bytes reserved around a list: the envelope and the pagination fields. */
const ENVELOPE_BYTES = 1_000;
/** Maximum bytes of one UTF-16 unit of JSON in the response; an ASCII character, escaped again, has at most two. */
const MAX_BYTES_PER_UNIT = 3;

/** Whether a body is longer than a response may be. Bytes are counted only if the body may be too long. */
export function isTooLong(json: string): boolean {
  if (json.length * MAX_BYTES_PER_UNIT <= MAX_ANSWER_BYTES) return false;
  return json.length > MAX_ANSWER_BYTES || bytesInAnswer(json) > MAX_ANSWER_BYTES;
}

/** Whether a response can quote this object in addition to its own fields. */
export function fits(quoted: object): boolean {
  return bytesInAnswer(JSON.stringify(quoted)) <= MAX_ANSWER_BYTES - MAX_AROUND_BYTES;
}

/**
 * Returns the error for data that is too long; it states how many items of the list fit. The list is not truncated,
 * because a client that pages by `limit` would miss the rest. `isDone`: the requested change was made.
 */
export function tooLong(data: unknown, isDone: boolean): ServiceError {
  if (isDone) {
    const message =
      "The request succeeded, but its response would be too large. Do not repeat it; read the created resources.";
    return new ServiceError("PAYLOAD_TOO_LARGE", message);
  }
  const fitting = findFittingCount(data);
  if (!fitting) return new ServiceError("PAYLOAD_TOO_LARGE", "The response would be too large. Request less.");
  const { name, count } = fitting;
  const message = `The response would be too large: ${count} of its ${name} fit. Request at most that many.`;
  return new ServiceError("PAYLOAD_TOO_LARGE", message, { max_limit: count });
}

/** Finds the longest list, and how many of its first items fit with everything else; undefined if none does. */
function findFittingCount(data: unknown): { name: string; count: number } | undefined {
  const parts: Record<string, unknown> = Array.isArray(data) ? { items: data } : { ...(data as object) };
  const lists = Object.entries(parts).flatMap(([name, items]) =>
    Array.isArray(items) ? [{ name, sizes: items.map((item) => bytesInAnswer(JSON.stringify(item))) }] : [],
  );
  const [longest] = lists.sort((a, b) => sum(b.sizes) - sum(a.sizes));
  if (longest === undefined) return undefined;
  const around = bytesInAnswer(JSON.stringify({ ...parts, [longest.name]: [] })) + ENVELOPE_BYTES;
  const count = countFitting(longest.sizes, MAX_ANSWER_BYTES - around);
  return count === 0 ? undefined : { name: longest.name, count };
}

/** Returns how many of the first items fit into `maxBytes`. */
function countFitting(sizes: number[], maxBytes: number): number {
  let left = maxBytes;
  const first = sizes.findIndex((size) => {
    left -= size;
    return left < 0;
  });
  return first === -1 ? sizes.length : first;
}

function sum(sizes: number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

/** Returns the size in bytes of JSON as a string inside JSON, in which quotes and backslashes are escaped again. */
function bytesInAnswer(json: string): number {
  return Buffer.byteLength(JSON.stringify(json));
}
