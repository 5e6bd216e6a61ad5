import { afterEach, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import { openLocalPorts } from "../../adapters/local/ports.ts";
import { loadConfig } from "../../entry/config.ts";
import { createBaseRuntime, createRuntime } from "../../entry/runtime.ts";
import { systemClock } from "../../kernel/clock.ts";
import { silentLogger } from "../../kernel/logger.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import { OPERATOR_ORG } from "../../runtime/access/operator.ts";
import type { Runtime } from "../../runtime/context.ts";
import { hashSecret, newSecret } from "./api-keys.ts";
import { bootstrap } from "./bootstrap.ts";
import { findApiKeyByHash, listApiKeys } from "./records.ts";

const FILTER = { now: new Date().toISOString() };
const PAGE = { limit: 10, offset: 0 };

let opened: Awaited<ReturnType<typeof openLocalPorts>>;

async function openRuntime(environment: Record<string, string> = {}): Promise<Runtime> {
  const config = loadConfig({ DATA_DIR: temporaryFolder(), ...environment });
  const base = createBaseRuntime(config, systemClock, silentLogger);
  opened = await openLocalPorts(base, { streams: [], queues: [], baseUrl: () => "" });
  return createRuntime(base, opened.ports);
}

/** The runtime of several processes that all look for the key before any of them writes it. */
function racing(runtime: Runtime, processes: number): Runtime {
  const { records } = runtime.ports;
  const looked = Promise.withResolvers<void>();
  let looking = 0;
  const get = async (key: RecordKey) => {
    const found = await records.get(key);
    if (++looking === processes) looked.resolve();
    await looked.promise;
    return found;
  };
  const write = (...writes: Write[]) => records.write(...writes);
  return { ...runtime, ports: { ...runtime.ports, records: { get, write } as unknown as RecordStore } };
}

afterEach(() => opened.close());

it("creates one key and finds it at the next start", async () => {
  const runtime = await openRuntime();
  const first = await bootstrap(runtime);
  expect(first.isNew).toBe(true);
  expect(await bootstrap(runtime)).toEqual({ secret: first.secret, isNew: false });
});

it.each<{ what: string; environment: Record<string, string> }>([
  { what: "generated", environment: {} },
  { what: "given", environment: { BOOTSTRAP_API_KEY: newSecret() } },
])("creates one key from a $what secret in concurrent processes", async ({ environment }) => {
  const runtime = await openRuntime(environment);
  const processes = racing(runtime, 3);
  const keys = await Promise.all([1, 2, 3].map(() => bootstrap(processes)));
  expect(new Set(keys.map(({ secret }) => secret)).size).toBe(1);
  expect(keys.filter(({ isNew }) => isNew)).toHaveLength(1);
  const { items: stored } = await listApiKeys(runtime.ports.records, OPERATOR_ORG, FILTER, PAGE);
  expect(stored).toHaveLength(1);
  expect(await findApiKeyByHash(runtime.ports.records, hashSecret(keys[0]!.secret))).toEqual(stored[0]);
});
