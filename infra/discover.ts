import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as z from "zod";
import {
  API_TIMEOUT_SECONDS,
  deployedNameOf,
  type GroupManifest,
  type WorkerManifest,
} from "../shared/ports/manifest.ts";
import type { Capability, PortName } from "../shared/ports/ports.ts";
import { QUEUE_NAMES, sendsTo } from "../shared/ports/queues.ts";
import { PURPOSES } from "../shared/ports/secret-names.ts";

/** Folder of this repository's endpoint groups and workers. */
const FUNCTIONS_FOLDER = fileURLToPath(new URL("../functions", import.meta.url));

const PORTS: Record<Exclude<PortName, "secrets">, true> = {
  records: true,
  inventory: true,
  search: true,
  blobs: true,
  queue: true,
  embedder: true,
  reranker: true,
  reader: true,
  models: true,
  mailer: true,
  logs: true,
};

const CAPABILITIES: ReadonlySet<unknown> = new Set<Capability>([
  ...(Object.keys(PORTS) as (keyof typeof PORTS)[]),
  "inventory:export",
  ...sendsTo(...QUEUE_NAMES),
  ...PURPOSES.map((each) => `secrets:${each}` as const),
]);

const name = z.string().regex(/^[a-z][a-z0-9-]*$/, "must consist of lower-case letters, digits and hyphens");
const common = {
  name,
  capabilities: z.array(z.custom<Capability>((value) => CAPABILITIES.has(value))),
  memoryMb: z.int().min(128).max(10_240),
};

const GroupSchema: z.ZodType<GroupManifest> = z.strictObject({
  ...common,
  prefixes: z
    .array(
      z.string().regex(/^\/([^/]+(\/[^/]+)?)?$/, "must have one or two path segments, or be '/' for all other paths"),
    )
    .min(1),
  timeoutSeconds: z.int().min(1).max(API_TIMEOUT_SECONDS).optional(),
  packageFiles: z.array(z.string().min(1)).optional(),
  files: z.array(z.string().min(1)).optional(),
  rootFiles: z.array(z.string().min(1)).optional(),
  allowsAgentKeys: z.literal(true).optional(),
  resource: z.literal("/mcp").optional(),
  compatibility: z.literal(true).optional(),
});

const WorkerSchema: z.ZodType<WorkerManifest> = z.strictObject({
  ...common,
  deployedName: name.optional(),
  source: z.union([
    z.strictObject({
      stream: z.strictObject({
        kinds: z.array(z.string().min(1)).min(1),
        partSize: z.int().min(1).max(100).optional(),
      }),
    }),
    z.strictObject({
      queues: z.strictObject({
        names: z.array(name).min(1),
        batchSize: z.int().min(1).max(10),
        maxReceives: z.int().min(1).max(1000),
        redeliverAfterCrash: z.literal(true).optional(),
        /** Lambda's limit per event source. */
        maxConcurrency: z.int().min(2).max(1000),
        concurrency: z.int().min(2).max(1000).optional(),
      }),
    }),
    z.strictObject({
      deadLetters: z.strictObject({ of: z.array(name).min(1), batchSize: z.int().min(1).max(10) }),
    }),
    z.strictObject({ schedule: z.strictObject({ everyMinutes: z.int().min(1) }) }),
  ]),
  timeoutSeconds: z.int().min(1).max(900),
});

/** A function to deploy: its manifest and its code. */
export interface Discovered<Manifest> {
  manifest: Manifest;
  /** Absolute path of the group's `routes.ts` or the worker's `worker.ts`. */
  module: string;
  /** Absolute path of the `handler.ts` beside it, which Lambda loads. */
  handler: string;
}

/**
 * Every `<folder>/<name>/group.ts` by name. Throws on a malformed manifest, missing routes and a prefix claimed twice.
 */
export async function discoverGroups(folder = FUNCTIONS_FOLDER): Promise<Discovered<GroupManifest>[]> {
  const groups = await discover(folder, { role: "group", code: "routes.ts" }, GroupSchema);
  refuseDuplicates(groups.flatMap(({ manifest }) => manifest.prefixes));
  return groups;
}

/**
 * Every `<folder>/workers/<name>/worker.ts` by name. Throws on a malformed manifest, a queue with two readers and
 * dead letters of an unknown queue.
 */
export async function discoverWorkers(folder = FUNCTIONS_FOLDER): Promise<Discovered<WorkerManifest>[]> {
  const workers = await discover(path.join(folder, "workers"), { role: "worker", code: "worker.ts" }, WorkerSchema);
  refuseDuplicates(workers.map(({ manifest }) => deployedNameOf(manifest)));
  const sources = workers.map(({ manifest }) => manifest.source);
  const made = sources.flatMap((source) => ("queues" in source ? source.queues.names : []));
  const given = sources.flatMap((source) => ("deadLetters" in source ? source.deadLetters.of : []));
  refuseDuplicates(made);
  refuseDuplicates(given);
  const unmade = given.find((queue) => !made.includes(queue));
  if (unmade !== undefined)
    throw new Error(`a worker reads the dead letters of '${unmade}', a queue that no worker reads`);
  return workers;
}

async function discover<Manifest extends { name: string }>(
  folder: string,
  { role, code }: { role: "group" | "worker"; code: string },
  schema: z.ZodType<Manifest>,
): Promise<Discovered<Manifest>[]> {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((entry) => existsSync(path.join(folder, entry, `${role}.ts`)));
  return Promise.all(
    names.sort().map(async (entry) => {
      const file = path.join(folder, entry, `${role}.ts`);
      const exported: Record<string, unknown> = await import(pathToFileURL(file).href);
      const parsed = schema.safeParse(exported[role]);
      if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
      const manifest = parsed.data;
      if (manifest.name !== entry) throw new Error(`${file}: the name '${manifest.name}' is not its folder's`);
      const [module, handler] = [code, "handler.ts"].map((name) => {
        const beside = path.join(folder, entry, name);
        if (!existsSync(beside)) throw new Error(`${file}: has no ${name} beside it`);
        return beside;
      }) as [string, string];
      return { manifest, module, handler };
    }),
  );
}

function refuseDuplicates(claims: string[]): void {
  const twice = claims.find((claim, index) => claims.indexOf(claim) !== index);
  if (twice !== undefined) throw new Error(`'${twice}' is claimed by two manifests`);
}
