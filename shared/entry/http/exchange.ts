import type { Context as HonoContext } from "hono";
import * as z from "zod";
import type { Credential } from "../../domain/identity/credential.ts";
import type { ErrorCode } from "../../kernel/errors.ts";
import type { GroupManifest } from "../../ports/manifest.ts";
import type { RateLimiter } from "../../runtime/access/rate-limit.ts";
import type { Runtime } from "../../runtime/context.ts";
import type { Deprecation } from "../../runtime/http/deprecation.ts";
import type { Route } from "../../runtime/http/group.ts";
import type { TracedRequest } from "../../runtime/stats/traffic.ts";

/** What a route needs to serve requests. */
export interface Mount {
  runtime: Runtime;
  admit: Admission | undefined;
  limiter: RateLimiter;
  count(served: TracedRequest): void;
  manifest: GroupManifest;
  /** Name of the route in logs and counts: `GET /memories/{id}`. */
  name: string;
  /** Names of the path's parameters. */
  parameters: string[];
  /** For a PUT or PATCH, the route that reads the same resource. */
  reader: GuardedRoute | undefined;
}

export type GuardedRoute = Extract<Route, { isPublic: false }>;

/** One request on its way through the pipeline. */
export interface Exchange {
  http: HonoContext;
  mount: Mount;
  credential: Credential | undefined;
  requestId: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** The same time in milliseconds of `performance.now()`, to measure the duration. */
  beganAt: number;
  /** The code of the error response. */
  code?: ErrorCode;
  /** Whether the request failed with anything but a ServiceError, so that its changes may or may not be stored. */
  outcomeUnknown: boolean;
  /** Of the route and of the fields that the request names. */
  deprecations?: Deprecation[];
}

/**
 * Waits until a request may start. Returns a function that receives the response status. Throws if the request cannot
 * wait.
 */
export type Admission = (
  credential: Credential | undefined,
  address: string | undefined,
) => Promise<(status: number) => void>;

/** The input of a route that declares no names. */
export const NOTHING = z.object({});

export function levelOf(status: number): "info" | "error" {
  return status < 500 ? "info" : "error";
}
