import { describe, expect, it } from "vitest";
import { openRecordStore } from "../../../test/support/record-store.ts";
import { replaced } from "../../../test/support/replaced.ts";
import { timestamp } from "../../kernel/clock.ts";
import { DAY_MS, HOUR_MS } from "../../kernel/durations.ts";
import { silentLogger } from "../../kernel/logger.ts";
import { inBatches } from "../../kernel/parallel.ts";
import { toItem } from "../../ports/item.ts";
import type { RecordQuery } from "../../ports/record-store.ts";
import { Rollups } from "../../runtime/stats/rollups.ts";
import { planSweep, resolveTierPolicy, type Tier, type TierPolicy } from "../compression/tiers.ts";
import { countAccess } from "./access.ts";
import { memoriesOf, memoryKey } from "./memory-keys.ts";
import { listPlacements, type SweepState } from "./tier-records.ts";
import { sweepOrganization } from "./tier-walk.ts";

const ORG = "org_large";
const NOW = Date.parse("2026-06-01T00:00:00Z");
const PAGE = 1000;
/** Nothing is archived. */
const WARM = resolveTierPolicy({
  policy: "balanced",
  settings: {
    working_tier: { max_memories: 300 },
    hot_tier: { max_memories: 600, max_tokens: 5_000 },
    cold_tier: { retention_days: 36_500 },
  },
});
/** Everything older than a day is archived, unless it was read within an hour. */
const COLD = resolveTierPolicy({
  policy: "balanced",
  settings: { hot_tier: { max_memories: 0 }, cold_tier: { max_memories: 0 } },
});

/** An organization whose memories changed every half hour, the first one now, and what its sweeps read. */
async function fill(memories: number, tierOf: (index: number) => Tier) {
  let now = NOW;
  const clock = () => now;
  const records = openRecordStore(clock);
  const items = Array.from({ length: memories }, (_, index) => {
    const id = `mem_${String(index).padStart(6, "0")}`;
    const updated_at = timestamp(NOW - index * (HOUR_MS / 2));
    const memory = { org: ORG, id, tier: tierOf(index), tokens: index % 20, updated_at, revision: 1, content: "Tea." };
    return toItem(memoryKey(ORG, id), "memory", memory, { gsi3pk: memoriesOf(ORG), gsi3sk: `${updated_at}#${id}` });
  });
  for (const batch of inBatches(items, 100)) await records.write(...batch.map((put) => ({ put })));
  const read = { pages: 0, memories: 0 };
  const counted = replaced(records, {
    query: async (query: RecordQuery) => {
      const page = await records.query(query);
      if (query.index === "gsi3") read.pages += 1;
      if (query.index === "gsi3") read.memories += page.items.length;
      return page;
    },
  });
  const rollups = new Rollups(records, clock, silentLogger);
  const runtime = {
    ports: { records: counted } as never,
    clock,
    logger: silentLogger,
    rollups,
  };
  let state: SweepState | undefined;
  return {
    records,
    read,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    get: async (id: string) => {
      countAccess({ rollups, clock, org: ORG }, id);
      await rollups.flush();
    },
    sweep: async (policy: TierPolicy, until: number) => {
      Object.assign(read, { pages: 0, memories: 0 });
      ({ state } = await sweepOrganization(runtime, ORG, { policy, last: state, until }));
      return state;
    },
    tierOf: async (id: string) => (await records.get(memoryKey(ORG, id)))?.tier,
  };
}

const NO_TIME = 0;
const ENOUGH_TIME = Number.POSITIVE_INFINITY;

describe("a sweep of a large organization", () => {
  it("reads a page at a time, continues where it ended, and plans as if it read all at once", async () => {
    const { records, read, sweep, get, pass } = await fill(2_300, () => "hot");
    const isRead = new Set(["mem_002000", "mem_001500", "mem_000020"]);
    for (const id of isRead) await get(id);
    pass(HOUR_MS / 4);
    const before = await listPlacements(records, ORG);
    const facts = before.map(({ id, tier, tokens, updated_at }) => {
      const age_ms = NOW + HOUR_MS / 4 - Date.parse(updated_at);
      return { id, tier, tokens, age_ms, idle_ms: isRead.has(id) ? HOUR_MS / 4 : undefined, access_count: 0 };
    });
    const { migrations, usage } = planSweep(facts, WARM);
    expect(migrations.length).toBeGreaterThan(1_000);

    for (const memories of [PAGE, PAGE, 2_300 - 2 * PAGE]) {
      const { walk } = await sweep(WARM, NO_TIME);
      expect(read).toEqual({ pages: 1, memories });
      expect(walk !== undefined).toBe(memories === PAGE);
    }
    const targets = new Map(migrations.map(({ id, to }) => [id, to]));
    const expected = before.map(({ id, tier }): [string, Tier] => [id, targets.get(id) ?? tier]);
    const after = (await listPlacements(records, ORG)).map(({ id, tier }): [string, Tier] => [id, tier]);
    expect(new Map(after)).toEqual(new Map(expected));
    const again = await sweep(WARM, ENOUGH_TIME);
    expect([again.usage, again.pending]).toEqual([usage, 0]);
  });

  it("reads a large archive once a day, but what is read of it in the next sweep", async () => {
    const { read, sweep, get, pass, tierOf } = await fill(6_500, (index) => (index < 48 ? "working" : "archive"));
    pass(HOUR_MS / 4);
    const first = await sweep(COLD, ENOUGH_TIME);
    expect([first.usage.working.memories, first.usage.archive.memories, read.pages]).toEqual([48, 6_452, 7]);

    await get("mem_006000");
    pass(HOUR_MS / 12);
    const second = await sweep(COLD, ENOUGH_TIME);
    expect([second.usage.working.memories, read.pages]).toEqual([49, 1]);
    expect(await tierOf("mem_006000")).toBe("working");

    pass(DAY_MS);
    await sweep(COLD, ENOUGH_TIME);
    expect(read.pages).toBe(7);
  });
});
