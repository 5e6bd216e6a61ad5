import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";

/** Request headers that the service reads, and additional ones that mem0's client sends. */
const OWN_HEADERS =
  "Accept Authorization Content-Type Idempotency-Key If-Match If-None-Match Traceparent X-API-Key X-Permission".split(
    " ",
  );
const MEM0_HEADERS = ["Mem0-User-ID", "X-Application", "X-Mem0-Client", "X-Mem0-Source"];
export const REQUEST_HEADERS = [...OWN_HEADERS, ...MEM0_HEADERS];

/** Response headers that a page may read. */
export const ANSWER_HEADERS =
  "Allow Content-Disposition Deprecation ETag Idempotent-Replayed Link RateLimit RateLimit-Policy Retry-After Sunset X-Request-Id".split(
    " ",
  );

/** Seconds for which browsers may cache the response to a preflight request. */
const PREFLIGHT_CACHED_SECONDS = 3_600;

/**
 * Returns middleware that allows pages of these origins (`*`: of any) to call the service. On AWS, API Gateway does.
 */
export function allowOrigins(origins: string[]): MiddlewareHandler {
  return cors({
    origin: origins.includes("*") ? "*" : origins,
    allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ANSWER_HEADERS,
    maxAge: PREFLIGHT_CACHED_SECONDS,
  });
}
