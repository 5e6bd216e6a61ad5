import { timestamp } from "../../kernel/clock.ts";
import { type ErrorCode, type ServiceError, statusOf } from "../../kernel/errors.ts";
import { RateLimitedError, type RateLimitState } from "../access/rate-limit.ts";

/** Responses depend on the credential and may contain secrets, so no cache may keep them. */
const HEADERS = { "content-type": "application/json", "cache-control": "no-store" };

/** The challenge of RFC 9110 where no resource is requested, such as at a sign-in. */
const CHALLENGE = 'Bearer realm="memory-service"';

/** What a response adds to an error. */
export interface FailureOptions {
  /** Repeats the message in the field where mem0 clients expect it. */
  withDetail?: boolean | undefined;
  /** The challenge of a 401. */
  challenge?: string;
}

/** Temporary errors; `retry_after` of their details is also sent as a header. */
const RETRIED_CODES: ReadonlySet<ErrorCode> = new Set(["RATE_LIMITED", "SERVICE_UNAVAILABLE"]);

/**
 * Returns a JSON response. Not by Response.json: the local server replaces only the constructor, by one without
 * streams.
 */
export function jsonResponse(json: string, status: number, headers: Record<string, string> = {}): Response {
  return new Response(json, { status, headers: { ...HEADERS, ...headers } });
}

/** Returns the contract's success envelope of data in JSON. `startedAt` and `now` are in milliseconds. */
export function success(data: string, requestId: string, startedAt: number, now: number): string {
  const meta = { request_id: requestId, processing_time_ms: Math.round(now - startedAt) };
  return `{"success":true,"data":${data},"meta":${JSON.stringify(meta)}}`;
}

/** Answers a client that has the content of the ETag already. */
export function notModified(etag: string): Response {
  return new Response(null, { status: 304, headers: { "cache-control": HEADERS["cache-control"], etag } });
}

/**
 * Returns the contract's error envelope with the status of its code and its headers: the request id, Retry-After if
 * waiting helps, the exceeded limit, and the challenge of a 401.
 */
export function failure(
  error: ServiceError,
  requestId: string,
  now: number,
  { withDetail, challenge = CHALLENGE }: FailureOptions = {},
): Response {
  const { code, message, details } = error;
  const meta = { request_id: requestId, timestamp: timestamp(now) };
  const detail = withDetail ? { detail: message } : {};
  const body = { success: false, error: { code, message, details }, ...detail, meta };
  const limit = error instanceof RateLimitedError ? rateLimitHeaders(error.state) : {};
  const status = statusOf(code);
  const authenticate: Record<string, string> =
    status === statusOf("UNAUTHORIZED") ? { "www-authenticate": challenge } : {};
  const headers = { "x-request-id": requestId, ...retryAfter(error), ...limit, ...authenticate };
  return jsonResponse(JSON.stringify(body), status, headers);
}

/** Returns the headers of draft-ietf-httpapi-ratelimit-headers; the window is the time to fill an empty bucket. */
export function rateLimitHeaders({ policy, remaining, resetSeconds }: RateLimitState): Record<string, string> {
  const windowSeconds = Math.ceil((policy.burst * 60) / policy.perMinute);
  return {
    "RateLimit-Policy": `"${policy.name}";q=${policy.burst};w=${windowSeconds}`,
    RateLimit: `"${policy.name}";r=${remaining};t=${resetSeconds}`,
  };
}

function retryAfter({ code, details }: ServiceError): Record<string, string> {
  const { retry_after: seconds } = details;
  return seconds !== undefined && RETRIED_CODES.has(code) ? { "retry-after": `${seconds}` } : {};
}
