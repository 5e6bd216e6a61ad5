import { ServiceError } from "./errors.ts";

/**
 * Most bytes of an answer's body in either home. A function's whole answer has at most 6 MB (AWS Lambda Developer Guide,
 * "Lambda quotas"), and is JSON that holds the body as a text.
 */
export const MOST_ANSWER_BYTES = 5_900_000;
/** Of them, what is kept for whatever stands around what an answer quotes. */
const MOST_AROUND_BYTES = 400_000;
/** The same around a list and its neighbours: the envelope, and how a shorter page tells of itself. */
const ENVELOPE_BYTES = 1_000;
/** Bytes of one UTF-16 unit of JSON at most; escaped once more it is two, if it was one. */
const MOST_BYTES_PER_UNIT = 3;

/** Whether a body is longer than an answer may be. Only those are counted that may be. */
export function isTooLong(json: string): boolean {
  if (json.length * MOST_BYTES_PER_UNIT <= MOST_ANSWER_BYTES) return false;
  return json.length > MOST_ANSWER_BYTES || bytesInAnswer(json) > MOST_ANSWER_BYTES;
}

/** Whether an answer can quote this, and say besides what belongs to it. */
export function fits(quoted: object): boolean {
  return bytesInAnswer(JSON.stringify(quoted)) <= MOST_ANSWER_BYTES - MOST_AROUND_BYTES;
}

/**
 * What is answered in place of data that is too long: how many items of its list would fit. The list is not cut short, as
 * who goes on by `limit` would never see what was left out. `isDone`: whatever was asked for was carried out.
 */
export function tooLong(data: unknown, isDone: boolean): ServiceError {
  if (isDone) {
    const message = "This was done, and is too much to tell in one answer. Do not send it again; read what it made.";
    return new ServiceError("PAYLOAD_TOO_LARGE", message);
  }
  const fitting = fittingOf(data);
  if (!fitting) return new ServiceError("PAYLOAD_TOO_LARGE", "This is too long for one answer. Ask for less of it.");
  const { name, count } = fitting;
  const message = `This is too long for one answer: of its ${name}, ${count} would fit. Ask for no more at once.`;
  return new ServiceError("PAYLOAD_TOO_LARGE", message, { max_limit: count });
}

/** The list that takes most of an answer, and how many of its first items fit beside all the rest, if any do. */
function fittingOf(data: unknown): { name: string; count: number } | undefined {
  const parts: Record<string, unknown> = Array.isArray(data) ? { items: data } : { ...(data as object) };
  const lists = Object.entries(parts).flatMap(([name, items]) =>
    Array.isArray(items) ? [{ name, sizes: items.map((item) => bytesInAnswer(JSON.stringify(item))) }] : [],
  );
  const [longest] = lists.sort((a, b) => sum(b.sizes) - sum(a.sizes));
  if (longest === undefined) return undefined;
  const around = bytesInAnswer(JSON.stringify({ ...parts, [longest.name]: [] })) + ENVELOPE_BYTES;
  const count = countFitting(longest.sizes, MOST_ANSWER_BYTES - around);
  return count === 0 ? undefined : { name: longest.name, count };
}

/** How many of the first items take no more than that together. */
function countFitting(sizes: number[], most: number): number {
  let left = most;
  const first = sizes.findIndex((size) => {
    left -= size;
    return left < 0;
  });
  return first === -1 ? sizes.length : first;
}

function sum(sizes: number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

/** Bytes of JSON as a text within JSON, in which quotes and backslashes are escaped once more. */
function bytesInAnswer(json: string): number {
  return Buffer.byteLength(JSON.stringify(json));
}
