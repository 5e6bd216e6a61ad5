import type { MiddlewareHandler } from "hono";
import type { Config } from "../../kernel/config.ts";

/** One year, which is the minimum for browsers' preload lists. */
const HSTS = "max-age=31536000; includeSubDomains";

/** Headers of every response: browsers must not guess content types nor, on AWS, which has only TLS, use plain HTTP. */
export function securityHeadersOf({ PLATFORM }: Pick<Config, "PLATFORM">): Record<string, string> {
  return { "x-content-type-options": "nosniff", ...(PLATFORM === "aws" && { "strict-transport-security": HSTS }) };
}

/** Returns middleware that adds the headers to every response, including errors. */
export function securityHeaders(config: Pick<Config, "PLATFORM">): MiddlewareHandler {
  const headers = Object.entries(securityHeadersOf(config));
  return async (http, next) => {
    await next();
    for (const [name, value] of headers) http.res.headers.set(name, value);
  };
}
