import middy from "@middy/core";
import { handle, type LambdaContext, type LambdaEvent } from "hono/aws-lambda";
import { createApp } from "../http/app.ts";
import type { RouteGroup } from "../http/group.ts";
import { type Config, loadConfig } from "../kernel/config.ts";
import { openFunctionHome } from "../platform/home.ts";
import { openOnce } from "./open-once.ts";

/** The Lambda entry point of an endpoint group. Opens its home once, at the first invocation. */
export function groupHandler(group: RouteGroup) {
  const open = openOnce(async () => {
    const config = loadConfig(process.env);
    const [home, measure] = await Promise.all([
      openFunctionHome(config, group.manifest.capabilities),
      openMetrics(config),
    ]);
    return { app: createApp([group], home, measure), home };
  });
  return middy(async (event: LambdaEvent, context: LambdaContext) => {
    const { app } = await open();
    return handle(app)(event, context);
  }).after(async () => {
    const { home } = await open();
    if (home.rollups.isDue()) await home.rollups.flush();
  });
}

/** CloudWatch is told of each request; on one machine nobody is, and nothing is loaded for it. */
async function openMetrics({ PLATFORM }: Config) {
  if (PLATFORM !== "aws") return undefined;
  return (await import("../platform/aws/request-metrics.ts")).createRequestMetrics();
}
