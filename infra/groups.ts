import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { RouteGroup } from "../shared/runtime/http/group.ts";
import { discoverGroups } from "./discover.ts";

/** The routes of every endpoint group by name. */
export async function loadGroups(): Promise<RouteGroup[]> {
  const groups = await discoverGroups();
  return Promise.all(groups.map(async ({ module }) => (await import(pathToFileURL(module).href)).routes as RouteGroup));
}

/** The exports of each group's `schemas.ts` in the order of `loadGroups`; empty for a group without one. */
export async function loadSchemas(): Promise<Record<string, unknown>[]> {
  const groups = await discoverGroups();
  const files = groups.map(({ module }) => path.join(path.dirname(module), "schemas.ts"));
  return Promise.all(files.map((file) => (existsSync(file) ? import(pathToFileURL(file).href) : {})));
}
