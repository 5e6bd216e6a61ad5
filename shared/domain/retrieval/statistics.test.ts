import { beforeEach, expect, it } from "vitest";
import { openRecordStore } from "../../../test/support/record-store.ts";
import type { LocalRecordStore } from "../../adapters/local/records.ts";
import { silentLogger } from "../../kernel/logger.ts";
import { Query } from "../../language/questions/query.ts";
import type { Context } from "../../runtime/context.ts";
import { Rollups } from "../../runtime/stats/rollups.ts";
import { countSearch, forgetQueries, readSearchStatistics } from "./statistics.ts";

const DAY = 86_400_000;
let now = Date.parse("2026-01-31T12:00:00Z");
let records: LocalRecordStore;

beforeEach(() => {
  records = openRecordStore(() => now);
});

/** The context of an admin in a process with this position among others. */
function processAt(position: number): Context {
  return {
    org: "org_1",
    ports: { records },
    clock: () => now,
    rollups: new Rollups(records, () => now, silentLogger, position),
    principal: { org: "org_1", id: "usr_1", permissions: ["admin:all"] },
  } as unknown as Context;
}

const search = (ctx: Context, query: string) =>
  countSearch(ctx, { mode: "semantic", query: new Query(query) }, async () => ({ answer: undefined, shown: [] }));

it("counts queries of many processes in several records of a day, and shows their sum", async () => {
  const processes = [0, 0.3, 0.99].map(processAt);
  for (const ctx of processes) {
    await search(ctx, "Where is the key?");
    await ctx.rollups.flush();
  }
  now += DAY;
  await search(processes[0]!, "where is  the key?");
  const stored = await records.query({ pk: "org_1#queries", limit: 10 });
  expect(stored.items.map(({ sk }) => sk)).toEqual(["day#2026-01-31", "day#2026-01-31#15", "day#2026-01-31#4"]);
  expect((await readSearchStatistics(processes[1]!)).popular_queries).toEqual([
    { query: "where is the key?", count: 3 },
  ]);
  await processes[0]!.rollups.flush();
  expect((await readSearchStatistics(processes[1]!)).popular_queries).toEqual([
    { query: "where is the key?", count: 4 },
  ]);
});

it("forgets the queries of all processes", async () => {
  for (const ctx of [0, 0.5].map(processAt)) {
    await search(ctx, "a name");
    await ctx.rollups.flush();
  }
  const ctx = processAt(0);
  await forgetQueries(ctx, []);
  expect((await readSearchStatistics(ctx)).popular_queries).toEqual([]);
  expect((await records.query({ pk: "org_1#queries", limit: 10 })).items).toEqual([]);
});
