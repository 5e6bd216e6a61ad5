import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { movableClock } from "../../../test/contract/movable-clock.ts";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import type { StoredRecord } from "../../ports/record-store.ts";
import type { ChangeReader, StreamSubscription } from "./changes.ts";
import { LocalRecordStore } from "./records.ts";
import { Database } from "./storage/sqlite.ts";

const STREAMS = [{ name: "reader", kinds: ["memory"] }];

function setUp(streams: StreamSubscription[] = STREAMS) {
  const file = path.join(temporaryFolder(), "records.sqlite");
  const time = movableClock();
  const closed = new Set<LocalRecordStore>();
  const open = (subscriptions = streams) => {
    const store = new LocalRecordStore({ file, clock: time.now, streams: subscriptions });
    onTestFinished(() => {
      if (!closed.has(store)) store.close();
    });
    return store;
  };
  const close = (store: LocalRecordStore) => {
    store.close();
    closed.add(store);
  };
  return { open, close, time };
}

function memory(sk: string, attributes: Partial<StoredRecord> = {}): StoredRecord {
  return { pk: "p", sk, kind: "memory", ...attributes };
}

function sequences(reader: ChangeReader): number[] {
  return reader.read(1000).map(({ sequence }) => sequence);
}

it("keeps keys with U+0000", async () => {
  const store = setUp().open();
  const record = memory("a\0b", { gsi2pk: "org#memories#anna\0x", gsi2sk: "1" });
  await store.write({ put: record });
  await store.write({ update: { pk: "p", sk: "a\0b" }, set: { note: "read" } });
  expect(await store.get(record)).toEqual({ ...record, note: "read" });
  const of = (value: string) => store.query({ index: "gsi2", pk: value, limit: 10 });
  expect((await of("org#memories#anna\0x")).items).toEqual([{ ...record, note: "read" }]);
  expect((await of("org#memories#anna")).items).toEqual([]);
});

describe("the change feed", () => {
  it("contains the records before and after each write, in order", async () => {
    const { open, time } = setUp();
    const store = open();
    await store.write({ put: memory("a", { n: 1 }) });
    await store.write({ update: memory("a"), add: { n: 1 } }, { put: memory("b") });
    await store.write({ delete: memory("a") });
    const of = (sk: string, sequence: number) => ({ sequence, at: time.now(), key: { pk: "p", sk } });
    expect(store.changesFor("reader").read(10)).toEqual([
      { ...of("a", 1), after: memory("a", { n: 1 }) },
      { ...of("a", 2), before: memory("a", { n: 1 }), after: memory("a", { n: 2 }) },
      { ...of("b", 3), after: memory("b") },
      { ...of("a", 4), before: memory("a", { n: 2 }) },
    ]);
  });

  it("contains only subscribed kinds, by the kind before or after the change", async () => {
    const store = setUp().open();
    const reader = store.changesFor("reader");
    await store.write({ put: memory("a", { kind: "other" }) });
    expect(reader.read(10)).toEqual([]);
    await store.write({ put: memory("a") });
    await store.write({ put: memory("a", { kind: "other" }) });
    expect(reader.read(10).map(({ before, after }) => [before?.kind, after?.kind])).toEqual([
      ["other", "memory"],
      ["memory", "other"],
    ]);
  });

  it("returns long changes a few at a time", async () => {
    const store = setUp().open();
    const names = Array.from({ length: 10 }, (_, n) => `m${n}`);
    for (const name of names) await store.write({ put: memory(name, { content: "x".repeat(100_000) }) });
    const reader = store.changesFor("reader");
    const sizes: number[] = [];
    for (let batch = reader.read(100); batch.length > 0; batch = reader.read(100)) {
      sizes.push(batch.length);
      reader.acknowledge(batch.at(-1)?.sequence ?? 0);
    }
    expect(sizes).toEqual([3, 3, 3, 1]);
  });

  it("omits writes that failed, only checked or changed nothing", async () => {
    const store = setUp().open();
    const reader = store.changesFor("reader");
    await store.write({ put: memory("a") });
    reader.acknowledge(reader.latest());
    const told: number[] = [];
    reader.onChange(() => told.push(reader.latest()));
    await expect(store.write({ put: memory("b") }, { put: memory("a"), condition: "absent" })).rejects.toThrow();
    await store.write({ check: memory("a"), condition: "present" });
    await store.write({ put: memory("a") });
    await store.write({ delete: memory("absent") });
    expect(reader.read(10)).toEqual([]);
    expect(reader.latest()).toBe(1);
    expect(told).toEqual([]);
  });

  it("calls listeners after the commit until they unsubscribe", async () => {
    const store = setUp().open();
    const reader = store.changesFor("reader");
    const told: number[] = [];
    const unsubscribe = reader.onChange(() => told.push(reader.read(10).length));
    await store.write({ put: memory("a") }, { put: memory("b") });
    unsubscribe();
    await store.write({ put: memory("c") });
    expect(told).toEqual([2]);
  });

  it("keeps changes until they are acknowledged, across restarts, and never uses a sequence twice", async () => {
    const { open, close } = setUp();
    const first = open();
    await first.write({ put: memory("a") });
    await first.write({ put: memory("b") });
    await first.write({ put: memory("c") });
    first.changesFor("reader").acknowledge(2);
    close(first);
    const second = open();
    expect(sequences(second.changesFor("reader"))).toEqual([3]);
    expect(second.changesFor("reader").latest()).toBe(3);
    second.changesFor("reader").acknowledge(3);
    close(second);
    const third = open();
    expect(third.changesFor("reader").latest()).toBe(0);
    await third.write({ put: memory("d") });
    expect(sequences(third.changesFor("reader"))).toEqual([4]);
  });

  it("delivers again what is not deleted, also what a reader acknowledges late", async () => {
    const store = setUp().open();
    const reader = store.changesFor("reader");
    await store.write({ put: memory("a") });
    await store.write({ put: memory("b") });
    expect(sequences(reader)).toEqual([1, 2]);
    reader.acknowledge(1);
    expect(sequences(reader)).toEqual([2]);
    const told = vi.fn();
    reader.onChange(told);
    store.redeliver();
    reader.acknowledge(2);
    await expect.poll(() => told).toHaveBeenCalledTimes(1);
    expect(sequences(reader)).toEqual([1, 2]);
    reader.acknowledge(2);
    expect(sequences(reader)).toEqual([]);
  });

  it("keeps what an index loses when it is to be committed for a deletion", async () => {
    const store = setUp().open();
    const reader = store.changesFor("reader");
    await store.write({ put: memory("a") });
    expect(sequences(reader)).toEqual([1]);
    reader.acknowledge(1);
    store.followIndexes(() => {
      store.redeliver();
      return [];
    });
    await store.write({ put: memory("b") });
    expect(sequences(reader)).toEqual([1, 2]);
  });

  it("repeats a deletion that was rolled back, with the marks of its indexes", async () => {
    const { open, close } = setUp();
    const store = open();
    const reader = store.changesFor("reader");
    await store.write({ put: memory("a") });
    expect(sequences(reader)).toEqual([1]);
    reader.acknowledge(1);
    const mark = { org: "org_1", file: "f", commits: 2 };
    const marks = [[mark]];
    store.replaceIndexMarks([]);
    store.followIndexes(() => marks.shift() ?? []);
    const { run } = Database.prototype;
    const full = vi.spyOn(Database.prototype, "run").mockImplementation(function (this: Database, text, ...values) {
      if (text === "COMMIT") throw new Error("the disk is full");
      return run.call(this, text, ...values);
    });
    await expect(store.write({ put: memory("b") })).rejects.toThrow("the disk is full");
    full.mockRestore();
    expect(store.indexMarks()).toEqual([]);
    store.deleteAcknowledged();
    expect(store.indexMarks()).toEqual([mark]);
    close(store);
    expect(sequences(open().changesFor("reader"))).toEqual([]);
  });

  it("separates subscribers, and deletes the changes of removed ones", async () => {
    const streams = [...STREAMS, { name: "both", kinds: ["memory", "session"] }];
    const { open, close } = setUp(streams);
    const first = open();
    await first.write({ put: memory("a") }, { put: memory("s", { kind: "session" }) });
    expect(first.changesFor("reader").read(10)).toHaveLength(1);
    expect(first.changesFor("both").read(10)).toHaveLength(2);
    first.changesFor("reader").acknowledge(first.changesFor("reader").latest());
    expect(first.changesFor("both").read(10)).toHaveLength(2);
    close(first);
    close(open(STREAMS));
    expect(open(streams).changesFor("both").read(10)).toEqual([]);
  });

  it("refuses undeclared readers", () => {
    expect(() => setUp().open().changesFor("unknown")).toThrow("unknown");
  });
});

describe("purging", () => {
  it("removes only expired rows, and adds them to the feed", async () => {
    const { open, time } = setUp();
    const store = open();
    const ttl = Math.floor(time.now() / 1000) + 5;
    const expiring = Array.from({ length: 1200 }, (_, position) => memory(`old-${position}`, { ttl }));
    for (let start = 0; start < 1200; start += 100) {
      await store.write(...expiring.slice(start, start + 100).map((put) => ({ put })));
    }
    await store.write({ put: memory("kept") }, { put: memory("later", { ttl: ttl + 60 }) });
    const reader = store.changesFor("reader");
    reader.acknowledge(reader.latest());
    expect(await store.purgeExpired()).toBe(0);
    time.advance(5_000);
    expect(await store.purgeExpired()).toBe(1200);
    expect(await store.purgeExpired()).toBe(0);
    const removals = reader.read(5000);
    expect(removals).toHaveLength(1200);
    expect(removals.every(({ before, after }) => before?.ttl === ttl && after === undefined)).toBe(true);
    expect((await store.query({ pk: "p", limit: 10 })).items.map(({ sk }) => sk)).toEqual(["kept", "later"]);
  });
});

describe("a write that SQLite would accept but DynamoDB would not", () => {
  it.each([
    ["an empty index key", { gsi1pk: "" }],
    ["an index key that is no text", { gsi2sk: 5 as unknown as string }],
    ["a ttl that is no number", { ttl: "soon" as unknown as number }],
    ["a number that is not finite", { score: Number.NaN }],
  ])("is refused: %s", async (_, attributes) => {
    const store = setUp().open();
    await expect(store.write({ put: memory("a", attributes) })).rejects.toThrow(TypeError);
    expect(await store.get(memory("a"))).toBeUndefined();
  });

  it("is refused: a change of the record's own key", async () => {
    const store = setUp().open();
    await store.write({ put: memory("a") });
    await expect(store.write({ update: memory("a"), set: { sk: "b" } })).rejects.toThrow(TypeError);
    await expect(store.write({ update: memory("a"), remove: ["pk"] })).rejects.toThrow(TypeError);
    expect(await store.get(memory("a"))).toEqual(memory("a"));
  });
});

describe("connections", () => {
  it("are one, active while writes wait for their commit, and one per snapshot being read", async () => {
    const store = setUp().open();
    expect(store.connections()).toEqual({ active: 0, idle: 1 });
    const writing = store.write({ put: memory("a") });
    expect(store.connections()).toEqual({ active: 1, idle: 0 });
    await writing;
    expect(store.connections()).toEqual({ active: 0, idle: 1 });
    const pages = store.snapshot().pages[Symbol.asyncIterator]();
    expect((await pages.next()).value).toHaveLength(1);
    expect(store.connections()).toEqual({ active: 1, idle: 1 });
    await pages.return?.();
    expect(store.connections()).toEqual({ active: 0, idle: 1 });
  });
});
