import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLogger } from "../../../shared/kernel/logger.ts";
import type { Home } from "../../../shared/platform/context.ts";
import { type LocalService, openService } from "../../../test/support/service.ts";
import { createSweep } from "./service.ts";

let service: LocalService;

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

/** The home, whose search index is down where told, and what the sweep says that it did. */
function sweeping({ searchIsDown = false } = {}) {
  const told: Record<string, unknown>[] = [];
  const logger = {
    ...silentLogger,
    info: (message: string, fields = {}) => void (message === "SWEPT" && told.push(fields)),
  };
  const search = new Proxy(service.home.ports.search, {
    get: (index, name) => (name === "purge" ? () => Promise.reject(new Error("down")) : Reflect.get(index, name)),
  });
  const ports = searchIsDown ? { ...service.home.ports, search } : service.home.ports;
  const home: Home = { ...service.home, logger, ports };
  return { sweep: createSweep(home), told };
}

it("does every chore, and tells how much each did", async () => {
  const { sweep, told } = sweeping();
  await sweep();
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({
    tombstones: 0,
    jobs: 0,
    backups: 0,
    cleanup: 0,
  });
  // A search engine that hangs holds up nothing else.
  expect(Object.keys(told[0] ?? {}).slice(-2)).toEqual(["tombstones", "tiers"]);
});

it("does the others where one fails, and fails itself in the end", async () => {
  const { sweep, told } = sweeping({ searchIsDown: true });
  await expect(sweep()).rejects.toThrow("chores failed: tombstones");
  const all = sweeping();
  await all.sweep();
  const { tombstones: _, ...others } = all.told[0] ?? {};
  expect(Object.keys(told[0] ?? {})).toEqual(Object.keys(others));
});
