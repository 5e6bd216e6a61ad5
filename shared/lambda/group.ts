import middy from "@middy/core";
import { handle, type LambdaContext, type LambdaEvent } from "hono/aws-lambda";
import { createApp } from "../http/app.ts";
import { failure } from "../http/envelope.ts";
import type { RouteGroup } from "../http/group.ts";
import { securityHeadersOf } from "../http/security-headers.ts";
import { type Config, loadConfig } from "../kernel/config.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Home } from "../platform/context.ts";
import { openFunctionHome } from "../platform/home.ts";
import type { GroupManifest } from "../platform/manifest.ts";
import { withoutUnreadBody } from "./bodies.ts";
import { withEmptyHeaders } from "./headers.ts";
import { openOnce } from "./open-once.ts";
import { withEscapedPath } from "./paths.ts";
import { flushAtShutdown, registerExtension } from "./shutdown.ts";

await registerExtension();

/** What is left of a function's time when a request that is still under way is answered for. */
const SPARE_MS = 500;
const RETRY_SECONDS = 1;

/**
 * The Lambda entry point of an endpoint group. Opens its home once, at the first invocation. A request that would take
 * longer than the function may is answered in the API's own words, before Lambda ends the process and the API says 500.
 */
export function groupHandler(group: RouteGroup) {
  const open = openOnce(async () => {
    const config = loadConfig(process.env);
    const [home, measure] = await Promise.all([
      openFunctionHome(config, group.manifest.capabilities),
      openMetrics(config),
    ]);
    flushAtShutdown(() => home.rollups.flush());
    return { app: createApp([group], home, { measure }), home };
  });
  const serve = async (event: LambdaEvent, context: LambdaContext) => {
    const { app, home } = await open();
    const answer = await handle(app)(withoutUnreadBody(withEmptyHeaders(withEscapedPath(event))), context);
    // Before the answer, as a function may be frozen for good after it.
    if (home.rollups.isDue()) await home.rollups.flush();
    return answer;
  };
  return middy(serve, {
    timeoutEarlyInMillis: SPARE_MS,
    timeoutEarlyResponse: async () => answerForLate((await open()).home, group.manifest),
  });
}

/** Whatever it waits for may still be done: the table's writes are, wholly or not at all. */
async function answerForLate({ clock, config, ids, logger }: Home, { name, compatibility }: GroupManifest) {
  const request_id = ids("request");
  logger.error("REQUEST_TIMED_OUT", { service: name, request_id });
  const error = new ServiceError(
    "SERVICE_UNAVAILABLE",
    "This took longer than a request may, so it may have been done or not. Look, and try again in a moment.",
    { retry_after: RETRY_SECONDS },
  );
  const response = failure(error, request_id, clock(), compatibility);
  const headers = { ...Object.fromEntries(response.headers), ...securityHeadersOf(config) };
  return { statusCode: response.status, headers, body: await response.text(), isBase64Encoded: false };
}

/** CloudWatch is told of each request; on one machine nobody is, and nothing is loaded for it. */
async function openMetrics({ PLATFORM }: Config) {
  if (PLATFORM !== "aws") return undefined;
  return (await import("../platform/aws/request-metrics.ts")).createRequestMetrics();
}
