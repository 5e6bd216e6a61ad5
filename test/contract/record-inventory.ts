import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Clock } from "../../shared/kernel/clock.ts";
import type { InventoryRequest, RecordInventory } from "../../shared/ports/record-inventory.ts";
import type { RecordStore, StoredRecord, Write } from "../../shared/ports/record-store.ts";
import { movableClock } from "./movable-clock.ts";

/** One adapter and the store that it lists, on a separate table. */
export interface RecordInventoryUnderTest {
  inventory: RecordInventory;
  store: RecordStore;
  close(): Promise<void>;
}

const MANY = 250;

/** The behaviour of every `RecordInventory`, tested with each adapter. */
export function describeRecordInventory(name: string, open: (clock: Clock) => Promise<RecordInventoryUnderTest>): void {
  describe(`${name}: RecordInventory`, () => {
    const time = movableClock();
    let subject: RecordInventoryUnderTest;

    beforeAll(async () => {
      subject = await open(time.now);
    });
    afterAll(() => subject.close());

    const write = async (records: StoredRecord[]) => {
      for (let start = 0; start < records.length; start += 100) {
        await subject.store.write(...records.slice(start, start + 100).map((put) => ({ put })));
      }
    };
    const walk = async (request: InventoryRequest) => {
      const found: StoredRecord[] = [];
      for (let after: string | undefined; ; ) {
        const page = await subject.inventory.list({ ...request, after });
        expect(page.items.length).toBeLessThanOrEqual(request.limit * (request.segments ?? 1));
        found.push(...page.items);
        after = page.cursor;
        if (after === undefined) return found;
      }
    };

    it("returns every record of every partition once, whatever the page size", async () => {
      const kind = randomUUID();
      const records = Array.from({ length: MANY }, (_, place) => {
        const [pk, sk] = [`${kind}#${place % 7}`, `item é ${place}`];
        return { pk, sk, kind, value: { nested: [place] } };
      });
      await write(records);
      for (const request of [{ limit: 7 }, { limit: 100 }, { limit: 1000 }, { limit: 10, segments: 8 }]) {
        const found = (await walk(request)).filter((record) => record.kind === kind);
        expect(found.toSorted(byKey)).toEqual(records.toSorted(byKey));
      }
    });

    it("can be limited to kinds", async () => {
      const [kind, other, third] = [randomUUID(), randomUUID(), randomUUID()];
      const keys = [kind, other, third].map((each, place) => ({ pk: `kinds#${place}`, sk: "a", kind: each }));
      await write(keys);
      expect((await walk({ kinds: [kind, third], limit: 10 })).map((record) => record.kind).sort()).toEqual(
        [kind, third].sort(),
      );
      expect(await walk({ kinds: [randomUUID()], limit: 10 })).toEqual([]);
    });

    it("omits expired records", async () => {
      const kind = randomUUID();
      const ttl = Math.floor(time.now() / 1000) + 60;
      await write([
        { pk: kind, sk: "short", kind, ttl },
        { pk: kind, sk: "long", kind },
      ]);
      expect(await walk({ kinds: [kind], limit: 10 })).toHaveLength(2);
      time.advance(61_000);
      expect((await walk({ kinds: [kind], limit: 10 })).map(({ sk }) => sk)).toEqual(["long"]);
    });

    it("returns all permanent records while others are written and deleted", async () => {
      const kind = randomUUID();
      const records = Array.from({ length: 60 }, (_, place) => ({ pk: `${kind}#${place}`, sk: "a", kind }));
      await write(records);
      const found: string[] = [];
      for (let after: string | undefined, turn = 0; ; turn++) {
        const page = await subject.inventory.list({ kinds: [kind], limit: 10, after });
        found.push(...page.items.map(({ pk }) => pk));
        after = page.cursor;
        if (after === undefined) break;
        await write([{ pk: `${kind}#new-${turn}`, sk: "a", kind }]);
        await subject.store.write({ delete: { pk: `${kind}#${turn % 10}`, sk: "a" } });
      }
      const stayed = records.slice(10).map(({ pk }) => pk);
      expect(found).toEqual(expect.arrayContaining(stayed));
      expect(new Set(found).size).toBe(found.length);
    });

    it("takes a snapshot of everything, including expired rows", async () => {
      const kind = randomUUID();
      const ttl = Math.floor(time.now() / 1000) + 60;
      const records = Array.from({ length: MANY }, (_, place) => ({ pk: `${kind}#${place}`, sk: "a", kind, place }));
      await write([...records, { pk: kind, sk: "short", kind, ttl }]);
      time.advance(61_000);
      const requested = await subject.inventory.requestSnapshot("snapshot-1");
      for (const snapshot of [subject.inventory.snapshot(), requested]) {
        const found: StoredRecord[] = [];
        for await (const page of snapshot?.pages ?? []) found.push(...page.filter((record) => record.kind === kind));
        expect(found.toSorted(byKey)).toEqual([...records, { pk: kind, sk: "short", kind, ttl }].toSorted(byKey));
      }
      await subject.inventory.discardSnapshot("snapshot-1");
    });

    it("includes whole transactions in a consistent snapshot, and each record whole in any snapshot", async () => {
      const kind = randomUUID();
      const pairs = Array.from({ length: 100 }, (_, place) => place);
      const put = (pair: number, side: string, value: number): Write => ({
        put: { pk: `${kind}#${side}#${pair}`, sk: "a", kind, pair, value, twice: 2 * value },
      });
      const change = (value: number) => pairs.map((pair) => [put(pair, "left", value), put(pair, "right", value)]);
      for (const writes of change(0)) await subject.store.write(...writes);
      let isDone = false;
      const writing = (async () => {
        for (let value = 1; !isDone; value++) {
          for (const writes of change(value)) await subject.store.write(...writes);
        }
      })();
      const { pages, consistency } = subject.inventory.snapshot();
      const values = new Map<unknown, Set<unknown>>();
      for await (const page of pages) {
        for (const { pair, value, twice, ...record } of page) {
          if (record.kind !== kind) continue;
          expect(twice).toBe(2 * Number(value));
          values.set(pair, (values.get(pair) ?? new Set()).add(value));
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      isDone = true;
      await writing;
      expect(values.size).toBe(pairs.length);
      if (consistency === "moment") expect([...values.values()].filter((those) => those.size > 1)).toEqual([]);
    });

    it("writes any number of records unchanged, and replaces existing ones", async () => {
      const kind = randomUUID();
      const gsi = { gsi1pk: kind, gsi1sk: "a" };
      const records = Array.from({ length: MANY }, (_, place) => ({
        ...{ pk: `${kind}#${place}`, sk: "a", kind, ...gsi, value: { constructor: place, "": "é" } },
      }));
      await write([{ pk: `${kind}#0`, sk: "a", kind, old: true }]);
      await subject.inventory.fill(records);
      await subject.inventory.fill(records);
      expect((await walk({ kinds: [kind], limit: 1000 })).toSorted(byKey)).toEqual(records.toSorted(byKey));
      expect(await subject.store.get({ pk: `${kind}#0`, sk: "a" })).toEqual(records[0]);
      expect(await subject.store.count({ index: "gsi1", pk: kind }, MANY * 2)).toBe(MANY);
      const update = { pk: `${kind}#1`, sk: "a" };
      await subject.store.write({ update, set: { more: 1 } });
      expect(await subject.store.get(update)).toEqual({ ...records[1], more: 1 });
    });

    it.each([0, -1, 1.5, 1001])("refuses the limit %s", async (limit) => {
      await expect(subject.inventory.list({ limit })).rejects.toThrow();
    });
  });
}

function byKey(a: StoredRecord, b: StoredRecord): number {
  return Buffer.compare(Buffer.from(a.pk + a.sk), Buffer.from(b.pk + b.sk));
}
