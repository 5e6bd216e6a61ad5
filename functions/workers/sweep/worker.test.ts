import { afterAll, expect, it } from "vitest";
import { silentLogger } from "../../../shared/kernel/logger.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { replaced } from "../../../test/support/replaced.ts";
import { openService } from "../../../test/support/service.ts";
import { createScheduledJob } from "./worker.ts";

const service = await openService();
afterAll(() => service.close());

/** A sweep, optionally with a failing search index, and the results that it logs. */
function sweeping({ searchIsDown = false } = {}) {
  const logged: Record<string, unknown>[] = [];
  const logger = {
    ...silentLogger,
    info: (message: string, fields = {}) => void (message === "SWEPT" && logged.push(fields)),
  };
  const search = replaced(service.runtime.ports.search, { purge: () => Promise.reject(new Error("down")) });
  const ports = searchIsDown ? { ...service.runtime.ports, search } : service.runtime.ports;
  const runtime: Runtime = { ...service.runtime, logger, ports };
  return { sweep: createScheduledJob(runtime), logged };
}

it("does every chore, and logs how much each did", async () => {
  const { sweep, logged } = sweeping();
  await sweep();
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatchObject({ tombstones: 0, jobs: 0, backups: 0, cleanup: 0 });
  // Chores that a hanging search engine may delay come last.
  expect(Object.keys(logged[0] ?? {}).slice(-2)).toEqual(["tombstones", "tiers"]);
});

it("does the other chores if one fails, and then fails", async () => {
  const { sweep, logged } = sweeping({ searchIsDown: true });
  await expect(sweep()).rejects.toThrow("chores failed: tombstones");
  const all = sweeping();
  await all.sweep();
  const { tombstones: _, ...others } = all.logged[0] ?? {};
  expect(Object.keys(logged[0] ?? {})).toEqual(Object.keys(others));
});
