import middy from "@middy/core";
import { handle, type LambdaContext, type LambdaEvent } from "hono/aws-lambda";
import type { Config } from "../../kernel/config.ts";
import { unavailable } from "../../kernel/errors.ts";
import type { GroupManifest } from "../../ports/manifest.ts";
import type { Runtime } from "../../runtime/context.ts";
import { failure } from "../../runtime/http/envelope.ts";
import type { RouteGroup } from "../../runtime/http/group.ts";
import { securityHeadersOf } from "../../runtime/http/security-headers.ts";
import { loadConfig } from "../config.ts";
import { createApp } from "../http/app.ts";
import { openFunctionRuntime } from "../runtime.ts";
import { withEmptyHeaders, withEscapedPath, withoutUnreadBody } from "./events.ts";
import { openAtInit, openOnce } from "./open-once.ts";
import { flushAtShutdown, registerExtension } from "./shutdown.ts";

await registerExtension();

/** The remaining time of a function at which an unfinished request gets a response. */
const SPARE_MS = 500;
const RETRY_SECONDS = 1;

/** Returns the handler of an endpoint group, opened if that succeeds. */
export async function groupHandler(group: RouteGroup) {
  const { handler, open } = groupEntry(group);
  await openAtInit(open);
  return handler;
}

/**
 * The Lambda entry point of an endpoint group. Creates its runtime once: with `open`, or at the first invocation. A request
 * that would exceed the function's timeout gets the API's own error response before Lambda ends the process and API Gateway
 * answers 500.
 */
export function groupEntry(group: RouteGroup) {
  const open = openOnce(async () => {
    const config = loadConfig(process.env);
    const [runtime, measure] = await Promise.all([
      openFunctionRuntime(config, group.manifest.capabilities),
      openMetrics(config),
    ]);
    flushAtShutdown(() => runtime.rollups.flush());
    return { app: createApp([group], runtime, { measure }), runtime };
  });
  const serve = async (event: LambdaEvent, context: LambdaContext) => {
    const { app, runtime } = await open();
    const answer = await handle(app)(withoutUnreadBody(withEmptyHeaders(withEscapedPath(event))), context);
    // Before the response, because the function may be frozen afterwards.
    if (runtime.rollups.isDue()) await runtime.rollups.flush();
    return answer;
  };
  const handler = middy(serve, {
    timeoutEarlyInMillis: SPARE_MS,
    timeoutEarlyResponse: async () => answerForLate((await open()).runtime, group.manifest),
  });
  return { handler, open };
}

/** The pending work may still complete; writes to the table complete entirely or not at all. */
async function answerForLate({ clock, config, ids, logger }: Runtime, { name, compatibility }: GroupManifest) {
  const request_id = ids("request");
  logger.error("REQUEST_TIMED_OUT", { service: name, request_id });
  const error = unavailable(
    "The request exceeded its time limit and its outcome is unknown. Check, then try again shortly.",
    RETRY_SECONDS,
  );
  const response = failure(error, request_id, clock(), { withDetail: compatibility });
  const headers = { ...Object.fromEntries(response.headers), ...securityHeadersOf(config) };
  return { statusCode: response.status, headers, body: await response.text(), isBase64Encoded: false };
}

/** Sends a metric per request to CloudWatch; loads nothing on a local server. */
async function openMetrics({ PLATFORM }: Config) {
  if (PLATFORM !== "aws") return undefined;
  return (await import("../../adapters/aws/request-metrics.ts")).createRequestMetrics();
}
