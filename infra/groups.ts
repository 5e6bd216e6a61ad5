import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { GroupManifest } from "../shared/ports/manifest.ts";
import type { RouteGroup } from "../shared/runtime/http/group.ts";
import { type Discovered, discoverGroups } from "./discover.ts";

let loaded: Promise<RouteGroup[]> | undefined;

/** The routes of every endpoint group by name, read once per process. */
export function loadGroups(): Promise<RouteGroup[]> {
  loaded ??= discoverGroups().then((groups) => Promise.all(groups.map(routesOf)));
  return loaded;
}

async function routesOf({ module }: Discovered<GroupManifest>): Promise<RouteGroup> {
  return (await import(pathToFileURL(module).href)).routes;
}

/** The exports of each group's `schemas.ts` in the order of `loadGroups`; empty for a group without one. */
export function loadSchemas(): Promise<Record<string, unknown>[]> {
  return loadBeside("schemas.ts");
}

/** The descriptions of each group's `fields.ts` in the order of `loadGroups`; undefined for a group without one. */
export async function loadFields(): Promise<(Readonly<Record<string, string>> | undefined)[]> {
  const modules = await loadBeside("fields.ts");
  return modules.map(({ FIELDS }) => FIELDS as Readonly<Record<string, string>> | undefined);
}

async function loadBeside(name: string): Promise<Record<string, unknown>[]> {
  const groups = await discoverGroups();
  const files = groups.map(({ module }) => path.join(path.dirname(module), name));
  return Promise.all(files.map((file) => (existsSync(file) ? import(pathToFileURL(file).href) : {})));
}
