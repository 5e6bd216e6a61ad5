import middy from "@middy/core";
import type { Hono } from "hono";
import { handle, type LambdaContext, type LambdaEvent } from "hono/aws-lambda";
import { createApp } from "../http/app.ts";
import type { RouteGroup } from "../http/group.ts";
import { loadConfig } from "../kernel/config.ts";
import type { Home } from "../platform/context.ts";
import { openFunctionHome } from "../platform/home.ts";

/** The Lambda entry point of an endpoint group. Opens its home once, at the first invocation. */
export function groupHandler(group: RouteGroup) {
  let opening: Promise<{ app: Hono; home: Home }> | undefined;
  const open = async () => {
    const home = await openFunctionHome(loadConfig(process.env), group.manifest.capabilities);
    return { app: createApp([group], home), home };
  };
  const once = () => {
    opening ??= open();
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  return middy(async (event: LambdaEvent, context: LambdaContext) => {
    const { app } = await once();
    return handle(app)(event, context);
  }).after(async () => {
    const { home } = await once();
    if (home.rollups.isDue()) await home.rollups.flush();
  });
}
