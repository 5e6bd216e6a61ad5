import { beforeEach, expect, it } from "vitest";
import { openRecordStore } from "../../../test/support/record-store.ts";
import type { LocalRecordStore } from "../../adapters/local/records.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import { silentLogger } from "../../kernel/logger.ts";
import { percentile } from "./histogram.ts";
import { Rollups } from "./rollups.ts";
import { ACTIVE_DAYS, countActiveUsers, readRequestSeries, readRequests, readRoutes, Traffic } from "./traffic.ts";

const START = Date.parse("2026-01-31T12:00:30Z");
let now: number;
let records: LocalRecordStore;

beforeEach(() => {
  now = START;
  records = openRecordStore(() => now);
});

/** Creates the counters that each process has for itself. */
function openProcess(cacheUse = () => ({ hits: 0, misses: 0 })) {
  const rollups = new Rollups(records, () => now, silentLogger);
  const traffic = new Traffic(() => now, cacheUse);
  rollups.addSource(traffic);
  return { rollups, traffic };
}

it("sums the requests of many processes by minute, by route and in total", async () => {
  const use = { hits: 10, misses: 1 };
  const [one, other] = [openProcess(() => ({ ...use })), openProcess()];
  expect(one.traffic.isEmpty()).toBe(true);
  one.traffic.count({ route: "GET /memories/{id}", status: 200, durationMs: 4 });
  one.traffic.count({ route: "GET /memories/{id}", status: 404, durationMs: 1 });
  other.traffic.count({ route: "POST /memories", status: 503, durationMs: 1000, user: "user_1" });
  await one.rollups.flush();
  now += 60_000;
  use.hits = 12;
  one.traffic.count({ route: "GET /memories/{id}", status: 200, durationMs: 2, user: "user_1" });
  await Promise.all([one.rollups.flush(), other.rollups.flush()]);
  await one.rollups.flush();

  expect(await readRequests(records)).toMatchObject({
    successful: 2,
    refused: 1,
    failed: 1,
    duration_ms: 1007,
    cache_hits: 12,
    cache_misses: 1,
  });
  const minutes = await readRequestSeries(records, "minute", START - DAY_MS);
  expect(minutes.map(({ at, counters }) => [at, counters.successful, counters.failed, counters.cache_hits])).toEqual([
    ["2026-01-31T12:00:00.000Z", 1, 1, 10],
    ["2026-01-31T12:01:00.000Z", 1, undefined, 2],
  ]);
  expect((await readRequestSeries(records, "hour", START - DAY_MS)).map(({ at }) => at)).toEqual([
    "2026-01-31T12:00:00.000Z",
  ]);
  const routes = await readRoutes(records);
  expect(routes.map(({ route, counters }) => [route, counters.successful, counters.refused, counters.failed])).toEqual([
    ["GET /memories/{id}", 2, 1, undefined],
    ["POST /memories", undefined, undefined, 1],
  ]);
  expect(percentile(await readRequests(records), 1)).toBeGreaterThanOrEqual(1000);
});

it("counts a user once until they have been away for long", async () => {
  const { rollups, traffic } = openProcess();
  for (const user of ["user_1", "user_2", "user_2"]) {
    traffic.count({ route: "GET /memories", status: 200, durationMs: 1, user });
  }
  await rollups.flush();
  expect(await countActiveUsers(records)).toBe(2);
  now += 20 * DAY_MS;
  traffic.count({ route: "GET /memories", status: 200, durationMs: 1, user: "user_2" });
  await rollups.flush();
  now += (ACTIVE_DAYS - 10) * DAY_MS;
  expect(await countActiveUsers(records)).toBe(1);
});

it("drops minutes after a day, and keeps hours", async () => {
  const { rollups, traffic } = openProcess();
  traffic.count({ route: "GET /memories", status: 200, durationMs: 1 });
  await rollups.flush();
  const lengths = async () =>
    Promise.all(
      (["minute", "hour"] as const).map(
        async (each) => (await readRequestSeries(records, each, now - 3 * DAY_MS)).length,
      ),
    );
  expect(await lengths()).toEqual([1, 1]);
  now += 2 * DAY_MS;
  expect(await lengths()).toEqual([0, 1]);
});
