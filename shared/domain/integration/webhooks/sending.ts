import { timestamp } from "../../../kernel/clock.ts";
import { ServiceError } from "../../../kernel/errors.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { fetchPublic } from "../../../runtime/fetching/fetch-public.ts";
import { carry, type OutgoingSecret } from "../../../runtime/fetching/secret-destinations.ts";
import { readPayload } from "./payloads.ts";
import { secretsInForce } from "./secrets.ts";
import { messageHeaders, signatureHeaders } from "./signing.ts";
import {
  type AttemptResult,
  type Delivery,
  type FailureReason,
  MAX_DELAY_MS,
  type ReceiverResponse,
  type Webhook,
} from "./webhook.ts";

/** Stored bytes of a receiver's response; the rest is not read. */
const MAX_RESPONSE_BYTES = 20 * 1024;
/** Headers of a receiver's response that are not stored. */
const OMITTED_HEADERS = new Set(["set-cookie"]);
const GONE = 410;

/** A message to a webhook's receiver. */
export interface Outgoing {
  /** Identifies the event: the same across attempts and deliveries, so that a receiver can deduplicate. */
  event_id: string;
  delivery_id: string;
  event: string;
  /** The exact bytes that are signed and sent. */
  payload: string;
}

/** Overrides of a webhook's delivery settings. */
export interface SendingOptions {
  isSigned?: boolean;
  timeoutMs?: number;
}

/** Makes the due attempt of a delivery. Never rejects because of the receiver. */
export async function attemptDelivery(
  runtime: OrgRuntime,
  webhook: Webhook,
  delivery: Delivery,
): Promise<AttemptResult> {
  const { id: delivery_id, event_id, event } = delivery;
  const payload = await readPayload(runtime.ports.records, { ...delivery, delivery_id });
  if (payload === undefined) throw new Error(`the payload of the delivery '${delivery_id}' was deleted`);
  return send(runtime, webhook, { event_id, delivery_id, event, payload });
}

/** Sends a message once, within `timeout_ms`, without redirects. Only a 2xx status is success, with any body. */
export async function send(
  runtime: OrgRuntime,
  webhook: Webhook,
  outgoing: Outgoing,
  { isSigned = true, timeoutMs = webhook.delivery_config.timeout_ms }: SendingOptions = {},
): Promise<AttemptResult> {
  const at = runtime.clock();
  const message = { id: outgoing.event_id, at, payload: outgoing.payload };
  const signed = isSigned
    ? signatureHeaders(webhook.delivery_config, await secretsInForce(runtime, webhook), message)
    : { headers: {}, signature: undefined };
  const headers = {
    "content-type": "application/json",
    "x-webhook-event": outgoing.event,
    "x-webhook-delivery": outgoing.delivery_id,
    ...messageHeaders(message),
  };
  const secrets = [carry("webhook_secret", webhook, signed.headers)];
  const startedAt = performance.now();
  const result = await exchange(runtime, webhook.url, { headers, secrets, body: outgoing.payload, timeoutMs });
  const delivery_time_ms = Math.round(performance.now() - startedAt);
  return { ...result, at: timestamp(at), delivery_time_ms, signature: signed.signature };
}

interface Exchange {
  headers: Record<string, string>;
  secrets: OutgoingSecret[];
  body: string;
  timeoutMs: number;
}

type ExchangeResult = Omit<AttemptResult, "at" | "delivery_time_ms" | "signature">;

async function exchange(
  runtime: OrgRuntime,
  url: string,
  { timeoutMs, ...request }: Exchange,
): Promise<ExchangeResult> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetchPublic(runtime, url, { ...request, method: "POST", maxRedirects: 0, timeoutMs, signal });
    return resultOf(runtime, answer, await toStoredResponse(answer));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { outcome: "retryable", failure: { reason: reasonOf(error, signal), message: error.message } };
  }
}

function reasonOf({ code }: ServiceError, signal: AbortSignal): FailureReason {
  if (code === "URL_NOT_ALLOWED") return "url_not_allowed";
  return signal.aborted ? "timeout" : "connection_failed";
}

function resultOf(runtime: OrgRuntime, { ok, status, headers }: Response, response: ReceiverResponse): ExchangeResult {
  if (ok) return { outcome: "success", response };
  if (status === GONE) {
    const message = "The receiver answered 410: it no longer accepts deliveries.";
    return { outcome: "gone", response, failure: { reason: "gone", message } };
  }
  const isRedirect = status >= 300 && status < 400;
  const problem = isRedirect ? "a redirect, which is not followed" : "which is no success";
  const failure = { reason: "http_error" as const, message: `The receiver answered ${status}: ${problem}.` };
  const retry_after_ms = retryAfter(headers.get("retry-after"), runtime.clock());
  return { outcome: "retryable", response, failure, ...(retry_after_ms !== undefined && { retry_after_ms }) };
}

/** Milliseconds until Retry-After: seconds or a date (RFC 9110, section 10.2.3); undefined for anything else. */
function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const wait = /^\s*\d{1,10}\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return wait >= 0 ? Math.min(wait, MAX_DELAY_MS) : undefined;
}

async function toStoredResponse({ status, headers, body }: Response): Promise<ReceiverResponse> {
  const storedHeaders = Object.fromEntries([...headers].filter(([name]) => !OMITTED_HEADERS.has(name)));
  return { status, headers: storedHeaders, ...(await readBeginning(body)) };
}

/** Reads up to the limit, the end or the timeout; the rest is not requested. */
async function readBeginning(stream: Response["body"]): Promise<{ body: string; truncated: boolean }> {
  if (!stream) return { body: "", truncated: false };
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  try {
    while (!isWhole && size <= MAX_RESPONSE_BYTES) {
      const { done, value } = await reader.read();
      isWhole = done;
      if (value) parts.push(value);
      size += value?.byteLength ?? 0;
    }
    await reader.cancel();
  } catch {
    // The status is known: if a body ends early or arrives too slowly, the received part is kept.
  }
  const beginning = Buffer.concat(parts).subarray(0, MAX_RESPONSE_BYTES);
  // Decoded as a stream, so that a character cut at the end is dropped.
  return { body: new TextDecoder().decode(beginning, { stream: !isWhole }), truncated: !isWhole };
}
