import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DynamoDBBatchResponse } from "aws-lambda";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readChanges } from "../../shared/adapters/aws/stream-event.ts";
import { LocalRecordStore } from "../../shared/adapters/local/records.ts";
import { systemClock } from "../../shared/kernel/clock.ts";
import { HOUR_MS } from "../../shared/kernel/durations.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { RecordChange } from "../../shared/ports/changes.ts";
import { temporaryFolder } from "../../test/fixtures/temporary-folder.ts";
import { StreamLoop, type StreamLoopOptions } from "./stream-loop.ts";
import { toStreamRecord } from "./stream-record.ts";

/** Handles a batch of the named changes; undefined means success. */
type Handle = (changes: RecordChange[], names: string[]) => Promise<DynamoDBBatchResponse | undefined>;

/** A loop whose handler records the names of each batch, then does what `handle` does, and records what succeeded. */
function setUp(handle: Handle = async () => undefined, options: Partial<StreamLoopOptions> = {}) {
  const file = path.join(temporaryFolder(), "records.sqlite");
  const store = new LocalRecordStore({ file, clock: systemClock, streams: [{ name: "worker", kinds: ["memory"] }] });
  onTestFinished(() => store.close());
  const changes = store.changesFor("worker");
  const [batches, handled, parked]: [string[][], string[], string[]] = [[], [], []];
  const handler = async (given: RecordChange[]) => {
    const names = given.map(nameOf);
    batches.push(names);
    const failures = await handle(given, names);
    if (failures === undefined) handled.push(...names);
    return failures ?? { batchItemFailures: [] };
  };
  const park = async (change: RecordChange) => void parked.push(nameOf(change));
  const defaults = { name: "worker", changes, park, logger: silentLogger, backoffMs: 1, timeoutMs: HOUR_MS };
  const loop = new StreamLoop({ ...defaults, handler, ...options });
  onTestFinished(() => loop.stop());
  const put = (...names: string[]) => store.write(...names.map((sk) => ({ put: { pk: "p", sk, kind: "memory" } })));
  return { store, changes, loop, batches, handled, parked, put };
}

function nameOf({ key }: RecordChange): string {
  return key.sk;
}

/** A response that reports the changes at these places of a batch as failed. */
function failuresAt(changes: RecordChange[], ...places: number[]): DynamoDBBatchResponse {
  return { batchItemFailures: places.map((index) => ({ itemIdentifier: changes[index]!.sequence })) };
}

/** Reports the first change for which `fails` is true. */
function reportsFailure(fails: (name: string) => boolean): Handle {
  return async (changes, names) => {
    const index = names.findIndex(fails);
    return index === -1 ? undefined : failuresAt(changes, index);
  };
}

/** Throws if `fails` is true for a change of the batch. */
function throwsFor(fails: (name: string) => boolean, error = new Error("handler crashed")): Handle {
  return async (_changes, names) => {
    if (names.some(fails)) throw error;
    return undefined;
  };
}

const unavailable = () => Object.assign(new Error(), { statusCode: 503 });

describe("StreamLoop", () => {
  it("delivers the changes that the events of DynamoDB's stream contain", async () => {
    const delivered: RecordChange[] = [];
    const { store, loop } = setUp(async (changes) => void delivered.push(...changes));
    const key = { pk: "p", sk: "a" };
    const first = {
      ...key,
      kind: "memory",
      text: "é",
      tags: ["x"],
      metadata: { n: 1.5, deep: { yes: true, no: null } },
    };
    await store.write({ put: first });
    await store.write({ update: key, set: { text: "changed" } });
    await store.write({ delete: key });
    await loop.drain();
    const second = { ...first, text: "changed" };
    expect(delivered.map(({ key, before, after }) => ({ key, before, after }))).toEqual([
      { key, before: undefined, after: first },
      { key, before: first, after: second },
      { key, before: second, after: undefined },
    ]);
    const sequences = delivered.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted());
    expect(new Set(sequences).size).toBe(3);
    const records = delivered.map(toStreamRecord);
    expect(records.map(({ eventName }) => eventName)).toEqual(["INSERT", "MODIFY", "REMOVE"]);
    expect(readChanges({ Records: records })).toEqual(delivered);
  });

  it("delivers earlier changes in order and in batches, and acknowledges them", async () => {
    const { batches, changes, loop, put } = setUp(undefined, { batchSize: 2 });
    await put("a", "b", "c");
    await put("d", "e");
    await loop.drain();
    expect(batches).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(changes.read(10)).toEqual([]);
    await loop.drain();
    expect(batches).toHaveLength(3);
  });

  it("delivers changes of an earlier process, and new ones, without a call once it is started", async () => {
    const { batches, loop, put } = setUp();
    await put("left");
    loop.start();
    await expect.poll(() => batches).toEqual([["left"]]);
    await put("new");
    await expect.poll(() => batches).toEqual([["left"], ["new"]]);
  });

  it("lets concurrent drains share a run, and resolves each when its own changes are handled", async () => {
    const { batches, handled, loop, put } = setUp(async () => {
      await sleep(2);
      return undefined;
    });
    loop.start();
    const writers = Array.from({ length: 60 }, async (_, writer) => {
      await sleep(writer % 7);
      await put(`${writer}`);
      await loop.drain();
      return handled.includes(`${writer}`);
    });
    expect(await Promise.all(writers)).not.toContain(false);
    expect(new Set(handled).size).toBe(60);
    expect(batches.length).toBeLessThan(30);
  });

  it("does not make a drain wait for later changes", async () => {
    const gates = { a: Promise.withResolvers<undefined>(), b: Promise.withResolvers<undefined>() };
    const { loop, put } = setUp((_changes, [name]) => gates[name as "a" | "b"].promise, { batchSize: 1 });
    await put("a");
    const drained = loop.drain();
    await put("b");
    gates.a.resolve(undefined);
    await drained;
    gates.b.resolve(undefined);
    await loop.drain();
  });

  it("continues with the lowest reported failure, and does not repeat earlier changes", async () => {
    let failures = 1;
    const { batches, loop, put } = setUp(reportsFailure((name) => name === "c" && failures-- > 0));
    await put("a", "b", "c", "d");
    await loop.drain();
    expect(batches).toEqual([
      ["a", "b", "c", "d"],
      ["c", "d"],
    ]);
  });

  it("uses the lowest of several reported failures in any order", async () => {
    const { batches, loop, put } = setUp(async (changes) =>
      batches.length > 1 ? undefined : failuresAt(changes, 2, 1),
    );
    await put("a", "b", "c");
    await loop.drain();
    expect(batches).toEqual([
      ["a", "b", "c"],
      ["b", "c"],
    ]);
  });

  it.each(["", "unknown"])("repeats a whole batch if the reported failure is '%s'", async (itemIdentifier) => {
    const { batches, handled, loop, put } = setUp(async () =>
      batches.length > 1 ? undefined : { batchItemFailures: [{ itemIdentifier }] },
    );
    await put("a", "b");
    await loop.drain();
    expect(handled).toEqual(["a", "b"]);
  });

  it("isolates a change that makes the handler throw, quarantines it after its last attempt and continues", async () => {
    const fails = throwsFor((name) => name === "poison");
    const { batches, handled, changes, loop, parked, put } = setUp(fails, { maxAttempts: 3 });
    await put("a", "b", "c", "poison", "d", "e");
    await loop.drain();
    expect(handled).toEqual(["a", "b", "c", "d", "e"]);
    expect(parked).toEqual(["poison"]);
    expect(batches.filter((names) => names.length === 1 && names[0] === "poison")).toHaveLength(3);
    expect(changes.read(10)).toEqual([]);
  });

  it("quarantines only the change that is reported as failed each time", async () => {
    const { batches, loop, parked, put } = setUp(
      reportsFailure((name) => name === "b"),
      { maxAttempts: 2 },
    );
    await put("a", "b", "c");
    await loop.drain();
    expect(parked).toEqual(["b"]);
    expect(batches).toEqual([["a", "b", "c"], ["b", "c"], ["c"]]);
  });

  it("waits for the end of a backend outage, keeps the order, and quarantines nothing", async () => {
    let failures = 40;
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const { handled, changes, loop, parked, put } = setUp(
      throwsFor(() => failures-- > 0, refused),
      { maxAttempts: 2, backoffMs: 0 },
    );
    await put("a", "b", "c");
    await loop.drain();
    expect(handled).toEqual(["a", "b", "c"]);
    expect(parked).toEqual([]);
    expect(changes.read(10)).toEqual([]);
  });

  it("quarantines a change that alone meets an outage for too long", async () => {
    const fails = throwsFor((name) => name === "poison", unavailable());
    const { handled, loop, parked, put } = setUp(fails, { maxOutageMs: 100 });
    await put("a", "poison", "b");
    const startedAt = performance.now();
    await loop.drain();
    expect(performance.now() - startedAt).toBeGreaterThan(100);
    expect(handled).toEqual(["a", "b"]);
    expect(parked).toEqual(["poison"]);
  });

  it("does not make drains wait in an outage that exceeds their timeout, but after it", async () => {
    const TIMEOUT_MS = 1_000;
    const warn = vi.fn();
    let isDown = true;
    const { handled, changes, loop, put } = setUp(
      throwsFor(() => isDown, unavailable()),
      { timeoutMs: TIMEOUT_MS, backoffMs: 20, logger: { ...silentLogger, warn } },
    );
    const behind = () => warn.mock.calls.filter(([message]) => message === "STREAM_BEHIND").length;
    await put("a");
    await loop.drain();
    expect(behind()).toBe(1);
    await put("b");
    await sleep(20);
    const startedAt = performance.now();
    await loop.drain();
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS);
    expect(behind()).toBe(1);
    isDown = false;
    await vi.waitFor(() => expect(changes.read(10)).toEqual([]), { timeout: 10_000 });
    await put("c");
    await loop.drain();
    expect(handled).toEqual(["a", "b", "c"]);
  });

  it("keeps a change until it can be quarantined", async () => {
    let isFull = true;
    const kept: string[] = [];
    const { loop, changes, put } = setUp(
      throwsFor(() => true),
      {
        maxAttempts: 1,
        park: async (change) => {
          if (isFull) throw new Error("no space left");
          kept.push(nameOf(change));
        },
      },
    );
    await put("a");
    const drained = loop.drain();
    await sleep(50);
    expect(changes.read(10)).toHaveLength(1);
    isFull = false;
    await drained;
    expect(kept).toEqual(["a"]);
    expect(changes.read(10)).toEqual([]);
  });

  it("stops waiting for a slow handler after the timeout with a warning, and still handles the change", async () => {
    const gate = Promise.withResolvers<undefined>();
    const warn = vi.fn();
    const { changes, loop, put } = setUp(() => gate.promise, { timeoutMs: 10, logger: { ...silentLogger, warn } });
    await put("a");
    await loop.drain();
    expect(warn).toHaveBeenCalledWith("STREAM_BEHIND", { worker: "worker", sequence: 1 });
    expect(changes.read(10)).toHaveLength(1);
    gate.resolve(undefined);
    await expect.poll(() => changes.read(10)).toEqual([]);
  });

  it("finishes the current batch on stop, and keeps the rest for the next start", async () => {
    const gate = Promise.withResolvers<undefined>();
    const { batches, changes, loop, put } = setUp(() => gate.promise, { batchSize: 1 });
    loop.start();
    await put("a", "b");
    await expect.poll(() => batches).toEqual([["a"]]);
    const drained = loop.drain();
    const stopped = loop.stop();
    gate.resolve(undefined);
    await Promise.all([stopped, drained]);
    await put("c");
    await loop.drain();
    expect(batches).toEqual([["a"]]);
    expect(changes.read(10).map(({ key }) => key.sk)).toEqual(["b", "c"]);
  });

  it("stops at once while it waits for a retry", async () => {
    const { batches, changes, loop, put } = setUp(
      throwsFor(() => true),
      { backoffMs: HOUR_MS },
    );
    loop.start();
    await put("a");
    await expect.poll(() => batches).toHaveLength(1);
    await loop.stop();
    expect(changes.read(10)).toHaveLength(1);
  });
});
