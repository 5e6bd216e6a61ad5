import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Clock } from "../../shared/kernel/clock.ts";
import { ConditionFailedError, RecordTooLargeError } from "../../shared/ports/errors.ts";
import type {
  AttributeTests,
  IndexName,
  RecordQuery,
  RecordStore,
  StoredRecord,
  Write,
} from "../../shared/ports/record-store.ts";
import { movableClock } from "./movable-clock.ts";
import { histories, PROBES, writesOf } from "./record-histories.ts";
import { compareBytes, meets, RecordModel } from "./record-model.ts";

/** One adapter on a table that the suite may fill; it need not be empty. */
export interface RecordStoreUnderTest {
  store: RecordStore;
  /** Resolves when the indexes contain every write acknowledged so far. */
  drainChangeFeed(): Promise<void>;
  close(): Promise<void>;
}

export interface RecordStoreSuiteOptions {
  /** Number of random histories in the property test; fewer if each write needs a round trip. Default 100. */
  runs?: number;
}

/** Opens the adapter. It must use `clock`, which the suite moves ahead of the real time. */
export type OpenRecordStore = (clock: Clock) => Promise<RecordStoreUnderTest>;

const KIB = 1024;
const MANY = 1100;
const SLOW = 120_000;

/** The behaviour of every `RecordStore`, tested with each adapter. */
export function describeRecordStore(name: string, open: OpenRecordStore, options: RecordStoreSuiteOptions = {}): void {
  describe(`${name}: RecordStore`, () => {
    const time = movableClock();
    let subject: RecordStoreUnderTest;
    let store: RecordStore;

    beforeAll(async () => {
      subject = await open(time.now);
      store = subject.store;
    }, SLOW);
    afterAll(() => subject.close());

    const queried = async (query: RecordQuery) => (await store.query(query)).items;
    const secondsFromNow = (seconds: number) => Math.floor(time.now() / 1000) + seconds;
    const failure = (promise: Promise<void>): Promise<unknown> =>
      promise.then(
        () => undefined,
        (error) => error,
      );

    describe("reading and writing one record", () => {
      it("returns what was put, with any JSON", async () => {
        const record = thing(partition(), "a", {
          text: "naïve 😀 \u0000 \"quoted\" 'single' \\ %_",
          empty: "",
          number: -12.5,
          large: 9_007_199_254_740_991,
          yes: true,
          nothing: null,
          list: [1, "two", null, { three: [] }],
          map: { nested: { deeper: "é" }, "odd name.with-dots": false },
        });
        await store.write({ put: record });
        expect(await store.get(record)).toEqual(record);
      });

      it("does not store undefined attributes", async () => {
        const record = thing(partition(), "a", { note: undefined });
        await store.write({ put: record });
        expect(Object.keys((await store.get(record)) ?? {})).not.toContain("note");
      });

      it("returns undefined for a missing key, and distinguishes keys by both parts", async () => {
        const pk = partition();
        await store.write({ put: thing(pk, "a") });
        expect(await store.get({ pk, sk: "b" })).toBeUndefined();
        expect(await store.get({ pk: `${pk}b`, sk: "a" })).toBeUndefined();
        expect(await store.get({ pk, sk: "A" })).toBeUndefined();
      });

      it("finds nothing for a key that is too long to be written", async () => {
        const [pk, sk] = ["é".repeat(1025), "x".repeat(1025)];
        const known = thing(partition(), "a");
        await store.write({ put: known });
        expect(await store.get({ pk, sk: "a" })).toBeUndefined();
        expect(await store.get({ pk: known.pk, sk })).toBeUndefined();
        expect(await store.getMany([{ pk, sk: "a" }, known, { pk: known.pk, sk }])).toEqual([known]);
        expect(await queried({ pk, limit: 10 })).toEqual([]);
        expect(await queried({ index: "gsi1", pk, limit: 10 })).toEqual([]);
        expect(await store.count({ pk }, 10)).toBe(0);
      });

      it("replaces the whole record on put", async () => {
        const pk = partition();
        await store.write({ put: thing(pk, "a", { first: 1, gsi1pk: pk, gsi1sk: "1" }) });
        await store.write({ put: thing(pk, "a", { second: 2 }) });
        await subject.drainChangeFeed();
        expect(await store.get({ pk, sk: "a" })).toEqual(thing(pk, "a", { second: 2 }));
        expect(await queried({ index: "gsi1", pk, limit: 10 })).toEqual([]);
      });

      it("returns copies", async () => {
        const record = thing(partition(), "a", { list: [1] });
        await store.write({ put: record });
        (record.list as number[]).push(2);
        const read = await store.get(record);
        try {
          (read!.list as number[]).push(3);
        } catch (error) {
          // A store may freeze what its readers share.
          expect(error).toBeInstanceOf(TypeError);
        }
        expect((await store.get(record))?.list).toEqual([1]);
      });

      it("deletes, without an error for a missing record", async () => {
        const key = { pk: partition(), sk: "a" };
        await store.write({ put: thing(key.pk, key.sk) });
        await store.write({ delete: key });
        await store.write({ delete: key });
        expect(await store.get(key)).toBeUndefined();
      });

      it("reads many keys in one call, each once, and omits missing ones", async () => {
        const pk = partition();
        const records = numbered(pk, 250);
        await writeAll(store, records);
        const keys = [...records.map(({ sk }) => ({ pk, sk })), { pk, sk: "absent" }, { pk, sk: records[0]!.sk }];
        const read = await store.getMany(keys);
        expect(read.sort(bySortKey)).toEqual(records);
        expect(await store.getMany([])).toEqual([]);
      });

      it("answers a ping", async () => {
        await expect(store.ping()).resolves.toBeUndefined();
        expect(await store.get({ pk: "ping", sk: "ping" })).toBeUndefined();
      });
    });

    describe("update", () => {
      it("sets, adds and removes attributes, and keeps the rest", async () => {
        const key = { pk: partition(), sk: "a" };
        await store.write({ put: thing(key.pk, key.sk, { kept: "k", changed: 1, counter: 5, gone: "g" }) });
        await store.write({
          update: key,
          set: { changed: ["new"], "odd-name.x": true },
          add: { counter: -2, started: 3 },
          remove: ["gone", "never"],
        });
        const expected = { kept: "k", changed: ["new"], "odd-name.x": true, counter: 3, started: 3 };
        expect(await store.get(key)).toEqual(thing(key.pk, key.sk, expected));
      });

      it("creates the record unless a condition prevents it", async () => {
        const key = { pk: partition(), sk: "a" };
        await store.write({ update: key, set: { kind: "thing" }, add: { counter: 1 } });
        expect(await store.get(key)).toEqual({ ...key, kind: "thing", counter: 1 });
      });

      it("refuses to add to a value that is not a number", async () => {
        const record = thing(partition(), "a", { text: "seven" });
        await store.write({ put: record });
        await expect(store.write({ update: record, add: { text: 1 } })).rejects.toThrow();
        expect(await store.get(record)).toEqual(record);
      });

      it("loses no concurrent addition", async () => {
        const key = { pk: partition(), sk: "a" };
        await Promise.all(Array.from({ length: 10 }, () => store.write({ update: key, add: { counter: 1 } })));
        expect((await store.get(key))?.counter).toBe(10);
      });

      it("moves the record in an index when its index keys change", async () => {
        const pk = partition();
        const key = { pk, sk: "a" };
        const keysAt = async (gsi1pk: string) => {
          await subject.drainChangeFeed();
          return (await queried({ index: "gsi1", pk: gsi1pk, limit: 10 })).map(({ gsi1sk }) => gsi1sk);
        };
        await store.write({ put: thing(pk, "a", { gsi1pk: `${pk}-old`, gsi1sk: "1" }) });
        expect(await keysAt(`${pk}-old`)).toEqual(["1"]);
        await store.write({ update: key, set: { gsi1pk: `${pk}-new`, gsi1sk: "2" } });
        expect(await keysAt(`${pk}-old`)).toEqual([]);
        expect(await keysAt(`${pk}-new`)).toEqual(["2"]);
        await store.write({ update: key, remove: ["gsi1sk"] });
        expect(await keysAt(`${pk}-new`)).toEqual([]);
        expect((await store.get(key))?.gsi1pk).toBe(`${pk}-new`);
      });
    });

    describe("conditions", () => {
      it("absent: accepts the first write, and returns the existing record to the second", async () => {
        const pk = partition();
        const first = thing(pk, "a", { by: "first" });
        await store.write({ put: first, condition: "absent" });
        const error = await failure(store.write({ put: thing(pk, "a", { by: "second" }), condition: "absent" }));
        expect(error).toBeInstanceOf(ConditionFailedError);
        expect(error).toMatchObject({ index: 0, existing: first });
        expect(await store.get(first)).toEqual(first);
      });

      it("present: refuses a missing record, and creates nothing", async () => {
        const key = { pk: partition(), sk: "a" };
        for (const write of [
          { put: thing(key.pk, key.sk), condition: "present" },
          { update: key, set: { a: 1 }, condition: "present" },
          { delete: key, condition: "present" },
          { check: key, condition: "present" },
        ] satisfies Write[]) {
          const error = await failure(store.write(write));
          expect(error).toBeInstanceOf(ConditionFailedError);
          expect(error).toMatchObject({ index: 0, existing: undefined });
        }
        expect(await store.get(key)).toBeUndefined();
      });

      it("present: accepts every kind of write to an existing record", async () => {
        const record = thing(partition(), "a");
        await store.write({ put: record });
        await store.write({ check: record, condition: "present" });
        await store.write({ put: { ...record, a: 1 }, condition: "present" });
        await store.write({ update: record, set: { b: 2 }, condition: "present" });
        expect(await store.get(record)).toEqual({ ...record, a: 1, b: 2 });
        await store.write({ delete: record, condition: "present" });
        expect(await store.get(record)).toBeUndefined();
      });

      it("let one of many concurrent creations succeed", async () => {
        const pk = partition();
        const attempts = Array.from({ length: 10 }, (_, by) =>
          failure(store.write({ put: thing(pk, "a", { by }), condition: "absent" })),
        );
        const errors = (await Promise.all(attempts)).filter((error) => error !== undefined);
        const winner = await store.get({ pk, sk: "a" });
        expect(errors).toHaveLength(9);
        for (const error of errors) expect(error).toMatchObject({ name: "ConditionFailedError", existing: winner });
      });

      it("let one of many concurrent changes of one version succeed", async () => {
        const record = thing(partition(), "a", { version: 3 });
        await store.write({ put: record });
        const attempts = Array.from({ length: 5 }, (_, by) =>
          failure(store.write({ update: record, set: { version: 4, by }, condition: { version: 3 } })),
        );
        const errors = (await Promise.all(attempts)).filter((error) => error !== undefined);
        expect(errors).toHaveLength(4);
        expect(errors.every((error) => error instanceof ConditionFailedError)).toBe(true);
      });

      it("need at least one test", async () => {
        const record = thing(partition(), "a");
        await expect(store.write({ put: record, condition: {} })).rejects.toThrow();
        await expect(store.query({ pk: record.pk, where: {}, limit: 1 })).rejects.toThrow();
        expect(await store.get(record)).toBeUndefined();
      });

      const tested = {
        text: "m",
        blank: "",
        astral: "😀",
        number: 5,
        negative: -0.5,
        yes: true,
        nothing: null,
        phrase: "word é 😀",
        list: ["a", 1],
        object: { a: "a" },
      };
      const HOLD: AttributeTests[] = [
        { text: "m" },
        { blank: "" },
        { number: 5 },
        { negative: -0.5 },
        { yes: true },
        { text: { oneOf: ["a", "m"] } },
        { number: { oneOf: ["5", 5] } },
        { yes: { oneOf: [true] } },
        { text: { containsAny: ["n", "m"] } },
        { phrase: { containsAny: ["%", "d é 😀"] } },
        { list: { containsAny: ["b", "a"] } },
        { text: { not: "n" } },
        { number: { not: "5" } },
        { yes: { not: false } },
        { missing: { not: "m" } },
        { missing: { absent: true } },
        { text: { absent: false } },
        { nothing: { absent: false } },
        { number: { lessThan: 6 } },
        { number: { atMost: 5 } },
        { number: { greaterThan: 4.5 } },
        { number: { atLeast: 5 } },
        { number: { greaterThan: 4, lessThan: 6 } },
        { number: { lessThan: 10 } },
        { negative: { lessThan: 0 } },
        { text: { greaterThan: "Z" } },
        { text: { lessThan: "é" } },
        { text: { atLeast: "m", atMost: "m" } },
        { text: { lessThan: "ma" } },
        { astral: { greaterThan: "\u{fffd}" } },
        { missing: { lessThan: 5, orAbsent: true } },
        { number: { lessThan: 6, orAbsent: true } },
        { text: "m", number: 5, missing: { absent: true } },
      ];
      const FAIL: AttributeTests[] = [
        { text: "n" },
        { text: "M" },
        { blank: { absent: true } },
        { number: "5" },
        { yes: false },
        { yes: 1 },
        { nothing: "null" },
        { list: '["a",1]' },
        { missing: "m" },
        { text: { oneOf: ["a", "b"] } },
        { text: { oneOf: [] } },
        { missing: { oneOf: ["m"] } },
        { text: { containsAny: ["n", "M"] } },
        { text: { containsAny: [] } },
        { phrase: { containsAny: ["%", "w_rd"] } },
        { list: { containsAny: ['["a"]', "A", "1"] } },
        { number: { containsAny: ["5"] } },
        { object: { containsAny: ["a"] } },
        { nothing: { containsAny: ["null", "n"] } },
        { missing: { containsAny: ["m"] } },
        { text: { not: "m" } },
        { yes: { not: true } },
        { text: { absent: true } },
        { nothing: { absent: true } },
        { missing: { absent: false } },
        { number: { lessThan: 5 } },
        { number: { atMost: 4 } },
        { number: { greaterThan: 5 } },
        { number: { atLeast: 5.1 } },
        { number: { greaterThan: 4, lessThan: 5 } },
        { number: { lessThan: "9" } },
        { text: { greaterThan: 0 } },
        { yes: { greaterThan: 0 } },
        { missing: { lessThan: 5 } },
        { missing: { atLeast: "" } },
        { number: { lessThan: 5, orAbsent: true } },
        { nothing: { lessThan: 5, orAbsent: true } },
        { text: "m", number: 6 },
      ];

      it.each(HOLD.map((tests) => ({ tests, label: JSON.stringify(tests) })))("hold: $label", async ({ tests }) => {
        const record = thing(partition(), "a", tested);
        await store.write({ put: record });
        await store.write({ check: record, condition: tests });
        expect(await queried({ pk: record.pk, where: tests, limit: 10 })).toEqual([record]);
      });

      it.each(FAIL.map((tests) => ({ tests, label: JSON.stringify(tests) })))("fail: $label", async ({ tests }) => {
        const record = thing(partition(), "a", tested);
        await store.write({ put: record });
        const error = await failure(store.write({ check: record, condition: tests }));
        expect(error).toBeInstanceOf(ConditionFailedError);
        expect(error).toMatchObject({ index: 0, existing: record });
        expect(await queried({ pk: record.pk, where: tests, limit: 10 })).toEqual([]);
      });

      it("that allow a missing record by name may create it; all others require a record", async () => {
        const key = { pk: partition(), sk: "a" };
        const orAbsent = { until: { lessThan: 5, orAbsent: true } } as const;
        const others: AttributeTests[] = [
          { ...orAbsent, state: "open" },
          { ...orAbsent, state: { absent: false } },
          { state: { not: "closed" } },
          { until: { lessThan: 5 } },
        ];
        for (const condition of others) {
          const error = await failure(store.write({ update: key, set: { until: 1 }, condition }));
          expect(error).toBeInstanceOf(ConditionFailedError);
        }
        await store.write({ update: key, set: { until: 6 }, condition: { ...orAbsent, state: { absent: true } } });
        expect(await store.get(key)).toEqual({ ...key, until: 6 });
        expect(await failure(store.write({ update: key, set: { until: 7 }, condition: orAbsent }))).toMatchObject({
          name: "ConditionFailedError",
          existing: { ...key, until: 6 },
        });
      });
    });

    describe("several writes", () => {
      it("are all executed", async () => {
        const pk = partition();
        await store.write({ put: thing(pk, "gone") }, { put: thing(pk, "guard", { open: true }) });
        await store.write(
          { put: thing(pk, "new") },
          { update: { pk, sk: "counter" }, add: { total: 1 } },
          { delete: { pk, sk: "gone" } },
          { check: { pk, sk: "guard" }, condition: { open: true } },
        );
        const keys = (await queried({ pk, limit: 10 })).map(({ sk }) => sk);
        expect(keys).toEqual(["counter", "guard", "new"]);
      });

      it("are not executed if one condition fails, and the error names it", async () => {
        const pk = partition();
        const guard = thing(pk, "guard", { open: false });
        await store.write({ put: thing(pk, "kept") }, { put: guard });
        const error = await failure(
          store.write(
            { put: thing(pk, "new") },
            { update: { pk, sk: "counter" }, add: { total: 1 } },
            { delete: { pk, sk: "kept" } },
            { check: guard, condition: { open: true } },
          ),
        );
        expect(error).toMatchObject({ name: "ConditionFailedError", index: 3, existing: guard });
        expect((await queried({ pk, limit: 10 })).map(({ sk }) => sk)).toEqual(["guard", "kept"]);
      });

      it("name the first of several failed conditions", async () => {
        const pk = partition();
        const error = await failure(
          store.write(
            { put: thing(pk, "a") },
            { put: thing(pk, "b"), condition: "present" },
            { put: thing(pk, "c"), condition: "present" },
          ),
        );
        expect(error).toMatchObject({ name: "ConditionFailedError", index: 1 });
      });

      it("are not executed if one record is too large", async () => {
        const pk = partition();
        await expect(
          store.write({ put: thing(pk, "a") }, { put: thing(pk, "b", { text: "x".repeat(401 * KIB) }) }),
        ).rejects.toThrow(RecordTooLargeError);
        expect(await queried({ pk, limit: 10 })).toEqual([]);
      });

      it("may be between one and a hundred, with one write per key", async () => {
        const pk = partition();
        const puts = numbered(pk, 101).map((record) => ({ put: record }));
        await store.write(...puts.slice(0, 100));
        expect(await store.count({ pk }, 1000)).toBe(100);
        await expect(store.write(...puts)).rejects.toThrow();
        await expect(store.write()).rejects.toThrow();
        await expect(store.write({ put: thing(pk, "twice") }, { delete: { pk, sk: "twice" } })).rejects.toThrow();
        expect(await store.count({ pk }, 1000)).toBe(100);
      });

      it("are retried internally after a conflict", async () => {
        const pk = partition();
        const counter = { pk, sk: "counter" };
        const writes = numbered(pk, 8).map((record) =>
          store.write({ put: record, condition: "absent" }, { update: counter, add: { total: 1 } }),
        );
        await Promise.all(writes);
        expect((await store.get(counter))?.total).toBe(8);
      });
    });

    describe("size", () => {
      it("accepts a record of almost 400 KB and refuses a larger one, in bytes", async () => {
        const pk = partition();
        await store.write({ put: thing(pk, "ascii", { text: "x".repeat(399 * KIB) }) });
        await store.write({ put: thing(pk, "euro", { text: "€".repeat(133 * KIB) }) });
        await expect(store.write({ put: thing(pk, "b", { text: "x".repeat(400 * KIB) }) })).rejects.toThrow(
          RecordTooLargeError,
        );
        await expect(store.write({ put: thing(pk, "c", { text: "€".repeat(134 * KIB) }) })).rejects.toThrow(
          RecordTooLargeError,
        );
        expect((await store.get({ pk, sk: "euro" }))?.text).toBe("€".repeat(133 * KIB));
      });

      it("refuses an update that makes a record too large, and keeps the former record", async () => {
        const record = thing(partition(), "a", { first: "x".repeat(250 * KIB) });
        await store.write({ put: record });
        const update = { update: record, set: { second: "y".repeat(250 * KIB) } };
        await expect(store.write(update)).rejects.toThrow(RecordTooLargeError);
        expect(await store.get(record)).toEqual(record);
      });
    });

    describe("expiry", () => {
      it("hides a record from the second of its ttl on, in every read", async () => {
        const pk = partition();
        const indexed = { gsi1pk: pk, gsi1sk: "1", gsi2pk: pk, gsi2sk: "1", gsi3pk: pk, gsi3sk: "1" };
        const ttl = secondsFromNow(10);
        const record = thing(pk, "a", { ...indexed, ttl });
        const places: (IndexName | undefined)[] = [undefined, "gsi1", "gsi2", "gsi3"];
        const seen = async () => {
          await subject.drainChangeFeed();
          const queries = places.map((index) => queried({ index, pk, limit: 10 }));
          const counts = places.map((index) => store.count({ index, pk }, 10));
          const lengths = [await store.getMany([record]), ...(await Promise.all(queries))].map(({ length }) => length);
          return [(await store.get(record)) === undefined ? 0 : 1, ...lengths, ...(await Promise.all(counts))];
        };
        await store.write({ put: record });
        time.advance(ttl * 1000 - 1 - time.now());
        expect(new Set(await seen())).toEqual(new Set([1]));
        time.advance(1);
        expect(new Set(await seen())).toEqual(new Set([0]));
      });

      it("makes a record missing for conditions, too", async () => {
        const record = thing(partition(), "a", { state: "open", ttl: secondsFromNow(5) });
        await store.write({ put: record });
        time.advance(5_000);
        for (const condition of ["present", { state: "open" }] as const) {
          const error = await failure(store.write({ check: record, condition }));
          expect(error).toMatchObject({ name: "ConditionFailedError", index: 0, existing: undefined });
        }
        await store.write({ check: record, condition: "absent" });
        const renewed = { ...record, ttl: secondsFromNow(5) };
        await store.write({ put: renewed, condition: "absent" });
        expect(await store.get(record)).toEqual(renewed);
      });

      it("makes an update create a new record", async () => {
        const key = { pk: partition(), sk: "a" };
        await store.write({ put: thing(key.pk, key.sk, { used: 7, state: "spent", ttl: secondsFromNow(5) }) });
        time.advance(5_000);
        const condition = { used: { lessThan: 3, orAbsent: true } } as const;
        await store.write({ update: key, add: { used: 1 }, set: { ttl: secondsFromNow(60) }, condition });
        expect(await store.get(key)).toEqual({ ...key, used: 1, ttl: secondsFromNow(60) });
      });

      it("can be postponed and removed", async () => {
        const pk = partition();
        const ttl = secondsFromNow(5);
        await store.write({ put: thing(pk, "later", { ttl }) }, { put: thing(pk, "never", { ttl }) });
        await store.write({ update: { pk, sk: "later" }, set: { ttl: ttl + 10 } });
        await store.write({ update: { pk, sk: "never" }, remove: ["ttl"] });
        time.advance(6_000);
        expect((await queried({ pk, limit: 10 })).map(({ sk }) => sk)).toEqual(["later", "never"]);
        time.advance(10_000);
        expect((await queried({ pk, limit: 10 })).map(({ sk }) => sk)).toEqual(["never"]);
      });
    });

    describe("query", () => {
      it("returns its own partition only, ordered by the bytes of the sort key", async () => {
        const pk = partition();
        const keys = ["b", "a", "B", "é", "aa", "a#1", "\u{fffd}", "😀", "10", "9"];
        await store.write(...keys.map((sk) => ({ put: thing(pk, sk) })), { put: thing(`${pk}x`, "other") });
        const expected = keys.toSorted(compareBytes);
        expect((await queried({ pk, limit: 100 })).map(({ sk }) => sk)).toEqual(expected);
        const reverse = await queried({ pk, descending: true, limit: 100 });
        expect(reverse.map(({ sk }) => sk)).toEqual(expected.toReversed());
      });

      it("filters by the sort key, inclusively", async () => {
        const pk = partition();
        const keys = ["a", "b", "b#1", "b#2", "b$", "c", "c\u{10ffff}z"];
        await store.write(...keys.map((sk) => ({ put: thing(pk, sk) })));
        const found = async (sk: RecordQuery["sk"]) => (await queried({ pk, sk, limit: 10 })).map((item) => item.sk);
        expect(await found({ beginsWith: "b#" })).toEqual(["b#1", "b#2"]);
        expect(await found({ beginsWith: "c" })).toEqual(["c", "c\u{10ffff}z"]);
        expect(await found({ atLeast: "b#2", atMost: "c" })).toEqual(["b#2", "b$", "c"]);
        expect(await found({ atLeast: "c" })).toEqual(["c", "c\u{10ffff}z"]);
        expect(await found({ atMost: "b" })).toEqual(["a", "b"]);
        expect(await store.count({ pk, sk: { beginsWith: "b" } }, 100)).toBe(4);
      });

      it("is empty for an unknown partition", async () => {
        const pk = partition();
        expect(await store.query({ pk, limit: 10 })).toEqual({ items: [] });
        expect(await store.count({ pk }, 10)).toBe(0);
      });

      it("refuses limits outside 1..1000", async () => {
        const pk = partition();
        for (const limit of [0, -1, 1001, 1.5]) await expect(store.query({ pk, limit })).rejects.toThrow();
      });

      it("returns whole records from gsi1 and gsi2, and only those with both index keys", async () => {
        const pk = partition();
        const both = thing(pk, "both", { gsi1pk: pk, gsi1sk: "2", gsi2pk: pk, gsi2sk: "1", text: "whole" });
        const half = thing(pk, "half", { gsi1pk: pk, gsi2sk: "0" });
        await store.write({ put: both }, { put: half }, { put: thing(pk, "first", { gsi1pk: pk, gsi1sk: "1" }) });
        await subject.drainChangeFeed();
        expect((await queried({ index: "gsi1", pk, limit: 10 })).map(({ sk }) => sk)).toEqual(["first", "both"]);
        expect(await queried({ index: "gsi2", pk, limit: 10 })).toEqual([both]);
      });

      it("returns only keys and facets from gsi3, and tests see no other attribute there", async () => {
        const pk = partition();
        const facets = {
          id: "mem_1",
          user_id: "u",
          category: "c",
          type: "t",
          status: "s",
          created_at: "2026-01-01T00:00:00.000Z",
          updated_at: "2026-01-02T00:00:00.000Z",
        };
        const index = { gsi3pk: pk, gsi3sk: "1" };
        await store.write({ put: thing(pk, "a", { ...facets, ...index, gsi1pk: pk, gsi1sk: "1", content: "long" }) });
        await subject.drainChangeFeed();
        const found = (where: AttributeTests) => queried({ index: "gsi3", pk, where, limit: 10 });
        const narrow = thing(pk, "a", { ...facets, ...index });
        expect(await queried({ index: "gsi3", pk, limit: 10 })).toEqual([narrow]);
        expect(await found({ category: "c", kind: "thing" })).toEqual([narrow]);
        expect(await found({ category: { not: "c" } })).toEqual([]);
        expect(await found({ content: "long" })).toEqual([]);
        expect(await found({ content: { absent: true } })).toEqual([narrow]);
      });
    });

    describe("pages of many records", () => {
      const pk = partition();
      const records = numbered(pk, MANY, (place) => {
        const reverse = String(MANY - place).padStart(6, "0");
        const index = { gsi1pk: pk, gsi1sk: reverse, gsi3pk: pk, gsi3sk: reverse };
        return { place, category: place % 3 === 0 ? "third" : "other", body: "x".repeat(200), ...index };
      });
      const inIndexOrder = records.map(({ sk }) => sk).toReversed();
      const orders: [IndexName | undefined, string[]][] = [
        [undefined, inIndexOrder.toReversed()],
        ["gsi1", inIndexOrder],
        ["gsi3", inIndexOrder],
      ];

      beforeAll(async () => {
        await writeAll(store, shuffled(records));
        await subject.drainChangeFeed();
      }, SLOW);

      it.each(orders)("follow one another by cursor, in both directions (%s)", async (index, expected) => {
        for (const descending of [false, true]) {
          const pages = await allPages(store, { index, pk, descending, limit: 300 });
          expect(pages.every(({ length }) => length <= 300)).toBe(true);
          expect(pages.flat().map(({ sk }) => sk)).toEqual(descending ? expected.toReversed() : expected);
        }
      });

      it.each(orders)("skip an offset, in both directions (%s)", async (index, expected) => {
        for (const descending of [false, true]) {
          const order = descending ? expected.toReversed() : expected;
          const page = await store.query({ index, pk, descending, offset: MANY - 50, limit: 100 });
          expect(page.items.map(({ sk }) => sk)).toEqual(order.slice(-50));
          expect(page.cursor).toBeUndefined();
          const early = await store.query({ index, pk, descending, offset: 7, limit: 2 });
          expect(early.items.map(({ sk }) => sk)).toEqual(order.slice(7, 9));
          const next = await store.query({ index, pk, descending, limit: 2, after: early.cursor });
          expect(next.items.map(({ sk }) => sk)).toEqual(order.slice(9, 11));
          expect((await store.query({ index, pk, descending, offset: MANY, limit: 5 })).items).toEqual([]);
        }
      });

      it.each(orders)("apply tests before offset, limit and cursor (%s)", async (index, expected) => {
        const thirds = new Set(records.filter(({ category }) => category === "third").map(({ sk }) => sk));
        const order = expected.filter((sk) => thirds.has(sk));
        const where = { category: "third" };
        const pages = await allPages(store, { index, pk, where, limit: 100 });
        expect(pages.flat().map(({ sk }) => sk)).toEqual(order);
        const page = await queried({ index, pk, where, offset: 300, limit: 5 });
        expect(page.map(({ sk }) => sk)).toEqual(order.slice(300, 305));
        expect(await store.count({ index, pk, where }, 10_000)).toBe(order.length);
        expect(await store.count({ index, pk, where }, 10)).toBe(10);
      });

      const ranges: [RecordQuery["sk"], (sortKey: string) => boolean][] = [
        [{ atLeast: "000100", atMost: "000350" }, (sortKey) => sortKey >= "000100" && sortKey <= "000350"],
        [{ beginsWith: "0001" }, (sortKey) => sortKey.startsWith("0001")],
        [{ atLeast: "001000" }, (sortKey) => sortKey >= "001000"],
      ];
      const places = orders.flatMap(([index, expected]) =>
        ranges.map(([sk, isWithin]) => ({ index, expected, sk, isWithin, label: JSON.stringify({ index, sk }) })),
      );
      it.each(places)("stay within limits of the sort key: $label", async ({ index, expected, sk, isWithin }) => {
        const sortKeys = new Map(records.map((record) => [record.sk, index ? `${record.gsi1sk}` : record.sk]));
        const order = expected.filter((key) => isWithin(sortKeys.get(key)!));
        for (const descending of [false, true]) {
          const pages = await allPages(store, { index, pk, sk, descending, limit: 40 });
          expect(pages.flat().map((record) => record.sk)).toEqual(descending ? order.toReversed() : order);
        }
      });

      it("contain up to a thousand records", async () => {
        const page = await store.query({ pk, limit: 1000 });
        expect(page.items).toHaveLength(1000);
        expect(page.cursor).toBeDefined();
      });

      it.each(orders)("count no more records than requested (%s)", async (index) => {
        expect(await store.count({ index, pk }, 10_000)).toBe(MANY);
        expect(await store.count({ index, pk }, MANY)).toBe(MANY);
        expect(await store.count({ index, pk }, 500)).toBe(500);
        expect(await store.count({ index, pk, where: { place: { lessThan: 20 } } }, 500)).toBe(
          index === "gsi3" ? 0 : 20,
        );
      });

      it("omit and repeat no record if index sort keys are equal", async () => {
        const crowd = partition();
        const same = numbered(crowd, 25, () => ({ gsi2pk: crowd, gsi2sk: "same" }));
        await writeAll(store, same);
        await subject.drainChangeFeed();
        for (const descending of [false, true]) {
          const pages = await allPages(store, { index: "gsi2", pk: crowd, descending, limit: 4 });
          expect(pages.flat().sort(bySortKey)).toEqual(same);
        }
      });

      it("continue after the deletion of the cursor's record", async () => {
        const few = partition();
        await writeAll(store, numbered(few, 6));
        const first = await store.query({ pk: few, limit: 3 });
        await store.write({ delete: first.items[2]! });
        const rest = await queried({ pk: few, limit: 3, after: first.cursor });
        expect(rest.map(({ sk }) => sk)).toEqual(["000003", "000004", "000005"]);
      });

      it.each(orders)("continue after the keys of any item, in both directions (%s)", async (index, expected) => {
        for (const descending of [false, true]) {
          const order = descending ? expected.toReversed() : expected;
          const sk = order[10] ?? "";
          const sort = index === undefined ? sk : String(records.find((record) => record.sk === sk)?.gsi1sk);
          const after = store.cursorAt({ index, pk }, { sort, pk, sk });
          const { items } = await store.query({ index, pk, descending, limit: 3, after });
          expect(items.map((item) => item.sk)).toEqual(order.slice(11, 14));
        }
      });

      it("refuse an invalid cursor", async () => {
        await expect(store.query({ pk, limit: 3, after: "not a cursor" })).rejects.toThrow();
      });
    });

    it(
      "behaves like a Map for random writes",
      async () => {
        await fc.assert(
          fc.asyncProperty(histories, async (history) => {
            const pk = partition();
            const model = new RecordModel();
            for (const transaction of history) {
              const writes = writesOf(transaction, pk);
              const error = await failure(store.write(...writes));
              const failed = model.write(writes);
              if (failed === undefined) expect(error).toBeUndefined();
              else expect(error).toMatchObject({ name: "ConditionFailedError", index: failed });
            }
            await subject.drainChangeFeed();
            expect(await queried({ pk, limit: 100 })).toEqual(model.all());
            const indexed = model.all().filter(({ gsi1pk, gsi1sk }) => gsi1pk === pk && gsi1sk !== undefined);
            const found = await queried({ index: "gsi1", pk, limit: 100 });
            expect(found.map(({ gsi1sk }) => gsi1sk)).toEqual(indexed.map(({ gsi1sk }) => gsi1sk).sort());
            expect(found.toSorted(bySortKey)).toEqual(indexed);
            for (const where of PROBES) {
              const expected = model.all().filter((record) => meets(record, where));
              expect(await queried({ pk, where, limit: 100 })).toEqual(expected);
            }
          }),
          { numRuns: options.runs ?? 100 },
        );
      },
      SLOW,
    );
  });
}

function partition(): string {
  return `test#${randomUUID()}`;
}

function thing(pk: string, sk: string, attributes: Partial<StoredRecord> = {}): StoredRecord {
  return { pk, sk, kind: "thing", ...attributes };
}

/** Returns `amount` records of one partition in the order of their sort keys. */
function numbered(
  pk: string,
  amount: number,
  attributes: (place: number) => Partial<StoredRecord> = () => ({}),
): StoredRecord[] {
  return Array.from({ length: amount }, (_, place) => thing(pk, String(place).padStart(6, "0"), attributes(place)));
}

/** Returns the records in an order that is neither ascending nor descending. */
function shuffled(records: StoredRecord[]): StoredRecord[] {
  const stride = 7;
  return Array.from({ length: stride }, (_, start) => records.filter((_, place) => place % stride === start)).flat();
}

async function writeAll(store: RecordStore, records: StoredRecord[]): Promise<void> {
  for (let start = 0; start < records.length; start += 100) {
    await store.write(...records.slice(start, start + 100).map((record) => ({ put: record })));
  }
}

async function allPages(store: RecordStore, query: RecordQuery): Promise<StoredRecord[][]> {
  const pages: StoredRecord[][] = [];
  let after: string | undefined;
  do {
    const page = await store.query({ ...query, after });
    pages.push(page.items);
    after = page.cursor;
  } while (after !== undefined);
  return pages;
}

function bySortKey(a: StoredRecord, b: StoredRecord): number {
  return compareBytes(a.sk, b.sk);
}
