import { expect, it } from "vitest";
import { DAY_MS, DAY_SECONDS } from "../../kernel/durations.ts";
import type { RecordQuery, RecordStore } from "../../ports/record-store.ts";
import type { Increment } from "../../runtime/stats/rollups.ts";
import { countDailyUse, sumUseOfAll } from "./daily-use.ts";

const NOW = Date.parse("2026-01-31T12:00:00Z");
const TODAY = Date.parse("2026-01-31T00:00:00Z");
const DAYS = { from: TODAY - DAY_MS, to: TODAY };

it("has one counter for the organization, one for the user and one for the key, which expire", () => {
  const counted: [string, string, Increment][] = [];
  const count = (key: { pk: string; sk: string }, increment: Increment) => counted.push([key.pk, key.sk, increment]);
  const principal = { org: "org_a", owner: "user_a", kind: "api_key", id: "ak_a" } as const;
  countDailyUse({ rollups: { count } as never, clock: () => NOW, principal }, { api_calls: 1 });
  const increment = { add: { api_calls: 1 }, set: { kind: "rollup", ttl: NOW / 1000 + 92 * DAY_SECONDS } };
  expect(counted).toEqual([
    ["org_a#rollup#usage", "day#2026-01-31", increment],
    ["org_a#rollup#usage-of-users", "day#2026-01-31#user_a", increment],
    ["org_a#rollup#usage-of-keys", "day#2026-01-31#ak_a", increment],
  ]);
});

it("reads at most 10,000 counters, those of the last day first", async () => {
  const queries: RecordQuery[] = [];
  const query = async (asked: RecordQuery) => {
    queries.push(asked);
    const sk = (place: number) => `day#2026-01-31#ak_${queries.length}_${place}`;
    const items = Array.from({ length: asked.limit }, (_, place) => ({
      ...{ pk: asked.pk, sk: sk(place), kind: "rollup", ttl: 1, api_calls: 2 },
    }));
    return { items, cursor: "more" };
  };
  const { sums, isPartial } = await sumUseOfAll({ query } as unknown as RecordStore, "org_a", "keys", DAYS);
  expect([isPartial, sums.size, queries.length]).toEqual([true, 10_000, 10]);
  expect(sums.get("ak_1_0")).toMatchObject({ api_calls: 2, failed_calls: 0 });
  expect(queries[0]).toMatchObject({ descending: true, sk: { atLeast: "day#2026-01-30#" } });
});
