import { RateLimitedError, type RateLimitState } from "../identity/rate-limit.ts";
import { timestamp } from "../kernel/clock.ts";
import { type ErrorCode, ServiceError, statusOf } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { isBackendFault, isOutOfSpace } from "../platform/backend-faults.ts";
import { RecordTooLarge } from "../platform/errors.ts";
import { tellOfFullDisk } from "../platform/full-disk.ts";

/** Answers depend on the credential, and some hold one: nobody on the way may keep them. */
const HEADERS = { "content-type": "application/json", "cache-control": "no-store" };

/** What to wait, in seconds, before asking again what a backend failed to do. */
const BACKEND_RETRY_SECONDS = 1;
/** The same where somebody has to make room first. */
const FULL_DISK_RETRY_SECONDS = 30;

/** Refusals that end by themselves; `retry_after` of their details is told in the header too. */
const RETRIED_CODES: ReadonlySet<ErrorCode> = new Set(["RATE_LIMITED", "SERVICE_UNAVAILABLE"]);

/** A JSON answer. Made by the constructor, which the local server replaces by one that skips streams; Response.json is not. */
export function jsonResponse(json: string, status: number, headers: Record<string, string> = {}): Response {
  return new Response(json, { status, headers: { ...HEADERS, ...headers } });
}

/** The contract's success envelope. */
export function success(data: unknown, requestId: string, startedAt: number, now: number): object {
  return { success: true, data, meta: { request_id: requestId, processing_time_ms: Math.round(now - startedAt) } };
}

/**
 * What may be told of an error: its own words if it is ours, a 503 for a backend's, a masked 500 for anything else; both
 * logged whole.
 */
export function toServiceError(error: unknown, logger: Logger): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof RecordTooLarge) {
    return new ServiceError("PAYLOAD_TOO_LARGE", "The stored form would exceed 400 KB. Send less content or metadata.");
  }
  if (isOutOfSpace(error)) {
    tellOfFullDisk(logger, error);
    return new ServiceError(
      "SERVICE_UNAVAILABLE",
      "There is no room left to store anything; what is stored can be read. The operator has to make room.",
      { retry_after: FULL_DISK_RETRY_SECONDS },
    );
  }
  if (isBackendFault(error)) {
    logger.error("BACKEND_FAILED", { error });
    return new ServiceError(
      "SERVICE_UNAVAILABLE",
      "A store or a model does not answer just now, so this may have been done or not. Look, and try again in a moment.",
      { retry_after: BACKEND_RETRY_SECONDS },
    );
  }
  logger.error("UNEXPECTED_ERROR", { error });
  return new ServiceError(
    "INTERNAL_ERROR",
    "Something went wrong on our side. Try again; if it stays, report the request id.",
  );
}

/**
 * The contract's error envelope with the status of its code and the headers that belong to it: the request's id,
 * Retry-After where waiting helps, and the limit that was exceeded. `withDetail` adds the message where clients of mem0 read it.
 */
export function failure(error: ServiceError, requestId: string, now: number, withDetail = false): Response {
  const { code, message, details } = error;
  const meta = { request_id: requestId, timestamp: timestamp(now) };
  const detail = withDetail ? { detail: message } : {};
  const body = { success: false, error: { code, message, details }, ...detail, meta };
  const limit = error instanceof RateLimitedError ? rateLimitHeaders(error.state) : {};
  const headers = { "x-request-id": requestId, ...retryAfter(error), ...limit };
  return jsonResponse(JSON.stringify(body), statusOf(code), headers);
}

/** The RateLimit header fields of draft-ietf-httpapi-ratelimit-headers; the window is what an empty bucket takes to fill. */
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
