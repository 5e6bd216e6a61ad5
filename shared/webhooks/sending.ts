import { fetchPublic } from "../fetching/fetch-public.ts";
import { type CarriedSecret, carry } from "../fetching/secret-destinations.ts";
import { timestamp } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { OrgHome } from "../platform/context.ts";
import { readPayload } from "./payloads.ts";
import { secretsInForce } from "./secrets.ts";
import { messageHeaders, signatureHeaders } from "./signing.ts";
import {
  type AttemptResult,
  type Delivery,
  type FailureReason,
  LONGEST_DELAY_MS,
  type ReceiverResponse,
  type Webhook,
} from "./webhook.ts";

/** Of a receiver's answer; the rest is left unread. */
const MOST_RESPONSE_BYTES = 20 * 1024;
/** What a receiver sets in its own clients is nothing to be kept. */
const UNKEPT_HEADERS = new Set(["set-cookie"]);
const GONE = 410;

/** One message to a webhook's receiver. */
export interface Outgoing {
  /** Names what is told: the same across attempts and deliveries, so that a receiver knows what it has seen. */
  event_id: string;
  delivery_id: string;
  event: string;
  /** Exactly what is signed and sent. */
  payload: string;
}

/** How it is sent, where that is not as the webhook says. */
export interface SendingOptions {
  isSigned?: boolean;
  timeoutMs?: number;
}

/** Makes the attempt that a delivery awaits. Never rejects for what the receiver does. */
export async function attemptDelivery(home: OrgHome, webhook: Webhook, delivery: Delivery): Promise<AttemptResult> {
  const { id: delivery_id, event_id, event } = delivery;
  const payload = await readPayload(home.ports.records, { ...delivery, delivery_id });
  if (payload === undefined) throw new Error(`the payload of the delivery '${delivery_id}' is gone`);
  return send(home, webhook, { event_id, delivery_id, event, payload });
}

/**
 * Sends a message once: to public addresses alone, without following redirects, within `timeout_ms`. A status of 2xx
 * alone is success, whatever becomes of the body that follows it.
 */
export async function send(
  home: OrgHome,
  webhook: Webhook,
  outgoing: Outgoing,
  { isSigned = true, timeoutMs = webhook.delivery_config.timeout_ms }: SendingOptions = {},
): Promise<AttemptResult> {
  const at = home.clock();
  const message = { id: outgoing.event_id, at, payload: outgoing.payload };
  const signed = isSigned
    ? signatureHeaders(webhook.delivery_config, await secretsInForce(home, webhook), message)
    : { headers: {}, signature: undefined };
  const headers = {
    "content-type": "application/json",
    "x-webhook-event": outgoing.event,
    "x-webhook-delivery": outgoing.delivery_id,
    ...messageHeaders(message),
  };
  const secrets = [carry("webhook_secret", webhook, signed.headers)];
  const begun = performance.now();
  const told = await exchange(home, webhook.url, { headers, secrets, body: outgoing.payload, timeoutMs });
  const delivery_time_ms = Math.round(performance.now() - begun);
  return { ...told, at: timestamp(at), delivery_time_ms, signature: signed.signature };
}

interface Exchange {
  headers: Record<string, string>;
  secrets: CarriedSecret[];
  body: string;
  timeoutMs: number;
}

type Told = Omit<AttemptResult, "at" | "delivery_time_ms" | "signature">;

async function exchange(home: OrgHome, url: string, { timeoutMs, ...request }: Exchange): Promise<Told> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetchPublic(home, url, {
      ...request,
      method: "POST",
      maxRedirects: 0,
      timeoutMs,
      signal,
    });
    return resultOf(home, answer, await keptOf(answer));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { outcome: "retryable", failure: { reason: reasonOf(error, signal), message: error.message } };
  }
}

function reasonOf({ code }: ServiceError, signal: AbortSignal): FailureReason {
  if (code === "URL_NOT_ALLOWED") return "url_not_allowed";
  return signal.aborted ? "timeout" : "connection_failed";
}

function resultOf(home: OrgHome, { ok, status, headers }: Response, response: ReceiverResponse): Told {
  if (ok) return { outcome: "success", response };
  if (status === GONE) {
    const message = "The receiver answered 410: it wants nothing any more.";
    return { outcome: "gone", response, failure: { reason: "gone", message } };
  }
  const isRedirect = status >= 300 && status < 400;
  const why = isRedirect ? "a redirect, which is not followed" : "which is no success";
  const failure = { reason: "http_error" as const, message: `The receiver answered ${status}: ${why}.` };
  const retry_after_ms = retryAfter(headers.get("retry-after"), home.clock());
  return { outcome: "retryable", response, failure, ...(retry_after_ms !== undefined && { retry_after_ms }) };
}

/** Milliseconds until what Retry-After says: seconds or a date (RFC 9110, section 10.2.3); undefined for anything else. */
function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const wait = /^\s*\d{1,10}\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return wait >= 0 ? Math.min(wait, LONGEST_DELAY_MS) : undefined;
}

async function keptOf({ status, headers, body }: Response): Promise<ReceiverResponse> {
  const kept = Object.fromEntries([...headers].filter(([name]) => !UNKEPT_HEADERS.has(name)));
  return { status, headers: kept, ...(await readBeginning(body)) };
}

/** Reads until there is enough, the end, or no more in time; what is left unread is never asked for. */
async function readBeginning(stream: Response["body"]): Promise<{ body: string; truncated: boolean }> {
  if (!stream) return { body: "", truncated: false };
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  try {
    while (!isWhole && size <= MOST_RESPONSE_BYTES) {
      const { done, value } = await reader.read();
      isWhole = done;
      if (value) parts.push(value);
      size += value?.byteLength ?? 0;
    }
    await reader.cancel();
  } catch {
    // The status has been told: a body that breaks off, or comes too slowly, is kept as far as it came.
  }
  const beginning = Buffer.concat(parts).subarray(0, MOST_RESPONSE_BYTES);
  // Decoded as if more were to come, a character that is cut off at the end is left out.
  return { body: new TextDecoder().decode(beginning, { stream: !isWhole }), truncated: !isWhole };
}
