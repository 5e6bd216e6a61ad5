import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { openRecordStore } from "../../../test/support/record-store.ts";
import { replaced } from "../../../test/support/replaced.ts";
import type { LocalRecordStore } from "../../adapters/local/records.ts";
import { silentLogger } from "../../kernel/logger.ts";
import type { RecordKey, Write } from "../../ports/record-store.ts";
import { bucketOf, percentile, sumCounters } from "./histogram.ts";
import { Rollups } from "./rollups.ts";
import { countEvent, readSeries, readTotal } from "./series.ts";
import { frequenciesIn } from "./tally.ts";

const NOON = Date.parse("2026-01-31T12:00:00Z");
const HOUR = 3_600_000;
const SUBJECT = { scope: "deployment", name: "test" };

let now: number;
let store: LocalRecordStore;

beforeEach(() => {
  now = NOON;
  store = openRecordStore(() => now);
});

const newRollups = () => new Rollups(store, () => now, silentLogger);

describe("roll-ups", () => {
  it("sum the counts of many processes by hour, by day and in total", async () => {
    const processes = [newRollups(), newRollups()];
    for (const rollups of processes) {
      countEvent(rollups, SUBJECT, now, { done: 2 }, 10);
      countEvent(rollups, SUBJECT, now + HOUR, { done: 1 }, 30);
      await rollups.flush();
    }
    expect(await readTotal(store, SUBJECT)).toMatchObject({ done: 6, duration_ms: 80 });
    const hours = await readSeries(store, SUBJECT, "hour", NOON);
    expect(hours.map(({ at, counters }) => [at, counters.done])).toEqual([
      ["2026-01-31T12:00:00.000Z", 4],
      ["2026-01-31T13:00:00.000Z", 2],
    ]);
    const days = await readSeries(store, SUBJECT, "day", NOON - 48 * HOUR);
    expect(days.map(({ at, counters }) => [at, counters.done])).toEqual([["2026-01-31T00:00:00.000Z", 6]]);
    expect(await readSeries(store, SUBJECT, "hour", NOON + 2 * HOUR)).toEqual([]);
  });

  it("are due at the first count of a process, and then some seconds after each write", async () => {
    const rollups = newRollups();
    expect(rollups.isDue()).toBe(false);
    countEvent(rollups, SUBJECT, now, { done: 1 });
    expect(rollups.isDue()).toBe(true);
    await rollups.flush();
    expect(rollups.isDue()).toBe(false);
    countEvent(rollups, SUBJECT, now, { done: 1 });
    now += 4_999;
    expect(rollups.isDue()).toBe(false);
    now += 1;
    expect(rollups.isDue()).toBe(true);
    await rollups.flush();
    now += 60_000;
    expect(rollups.isDue()).toBe(false);
  });

  it("drop expired hours and days, but never the total", async () => {
    const rollups = newRollups();
    countEvent(rollups, SUBJECT, now, { done: 1 }, undefined, 2);
    await rollups.flush();
    now += 49 * HOUR;
    expect(await readSeries(store, SUBJECT, "hour", NOON)).toEqual([]);
    expect(await readSeries(store, SUBJECT, "day", NOON)).toEqual([]);
    expect(await readTotal(store, SUBJECT)).toEqual({ done: 1 });
  });

  it("of a deleted record are dropped", async () => {
    const owner = { pk: "thing", sk: "thing" };
    const counts = { pk: "thing", sk: "counts" };
    const rollups = newRollups();
    await store.write({ put: { ...owner, kind: "thing" } });
    rollups.count(counts, { add: { seen: 1 }, set: { kind: "counts" }, owner });
    await rollups.flush();
    expect(await store.get(counts)).toMatchObject({ seen: 1 });
    await store.write({ delete: owner }, { delete: counts });
    rollups.count(counts, { add: { seen: 1 }, set: { kind: "counts" }, owner });
    await rollups.flush();
    await rollups.flush();
    expect(await store.get(counts)).toBeUndefined();
  });

  it("are written when a flush ends that started during another one", async () => {
    let isOver = false;
    const write = async (...writes: Write[]) => {
      await new Promise((done) => setTimeout(done, 20));
      await store.write(...writes);
      isOver = true;
    };
    const rollups = new Rollups(replaced(store, { write }), () => now, silentLogger);
    rollups.count({ pk: "slow", sk: "slow" }, { add: { seen: 1 }, set: { kind: "counts" } });
    const first = rollups.flush();
    await rollups.flush();
    expect(isOver).toBe(true);
    await first;
  });

  it("keep counts that could not be written", async () => {
    let isDown = true;
    const write = (...writes: Write[]) => (isDown ? Promise.reject(new Error("down")) : store.write(...writes));
    const rollups = new Rollups(replaced(store, { write }), () => now, silentLogger);
    countEvent(rollups, SUBJECT, now, { done: 1 });
    await rollups.flush();
    countEvent(rollups, SUBJECT, now, { done: 1 });
    isDown = false;
    await rollups.flush();
    expect(await readTotal(store, SUBJECT)).toMatchObject({ done: 2 });
  });
});

describe("tallies", () => {
  const key = { pk: "org_1#queries", sk: "day" };
  const tallyOf = (thing: string, count: number) => ({
    key,
    capacity: 2,
    frequencies: new Map([[thing, count]]),
    ttl: NOON / 1000 + 3600,
  });
  const stored = async () => Object.fromEntries(frequenciesIn(await store.get(key)));

  it("merge concurrent counts of many processes, and keep the most frequent", async () => {
    const processes = Array.from({ length: 4 }, newRollups);
    for (const rollups of processes) {
      rollups.tally(tallyOf("tea", 2));
      rollups.tally(tallyOf("coffee", 1));
    }
    await Promise.all(processes.map((rollups) => rollups.flush()));
    expect(await stored()).toEqual({ tea: 8, coffee: 4 });
    processes[0]!.tally(tallyOf("water", 1));
    await processes[0]!.flush();
    expect(await stored()).toEqual({ tea: 7, coffee: 3 });
  });

  it("expire", async () => {
    const rollups = newRollups();
    rollups.tally(tallyOf("tea", 1));
    await rollups.flush();
    now += 2 * HOUR;
    expect(await stored()).toEqual({});
  });

  it("keep counts that could not be written", async () => {
    let isDown = true;
    const get = async (one: RecordKey) => (isDown ? Promise.reject(new Error("down")) : store.get(one));
    const rollups = new Rollups(replaced(store, { get }), () => now, silentLogger);
    rollups.tally(tallyOf("tea", 1));
    await rollups.flush();
    rollups.tally(tallyOf("tea", 1));
    now += 60_000;
    expect(rollups.isDue()).toBe(true);
    isDown = false;
    await rollups.flush();
    expect(await stored()).toEqual({ tea: 2 });
  });
});

describe("a percentile", () => {
  it("is null if nothing was counted", () => {
    expect(percentile({}, 0.95)).toBeNull();
    expect(percentile({ done: 3 }, 0.95)).toBeNull();
  });

  it("is at most 10 % above the exact one, and not below it", () => {
    const durations = fc.array(fc.double({ min: 0.2, max: 100_000, noNaN: true }), { minLength: 1, maxLength: 200 });
    const share = fc.constantFrom(0.5, 0.95, 0.99);
    fc.assert(
      fc.property(durations, share, (all, wanted) => {
        const counters = sumCounters(all.map((duration) => ({ [bucketOf(duration)]: 1 })));
        const exact = all.toSorted((a, b) => a - b)[Math.ceil(wanted * all.length) - 1]!;
        const ratio = percentile(counters, wanted)! / exact;
        expect(ratio).toBeGreaterThan(1 - 1e-9);
        expect(ratio).toBeLessThan(1.1);
      }),
    );
  });
});
