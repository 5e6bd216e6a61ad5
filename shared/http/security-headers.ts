import type { MiddlewareHandler } from "hono";
import type { Config } from "../kernel/config.ts";

/** A year, as browsers' preload lists ask for at least. */
const HSTS = "max-age=31536000; includeSubDomains";

/** Headers of every answer: no browser guesses a type; on AWS, which answers over TLS alone, none speaks plain HTTP. */
export function securityHeadersOf({ PLATFORM }: Pick<Config, "PLATFORM">): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    ...(PLATFORM === "aws" && { "strict-transport-security": HSTS }),
  };
}

/** Adds them to whatever is answered, errors included. */
export function securityHeaders(config: Pick<Config, "PLATFORM">): MiddlewareHandler {
  const headers = Object.entries(securityHeadersOf(config));
  return async (http, next) => {
    await next();
    for (const [name, value] of headers) http.res.headers.set(name, value);
  };
}
