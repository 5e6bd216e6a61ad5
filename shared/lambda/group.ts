import middy from "@middy/core";
import { handle, type LambdaContext, type LambdaEvent } from "hono/aws-lambda";
import { createApp } from "../http/app.ts";
import type { RouteGroup } from "../http/group.ts";
import { loadConfig } from "../kernel/config.ts";
import { openFunctionHome } from "../platform/home.ts";
import { openOnce } from "./open-once.ts";

/** The Lambda entry point of an endpoint group. Opens its home once, at the first invocation. */
export function groupHandler(group: RouteGroup) {
  const open = openOnce(async () => {
    const home = await openFunctionHome(loadConfig(process.env), group.manifest.capabilities);
    return { app: createApp([group], home), home };
  });
  return middy(async (event: LambdaEvent, context: LambdaContext) => {
    const { app } = await open();
    return handle(app)(event, context);
  }).after(async () => {
    const { home } = await open();
    if (home.rollups.isDue()) await home.rollups.flush();
  });
}
