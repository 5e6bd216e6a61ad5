import { afterEach, expect, it } from "vitest";
import { temporaryFolder } from "../../test/fixtures/temporary-folder.ts";
import { systemClock } from "../kernel/clock.ts";
import { loadConfig } from "../kernel/config.ts";
import { silentLogger } from "../kernel/logger.ts";
import type { Home } from "../platform/context.ts";
import { assembleHome, layFoundation } from "../platform/home.ts";
import { openLocalPorts } from "../platform/local/ports.ts";
import type { RecordKey, RecordStore, Write } from "../platform/ports.ts";
import { hashSecret, newSecret } from "./api-keys.ts";
import { bootstrap, OPERATOR_ORG } from "./bootstrap.ts";
import { findApiKeyByHash, listApiKeys } from "./records.ts";

const FILTER = { now: new Date().toISOString() };
const PAGE = { limit: 10, offset: 0 };

let opened: Awaited<ReturnType<typeof openLocalPorts>>;

async function openHome(environment: Record<string, string> = {}): Promise<Home> {
  const config = loadConfig({ DATA_DIR: temporaryFolder(), ...environment });
  const foundation = layFoundation(config, systemClock, silentLogger);
  opened = await openLocalPorts(foundation, { streams: [], queues: [], baseUrl: () => "" });
  return assembleHome(foundation, opened.ports);
}

/** Home of one of several processes: each looks for the key before any of them writes it. */
function racing(home: Home, processes: number): Home {
  const { records } = home.ports;
  const looked = Promise.withResolvers<void>();
  let looking = 0;
  const get = async (key: RecordKey) => {
    const found = await records.get(key);
    if (++looking === processes) looked.resolve();
    await looked.promise;
    return found;
  };
  const write = (...writes: Write[]) => records.write(...writes);
  return { ...home, ports: { ...home.ports, records: { get, write } as unknown as RecordStore } };
}

afterEach(() => opened.close());

it("makes one key, and finds it at the next start", async () => {
  const home = await openHome();
  const first = await bootstrap(home);
  expect(first.isNew).toBe(true);
  expect(await bootstrap(home)).toEqual({ secret: first.secret, isNew: false });
});

it.each<{ what: string; environment: Record<string, string> }>([
  { what: "generated", environment: {} },
  { what: "given", environment: { BOOTSTRAP_API_KEY: newSecret() } },
])("makes one key of a $what secret in several processes at once", async ({ environment }) => {
  const home = await openHome(environment);
  const processes = racing(home, 3);
  const keys = await Promise.all([1, 2, 3].map(() => bootstrap(processes)));
  expect(new Set(keys.map(({ secret }) => secret)).size).toBe(1);
  expect(keys.filter(({ isNew }) => isNew)).toHaveLength(1);
  const { keys: stored } = await listApiKeys(home.ports.records, OPERATOR_ORG, FILTER, PAGE);
  expect(stored).toHaveLength(1);
  expect(await findApiKeyByHash(home.ports.records, hashSecret(keys[0]!.secret))).toEqual(stored[0]);
});
