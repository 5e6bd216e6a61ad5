import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { LocalQueue } from "../../shared/adapters/local/queue.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Ports } from "../../shared/ports/ports.ts";
import { deadLettersOf } from "../../shared/ports/queues.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { Traffic } from "../../shared/runtime/stats/traffic.ts";
import { contextOf } from "../../test/support/principals.ts";
import { replaced } from "../../test/support/replaced.ts";
import { openService } from "../../test/support/service.ts";
import { readMetrics } from "./metrics.ts";
import { readSystemHealth } from "./service.ts";

let now = Date.parse("2026-01-31T12:00:30Z");

const service = await openService({}, () => now);
const { records, search, blobs, queue } = service.runtime.ports;

beforeEach(() => {
  // Earlier counts are outside of the measured window.
  now += 3_600_000;
});
afterAll(() => service.close());

/** The operator's context, in which the given ports replace the usual ones. */
function operator(broken: Partial<Ports> = {}): Context {
  const ports = { ...service.runtime.ports, ...broken };
  return contextOf({ ...service.runtime, ports, logger: silentLogger }, { operator: true, org: "org_operator" });
}

const NO_RATES = { avg_response_time_ms: null, error_rate: null };
const down = () => Promise.reject(new Error("down"));

describe("the health of the deployment", () => {
  it("is unhealthy with the database, and degraded with another store", async () => {
    const withoutRecords = await readSystemHealth(operator({ records: replaced(records, { ping: down }) }));
    expect(withoutRecords.overall_status).toBe("unhealthy");
    expect(withoutRecords.components.database.status).toBe("unhealthy");
    for (const [name, broken] of [
      ["search", { search: replaced(search, { ping: down }) }],
      ["storage", { blobs: replaced(blobs, { ping: down }) }],
      ["queues", { queue: replaced(queue, { ping: down }) }],
    ] as const) {
      const { overall_status, components } = await readSystemHealth(operator(broken));
      expect([overall_status, components[name].status]).toEqual(["degraded", "unhealthy"]);
      expect(components.database.status).toBe("healthy");
    }
  });

  it("is reported even if every store hangs, including the one with the request counters", async () => {
    const hang = () => new Promise<never>(() => undefined);
    const everything = {
      records: replaced(records, { ping: hang, query: hang }),
      search: replaced(search, { ping: hang }),
      blobs: replaced(blobs, { ping: hang, space: hang }),
      queue: replaced(queue, { ping: hang, depth: hang }),
    };
    const begun = performance.now();
    const { overall_status, components } = await readSystemHealth(operator(everything));
    expect(performance.now() - begun).toBeLessThan(9_000);
    expect(overall_status).toBe("unhealthy");
    const { database, storage, search: searching, queues, api } = components;
    for (const { status } of [database, storage, searching, queues]) expect(status).toBe("unhealthy");
    expect(api).toEqual({ status: "degraded", ...NO_RATES, requests_per_second: null });
  });

  it("is reported even if queues and the disk report nothing", async () => {
    const silent = replaced(queue, { depth: down });
    const diskless = replaced(blobs, { space: down });
    const { components } = await readSystemHealth(operator({ queue: silent, blobs: diskless }));
    expect(components.queues).toMatchObject({ status: "degraded", waiting: null, dead_letters: null, queues: null });
    expect(components.storage).toMatchObject({ status: "healthy", disk_total_gb: null, disk_usage_percentage: null });
  });

  it("is degraded by a nearly full disk, and includes its usage", async () => {
    const full = (used: number) => replaced(blobs, { space: async () => ({ used, total: 100 * 1024 ** 3 }) });
    const almost = await readSystemHealth(operator({ blobs: full(89.9 * 1024 ** 3) }));
    expect(almost.components.storage).toMatchObject({ status: "healthy", disk_usage_percentage: 89.9 });
    const nearly = await readSystemHealth(operator({ blobs: full(90 * 1024 ** 3) }));
    expect(nearly.components.storage).toMatchObject({ status: "degraded", disk_usage_gb: 90, disk_total_gb: 100 });
    expect(nearly.overall_status).toBe("degraded");
  });

  it("is degraded by dead letters, and counts them by queue", async () => {
    const name = deadLettersOf("hand-over");
    await queue.send(name, [{ body: "a message" }]);
    const { components, overall_status } = await readSystemHealth(operator());
    expect([overall_status, components.queues.status, components.queues.dead_letters]).toEqual([
      "degraded",
      "degraded",
      1,
    ]);
    const counted = components.queues.queues?.find((each) => each.name === "hand-over");
    expect(counted).toEqual({ name: "hand-over", waiting: 0, in_flight: 0, delayed: 0, dead_letters: 1 });
    const local = queue as unknown as LocalQueue;
    local.delete(local.receive(name, 1).map(({ receipt }) => receipt));
  });

  it("is degraded by many failed requests, and has rates of the last five minutes only", async () => {
    const traffic = new Traffic(
      () => now,
      () => ({ hits: 3, misses: 1 }),
    );
    service.runtime.rollups.addSource(traffic);
    const quiet = await readSystemHealth(operator());
    expect(quiet.components.api).toEqual({ status: "healthy", ...NO_RATES, requests_per_second: 0 });
    expect(quiet.components.cache.hit_rate).toBeNull();
    for (let n = 0; n < 19; n++) traffic.count({ route: "GET /memories", status: n === 0 ? 404 : 200, durationMs: 10 });
    traffic.count({ route: "GET /memories", status: 500, durationMs: 30 });
    const { components, overall_status } = await readSystemHealth(operator());
    expect(components.api).toMatchObject({ status: "degraded", avg_response_time_ms: 11, error_rate: 0.05 });
    // Twenty requests in five minutes and the current half minute.
    expect(components.api.requests_per_second).toBeCloseTo(20 / 330, 3);
    expect(components.cache.hit_rate).toBe(0.75);
    expect(overall_status).toBe("degraded");
    now += 6 * 60_000;
    const later = await readSystemHealth(operator());
    expect(later.components.api).toMatchObject({ status: "healthy", error_rate: null });
  });

  it("does not withhold the metrics that are known", async () => {
    const broken = { search: replaced(search, { countMemories: down }), blobs: replaced(blobs, { space: down }) };
    const { summary } = await readMetrics(operator(broken));
    expect(summary.business_metrics).toMatchObject({ total_memories: null, total_sessions: 0 });
    expect(summary.performance.disk_usage).toBeNull();
    expect(summary.performance.memory_usage).toBeGreaterThan(0);
  });

  it("is visible only to the operator", async () => {
    await expect(readSystemHealth(contextOf(service.runtime))).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});
