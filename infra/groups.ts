import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { RouteGroup } from "../shared/runtime/http/group.ts";
import { discoverGroups } from "./discover.ts";

/** The routes of every endpoint group by name. */
export async function loadGroups(): Promise<RouteGroup[]> {
  const groups = await discoverGroups();
  return Promise.all(
    groups.map(async ({ handler }) => (await importBeside(handler, "routes.ts")).routes as RouteGroup),
  );
}

/** The exports of each group's `schemas.ts` in the order of `loadGroups`; empty for a group without one. */
export async function loadSchemas(): Promise<Record<string, unknown>[]> {
  const groups = await discoverGroups();
  const hasSchemas = (handler: string) => existsSync(path.join(path.dirname(handler), "schemas.ts"));
  return Promise.all(
    groups.map(async ({ handler }) => (hasSchemas(handler) ? importBeside(handler, "schemas.ts") : {})),
  );
}

function importBeside(handler: string, file: string): Promise<Record<string, unknown>> {
  return import(new URL(file, pathToFileURL(handler)).href);
}
