import { hkdfSync, randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { CIPHER_KEY_BYTES, decrypt, encrypt } from "../../kernel/cipher.ts";
import { sha256 } from "../../kernel/digest.ts";
import { ServiceError, statusOf } from "../../kernel/errors.ts";
import { ConditionFailedError } from "../../ports/errors.ts";
import type { RecordKey, StoredRecord, Write } from "../../ports/record-store.ts";
import { trackWrites } from "../../ports/write-tracking.ts";
import type { Context } from "../context.ts";

export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
const KEPT_SECONDS = 24 * 3600;
/** Longer than any function may run: a first request that is older and has no result was aborted. */
const IN_FLIGHT_MS = 15 * 60_000;
/** Maximum attempts to store the outcome of a request. */
const MAX_WRITES = 3;
/** Maximum length of a stored response (compressed, encrypted, base64); leaves room in a 400 KB record. */
const MAX_KEPT_LENGTH = 350_000;
/** Headers stored with a response; the other headers are those of the repeated request. */
const KEPT_HEADERS = ["content-type", "etag"];

/** One request under one Idempotency-Key. */
export interface IdempotentRequest {
  key: string;
  /** The secret or token that authenticated the request. */
  credential: string;
  method: string;
  path: string;
  body: string;
}

const recordKey = (ctx: Context, key: string): RecordKey => ({
  pk: `${ctx.org}#idempotency#${ctx.principal.id}`,
  sk: sha256(key),
});

function fingerprint({ method, path, body }: IdempotentRequest): string {
  return sha256(`${method} ${path}\n${body}`);
}

/**
 * Returns the key that encrypts a response, which may contain a one-time secret or deleted content. It is derived from
 * values that are not stored.
 */
function sealingKey({ credential, key }: IdempotentRequest): Buffer {
  return Buffer.from(hkdfSync("sha256", credential, key, "idempotent answer", CIPHER_KEY_BYTES));
}

function seal(request: IdempotentRequest, plain: Buffer): string {
  return encrypt(sealingKey(request), plain).toString("base64");
}

/** Decrypts a response; undefined for another credential of the same principal, such as the next token of a session. */
function unseal(request: IdempotentRequest, text: string): Buffer | undefined {
  return decrypt(sealingKey(request), Buffer.from(text, "base64"));
}

/** Returns the stored response. Throws CONFLICT if it was not stored or cannot be decrypted. */
function replay(record: StoredRecord, request: IdempotentRequest): Response {
  const packed = typeof record.answer === "string" ? unseal(request, record.answer) : undefined;
  if (packed === undefined) {
    throw new ServiceError(
      "CONFLICT",
      "This request was already processed; its response is too large to repeat or belongs to another credential.",
    );
  }
  const headers = new Headers({ "Idempotent-Replayed": "true" });
  for (const name of KEPT_HEADERS) {
    const value = record[`header_${name}`];
    if (typeof value === "string") headers.set(name, value);
  }
  return new Response(gunzipSync(packed), { status: Number(record.status), headers });
}

/** The result of running a request. */
export interface Outcome {
  response: Response;
  /** Whether an unexpected error, such as a backend failure, ended the request, so that its effects are unknown. */
  outcomeUnknown: boolean;
}

/**
 * Runs a request at most once per key. For 24 h, the same key and body returns the first response, another body 422,
 * and while the first request is running 409. A response of 429 or 500 and above frees the key for a retry, unless
 * something may have been written: then the key keeps answering 409.
 */
export async function runIdempotently(
  ctx: Context,
  request: IdempotentRequest,
  run: () => Promise<Outcome>,
): Promise<Response> {
  const key = recordKey(ctx, request.key);
  const now = ctx.clock();
  const claim = {
    ...key,
    kind: "idempotency",
    fingerprint: fingerprint(request),
    claimed_at: now,
    claimed_by: randomUUID(),
    ttl: Math.ceil(now / 1000) + KEPT_SECONDS,
  };
  try {
    await ctx.ports.records.write({ put: claim, condition: "absent" });
  } catch (error) {
    if (error instanceof ConditionFailedError && error.existing) return answerAgain(error.existing, request, now);
    // The claim may be stored although the write failed; nothing ran under it.
    await writeWithRetry(ctx, { delete: key, condition: { claimed_by: claim.claimed_by } });
    throw error;
  }
  const { result, hasWritten } = await trackWrites(run);
  const { response, outcomeUnknown } = result;
  if (isFinal(response)) await writeWithRetry(ctx, await answerOf(ctx, request, response.clone()));
  else
    await writeWithRetry(ctx, outcomeUnknown && hasWritten ? { update: key, set: OUTCOME_UNKNOWN } : { delete: key });
  return response;
}

function isFinal({ status }: Response): boolean {
  return status < 500 && status !== statusOf("RATE_LIMITED");
}

/** Marks a request whose outcome is unknown: it has ended and has no response to repeat. */
const OUTCOME_UNKNOWN = { done: true, open: true };

/** Returns the response to a repeated request, or throws why there is none. */
function answerAgain(existing: StoredRecord, request: IdempotentRequest, now: number): Response {
  if (existing.fingerprint !== fingerprint(request)) {
    throw new ServiceError(
      "IDEMPOTENCY_KEY_REUSED",
      "This Idempotency-Key was used for another request. Use a new key.",
    );
  }
  const isAbandoned = existing.done !== true && Number(existing.claimed_at) < now - IN_FLIGHT_MS;
  if (existing.open === true || isAbandoned) {
    throw new ServiceError(
      "CONFLICT",
      "The outcome of the first request with this Idempotency-Key is unknown. Check, then retry with a new key.",
    );
  }
  if (existing.done !== true) {
    throw new ServiceError("REQUEST_IN_PROGRESS", "The first request with this Idempotency-Key is still running.");
  }
  return replay(existing, request);
}

/** Returns the write that stores the response, without its body if that is too long. */
async function answerOf(ctx: Context, request: IdempotentRequest, response: Response): Promise<Write> {
  const answer = seal(request, gzipSync(await response.arrayBuffer()));
  const isKept = answer.length <= MAX_KEPT_LENGTH;
  const headers = KEPT_HEADERS.map((name) => [`header_${name}`, response.headers.get(name)] as const);
  const set = { done: true, status: response.status, answer: isKept ? answer : null, ...Object.fromEntries(headers) };
  return { update: recordKey(ctx, request.key), set };
}

/**
 * Retries a write a few times, then logs the failure instead of throwing it, because the request has already succeeded.
 */
async function writeWithRetry({ ports, logger }: Context, write: Write): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await ports.records.write(write);
      return;
    } catch (error) {
      if (error instanceof ConditionFailedError) return;
      if (attempt < MAX_WRITES) continue;
      logger.error("IDEMPOTENCY_NOT_KEPT", { error });
      return;
    }
  }
}
