import { hkdfSync, randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { CIPHER_KEY_BYTES, decrypt, encrypt } from "../kernel/cipher.ts";
import { sha256 } from "../kernel/digest.ts";
import { ServiceError, statusOf } from "../kernel/errors.ts";
import type { Context } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import type { RecordKey, StoredRecord, Write } from "../platform/ports.ts";
import { watchWrites } from "../platform/written.ts";

export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
const KEPT_SECONDS = 24 * 3600;
/** Longer than any function may run: a first request that began before and did not end never will. */
const IN_FLIGHT_MS = 15 * 60_000;
/** How often it is tried to write down how a request ended. */
const MOST_WRITES = 3;
/** Longest answer that is kept, compressed, sealed and in base64; leaves room in a 400 KB record. */
const MAX_KEPT_LENGTH = 350_000;
/** What a repeated answer says besides its body; the rest belongs to the request that asks. */
const KEPT_HEADERS = ["content-type", "etag"];

/** One request under one Idempotency-Key. */
export interface IdempotentRequest {
  key: string;
  /** The secret or token that the request was let in by. */
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

/** Of what the service stores nowhere: an answer may hold a secret that is shown once, or content deleted since. */
function sealingKey({ credential, key }: IdempotentRequest): Buffer {
  return Buffer.from(hkdfSync("sha256", credential, key, "idempotent answer", CIPHER_KEY_BYTES));
}

function seal(request: IdempotentRequest, plain: Buffer): string {
  return encrypt(sealingKey(request), plain).toString("base64");
}

/** Undefined under another credential of the same principal, such as the next token of a session. */
function unseal(request: IdempotentRequest, text: string): Buffer | undefined {
  return decrypt(sealingKey(request), Buffer.from(text, "base64"));
}

function replay(record: StoredRecord, request: IdempotentRequest): Response {
  const packed = typeof record.answer === "string" ? unseal(request, record.answer) : undefined;
  if (packed === undefined) {
    throw new ServiceError(
      "CONFLICT",
      "This request was carried out before, but its answer is too large to repeat, or was for another credential.",
    );
  }
  const headers = new Headers({ "Idempotent-Replayed": "true" });
  for (const name of KEPT_HEADERS) {
    const value = record[`header_${name}`];
    if (typeof value === "string") headers.set(name, value);
  }
  return new Response(gunzipSync(packed), { status: Number(record.status), headers });
}

/** What running a request led to. */
export interface Outcome {
  response: Response;
  /** It ended by an error that was none of its own, such as a backend's: nobody can tell how far it came. */
  brokeOff: boolean;
}

/**
 * Runs a request at most once a key: the same key and body again answers what the first did (24 h), another body 422,
 * while the first still runs 409. Answers of 429, 500 and above free the key, so that a retry can do better; unless the
 * request broke off when something was written, or may have been, or nobody heard of it again: then it stays at 409.
 */
export async function once(ctx: Context, request: IdempotentRequest, run: () => Promise<Outcome>): Promise<Response> {
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
    if (error instanceof ConditionFailed && error.existing) return answerAgain(error.existing, request, now);
    // It may be there all the same, and nothing was run under it.
    await insist(ctx, { delete: key, condition: { claimed_by: claim.claimed_by } });
    throw error;
  }
  const { result, hasWritten } = await watchWrites(run);
  const { response, brokeOff } = result;
  if (isFinal(response)) await insist(ctx, await answerOf(ctx, request, response.clone()));
  else await insist(ctx, brokeOff && hasWritten ? { update: key, set: OPEN } : { delete: key });
  return response;
}

function isFinal({ status }: Response): boolean {
  return status < 500 && status !== statusOf("RATE_LIMITED");
}

/** Of a request that was broken off: it is over, and has no answer to repeat. */
const OPEN = { done: true, open: true };

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
      "The first request with this Idempotency-Key broke off and may have been carried out. Look, and use a new key.",
    );
  }
  if (existing.done !== true) {
    throw new ServiceError("REQUEST_IN_PROGRESS", "The first request with this Idempotency-Key is still running.");
  }
  return replay(existing, request);
}

async function answerOf(ctx: Context, request: IdempotentRequest, response: Response): Promise<Write> {
  const answer = seal(request, gzipSync(await response.arrayBuffer()));
  const isKept = answer.length <= MAX_KEPT_LENGTH;
  const headers = KEPT_HEADERS.map((name) => [`header_${name}`, response.headers.get(name)] as const);
  const set = { done: true, status: response.status, answer: isKept ? answer : null, ...Object.fromEntries(headers) };
  return { update: recordKey(ctx, request.key), set };
}

/** Writes what must not turn a request that was carried out into one that failed: a few times, then the log has it. */
async function insist({ ports, logger }: Context, write: Write): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await ports.records.write(write);
      return;
    } catch (error) {
      if (error instanceof ConditionFailed) return;
      if (attempt < MOST_WRITES) continue;
      logger.error("IDEMPOTENCY_NOT_KEPT", { error });
      return;
    }
  }
}
