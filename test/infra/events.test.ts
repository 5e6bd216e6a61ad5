import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Discovered, discoverGroups, discoverWorkers } from "../../infra/discover.ts";
import { openLocalPorts } from "../../shared/adapters/local/ports.ts";
import { bootstrap } from "../../shared/domain/identity/bootstrap.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { groupEntry } from "../../shared/entry/lambda/group.ts";
import { workerEntry } from "../../shared/entry/lambda/worker.ts";
import { createBaseRuntime, createRuntime } from "../../shared/entry/runtime.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";

const EVENTS_FOLDER = fileURLToPath(new URL("../../events", import.meta.url));
const groups = await discoverGroups();
const workers = await discoverWorkers();
const handlers: Discovered<{ name: string }>[] = [...groups, ...workers];

type Handler = (event: unknown, context: Partial<Context>) => Promise<unknown>;

/** The handler that the bundle's generated entry point exports. */
async function handlerOf({ module }: Discovered<unknown>): Promise<Handler> {
  const exported = await import(pathToFileURL(module).href);
  const handler = "routes" in exported ? groupEntry(exported.routes).handler : workerEntry(exported).handler;
  return handler as Handler;
}

function readEvent<Event>(name: string): Event {
  return JSON.parse(readFileSync(path.join(EVENTS_FOLDER, `${name}.json`), "utf8"));
}

/** Each handler opens its own runtime, and a data folder belongs to one runtime at a time. */
function useFreshRuntime(): void {
  vi.stubEnv("PLATFORM", "local");
  vi.stubEnv("LOG_LEVEL", "error");
  vi.stubEnv("DATA_DIR", temporaryFolder());
}

/** The key that the sample requests carry, in the data folder that the handler is about to open. */
async function makeKeyOf({ headers }: APIGatewayProxyEventV2): Promise<void> {
  const key = headers["x-api-key"];
  if (key === undefined) return;
  const base = createBaseRuntime(loadConfig({ ...process.env, BOOTSTRAP_API_KEY: key }));
  const { ports, close } = await openLocalPorts(base, { streams: [], queues: [], baseUrl: () => "" });
  await bootstrap(createRuntime(base, ports));
  close();
}

beforeEach(useFreshRuntime);
afterEach(() => vi.unstubAllEnvs());

describe("events/", () => {
  it("has one event per handler, named after it", () => {
    expect(handlers.length).toBeGreaterThan(0);
    const files = readdirSync(EVENTS_FOLDER).map((file) => path.basename(file, ".json"));
    expect(files.sort()).toEqual(handlers.map(({ manifest }) => manifest.name).sort());
  });
});

describe.each(groups.map((group) => [group.manifest.name, group] as const))("events/%s.json", (name, group) => {
  it("is a request that the group's prefixes lead to", () => {
    const event = readEvent<APIGatewayProxyEventV2>(name);
    const begins = (each: string) => event.rawPath === each || event.rawPath.startsWith(`${each}/`);
    const prefix = group.manifest.prefixes.find(begins);
    expect(prefix, event.rawPath).toBeDefined();
    expect(event.requestContext.routeKey).toBe(event.rawPath === prefix ? `ANY ${prefix}` : `ANY ${prefix}/{proxy+}`);
  });

  it("is answered with success", async () => {
    const event = readEvent<APIGatewayProxyEventV2>(name);
    await makeKeyOf(event);
    const handler = await handlerOf(group);
    const answer = (await handler(event, {})) as { statusCode: number; body: string; headers: Record<string, string> };
    expect(answer.statusCode, answer.body).toBeGreaterThanOrEqual(200);
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    const isJson = answer.headers["content-type"]?.startsWith("application/json");
    const { success = "bare" } = isJson ? JSON.parse(answer.body) : {};
    expect([true, "bare"], "the envelope, or bare").toContain(success);
  });
});

describe.each(workers.map((worker) => [worker.manifest.name, worker] as const))("events/%s.json", (name, worker) => {
  it("is worked off without a failure", async () => {
    const handler = await handlerOf(worker);
    const answer = await handler(readEvent(name), {});
    if ("schedule" in worker.manifest.source) expect(answer).toBeUndefined();
    else expect(answer).toEqual({ batchItemFailures: [] });
  });
});
