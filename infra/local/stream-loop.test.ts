import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LocalRecordStore } from "../../shared/adapters/local/records.ts";
import { systemClock } from "../../shared/kernel/clock.ts";
import { HOUR_MS } from "../../shared/kernel/durations.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { temporaryFolder } from "../../test/fixtures/temporary-folder.ts";
import { StreamLoop, type StreamLoopOptions } from "./stream-loop.ts";

type Handler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

const DONE: DynamoDBBatchResponse = { batchItemFailures: [] };
function setUp(handler: Handler, options: Partial<StreamLoopOptions> = {}) {
  const file = path.join(temporaryFolder(), "records.sqlite");
  const store = new LocalRecordStore({ file, clock: systemClock, streams: [{ name: "worker", kinds: ["memory"] }] });
  onTestFinished(() => store.close());
  const changes = store.changesFor("worker");
  const parked: string[] = [];
  const park = async (record: DynamoDBRecord) => void parked.push(nameOf(record));
  const defaults = { name: "worker", changes, park, logger: silentLogger, backoffMs: 1, timeoutMs: HOUR_MS };
  const loop = new StreamLoop({ ...defaults, handler, ...options });
  onTestFinished(() => loop.stop());
  const put = (...names: string[]) => store.write(...names.map((sk) => ({ put: { pk: "p", sk, kind: "memory" } })));
  return { store, changes, loop, parked, put };
}

function nameOf({ dynamodb }: DynamoDBRecord): string {
  return dynamodb?.Keys?.sk?.S ?? "";
}

function failure(record: DynamoDBRecord): DynamoDBBatchResponse {
  return { batchItemFailures: [{ itemIdentifier: record.dynamodb!.SequenceNumber! }] };
}

/** A handler that records its batches and reports the first record for which `fails` is true. */
function recorder(fails: (name: string) => boolean = () => false) {
  const batches: string[][] = [];
  const handler: Handler = async ({ Records }) => {
    batches.push(Records.map(nameOf));
    const failed = Records.find((record) => fails(nameOf(record)));
    return failed ? failure(failed) : DONE;
  };
  return { batches, handler };
}

/** A handler that records its batches and throws if `fails` is true for a record of the batch. */
function thrower(fails: (name: string) => boolean) {
  const batches: string[][] = [];
  const handled: string[] = [];
  const handler: Handler = async ({ Records }) => {
    const names = Records.map(nameOf);
    batches.push(names);
    if (names.some(fails)) throw new Error("handler crashed");
    handled.push(...names);
    return DONE;
  };
  return { batches, handled, handler };
}

describe("StreamLoop", () => {
  it("hands out what DynamoDB streams would", async () => {
    const events: DynamoDBStreamEvent[] = [];
    const { store, loop } = setUp(async (event) => {
      events.push(event);
      return DONE;
    });
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
    const records = events.flatMap(({ Records }) => Records);
    const images = records.map(({ eventName, dynamodb }) => ({
      eventName,
      keys: unmarshall(dynamodb!.Keys as never),
      before: dynamodb!.OldImage && unmarshall(dynamodb!.OldImage as never),
      after: dynamodb!.NewImage && unmarshall(dynamodb!.NewImage as never),
    }));
    const second = { ...first, text: "changed" };
    expect(images).toEqual([
      { eventName: "INSERT", keys: key, before: undefined, after: first },
      { eventName: "MODIFY", keys: key, before: first, after: second },
      { eventName: "REMOVE", keys: key, before: second, after: undefined },
    ]);
    const sequences = records.map(({ dynamodb }) => dynamodb!.SequenceNumber!);
    expect(sequences).toEqual(sequences.toSorted());
    expect(new Set(sequences).size).toBe(3);
    expect(records.every(({ eventSource }) => eventSource === "aws:dynamodb")).toBe(true);
  });

  it("drains what was written before, in order and in batches, and acknowledges it", async () => {
    const { batches, handler } = recorder();
    const { changes, loop, put } = setUp(handler, { batchSize: 2 });
    await put("a", "b", "c");
    await put("d", "e");
    await loop.drain();
    expect(batches).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(changes.read(10)).toEqual([]);
    await loop.drain();
    expect(batches).toHaveLength(3);
  });

  it("wakes by itself once started, also for what an earlier process left", async () => {
    const { batches, handler } = recorder();
    const { loop, put } = setUp(handler);
    await put("left");
    loop.start();
    await vi.waitFor(() => expect(batches).toEqual([["left"]]));
    await put("new");
    await vi.waitFor(() => expect(batches).toEqual([["left"], ["new"]]));
  });

  it("lets concurrent writers share a run, each released when its own changes are handled", async () => {
    const handled = new Set<string>();
    let runs = 0;
    const { loop, put } = setUp(async ({ Records }) => {
      runs++;
      await sleep(2);
      for (const record of Records) handled.add(nameOf(record));
      return DONE;
    });
    loop.start();
    const writers = Array.from({ length: 60 }, async (_, writer) => {
      await sleep(writer % 7);
      await put(`${writer}`);
      await loop.drain();
      return handled.has(`${writer}`);
    });
    expect(await Promise.all(writers)).not.toContain(false);
    expect(handled.size).toBe(60);
    expect(runs).toBeLessThan(30);
  });

  it("does not make a drain wait for changes that came after it", async () => {
    const gates = new Map([
      ["a", Promise.withResolvers<void>()],
      ["b", Promise.withResolvers<void>()],
    ]);
    const { loop, put } = setUp(
      async ({ Records }) => {
        await gates.get(nameOf(Records[0]!))?.promise;
        return DONE;
      },
      { batchSize: 1 },
    );
    await put("a");
    const drained = loop.drain();
    await put("b");
    gates.get("a")!.resolve();
    await drained;
    gates.get("b")!.resolve();
    await loop.drain();
  });

  it("starts again at the lowest reported failure, and repeats nothing before it", async () => {
    let failures = 1;
    const { batches, handler } = recorder((name) => name === "c" && failures-- > 0);
    const { loop, put } = setUp(handler);
    await put("a", "b", "c", "d");
    await loop.drain();
    expect(batches).toEqual([
      ["a", "b", "c", "d"],
      ["c", "d"],
    ]);
  });

  it("takes the lowest of several reported failures, whatever their order", async () => {
    const batches: string[][] = [];
    const { loop, put } = setUp(async ({ Records }) => {
      batches.push(Records.map(nameOf));
      if (batches.length > 1) return DONE;
      return {
        batchItemFailures: [...failure(Records[2]!).batchItemFailures, ...failure(Records[1]!).batchItemFailures],
      };
    });
    await put("a", "b", "c");
    await loop.drain();
    expect(batches).toEqual([
      ["a", "b", "c"],
      ["b", "c"],
    ]);
  });

  it.each(["", "unknown"])("repeats a whole batch when the failure reported is '%s'", async (itemIdentifier) => {
    const { handled, handler } = thrower(() => false);
    let isFirst = true;
    const { loop, put } = setUp(async (event) => {
      if (!isFirst) return handler(event);
      isFirst = false;
      return { batchItemFailures: [{ itemIdentifier }] };
    });
    await put("a", "b");
    await loop.drain();
    expect(handled).toEqual(["a", "b"]);
  });

  it("isolates what makes a handler throw, parks it after its last attempt and goes on", async () => {
    const { batches, handled, handler } = thrower((name) => name === "poison");
    const { changes, loop, parked, put } = setUp(handler, { maxAttempts: 3 });
    await put("a", "b", "c", "poison", "d", "e");
    await loop.drain();
    expect(handled).toEqual(["a", "b", "c", "d", "e"]);
    expect(parked).toEqual(["poison"]);
    expect(batches.filter((names) => names.length === 1 && names[0] === "poison")).toHaveLength(3);
    expect(changes.read(10)).toEqual([]);
  });

  it("parks what is reported as failed each time, and that alone", async () => {
    const { batches, handler } = recorder((name) => name === "b");
    const { loop, parked, put } = setUp(handler, { maxAttempts: 2 });
    await put("a", "b", "c");
    await loop.drain();
    expect(parked).toEqual(["b"]);
    expect(batches).toEqual([["a", "b", "c"], ["b", "c"], ["c"]]);
  });

  it("waits for a backend as long as that is out, in order, and parks nothing for it", async () => {
    let failures = 40;
    const { handled, handler } = thrower(() => false);
    const { changes, loop, parked, put } = setUp(
      async (event) => {
        if (failures-- > 0) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
        return handler(event);
      },
      { maxAttempts: 2, backoffMs: 0 },
    );
    await put("a", "b", "c");
    await loop.drain();
    expect(handled).toEqual(["a", "b", "c"]);
    expect(parked).toEqual([]);
    expect(changes.read(10)).toEqual([]);
  });

  it("takes a change that alone meets an outage for long for its cause, and gets past it", async () => {
    const { handled, handler } = thrower(() => false);
    const { loop, parked, put } = setUp(
      async (event) => {
        if (event.Records.map(nameOf).includes("poison")) throw Object.assign(new Error(), { statusCode: 503 });
        return handler(event);
      },
      { longestOutageMs: 100 },
    );
    await put("a", "poison", "b");
    const startedAt = performance.now();
    await loop.drain();
    expect(performance.now() - startedAt).toBeGreaterThan(100);
    expect(handled).toEqual(["a", "b"]);
    expect(parked).toEqual(["poison"]);
  });

  it("has no drain wait in an outage that has lasted longer than its patience, and every one after it", async () => {
    const warn = vi.fn();
    const { handled, handler } = thrower(() => false);
    let isDown = true;
    const { changes, loop, put } = setUp(
      async (event) => {
        if (isDown) throw Object.assign(new Error(), { statusCode: 503 });
        return handler(event);
      },
      { timeoutMs: 300, backoffMs: 20, logger: { ...silentLogger, warn } },
    );
    const behind = () => warn.mock.calls.filter(([message]) => message === "STREAM_BEHIND").length;
    await put("a");
    await loop.drain();
    expect(behind()).toBe(1);
    await put("b");
    await sleep(20);
    const startedAt = performance.now();
    await loop.drain();
    expect(performance.now() - startedAt).toBeLessThan(150);
    expect(behind()).toBe(1);
    isDown = false;
    await vi.waitFor(() => expect(changes.read(10)).toEqual([]), { timeout: 10_000 });
    await put("c");
    await loop.drain();
    expect(handled).toEqual(["a", "b", "c"]);
  });

  it("keeps a change that cannot be parked until it can", async () => {
    let isFull = true;
    const kept: string[] = [];
    const { handler } = thrower(() => true);
    const { loop, changes, put } = setUp(handler, {
      maxAttempts: 1,
      park: async (record) => {
        if (isFull) throw new Error("no space left");
        kept.push(nameOf(record));
      },
    });
    await put("a");
    const drained = loop.drain();
    await sleep(50);
    expect(changes.read(10)).toHaveLength(1);
    isFull = false;
    await drained;
    expect(kept).toEqual(["a"]);
    expect(changes.read(10)).toEqual([]);
  });

  it("gives up waiting for a slow handler after its patience, says so, and still handles the change", async () => {
    const gate = Promise.withResolvers<void>();
    const warn = vi.fn();
    const { changes, loop, put } = setUp(
      async () => {
        await gate.promise;
        return DONE;
      },
      { timeoutMs: 10, logger: { ...silentLogger, warn } },
    );
    await put("a");
    await loop.drain();
    expect(warn).toHaveBeenCalledWith("STREAM_BEHIND", { worker: "worker", sequence: 1 });
    expect(changes.read(10)).toHaveLength(1);
    gate.resolve();
    await vi.waitFor(() => expect(changes.read(10)).toEqual([]));
  });

  it("finishes the batch at work on stop, takes no other, and leaves the rest for the next start", async () => {
    const gate = Promise.withResolvers<void>();
    const batches: string[][] = [];
    const { changes, loop, put } = setUp(
      async ({ Records }) => {
        batches.push(Records.map(nameOf));
        await gate.promise;
        return DONE;
      },
      { batchSize: 1 },
    );
    loop.start();
    await put("a", "b");
    await vi.waitFor(() => expect(batches).toEqual([["a"]]));
    const drained = loop.drain();
    const stopped = loop.stop();
    gate.resolve();
    await Promise.all([stopped, drained]);
    await put("c");
    await loop.drain();
    expect(batches).toEqual([["a"]]);
    expect(changes.read(10).map(({ key }) => key.sk)).toEqual(["b", "c"]);
  });

  it("stops at once while it waits to try again", async () => {
    const { batches, handler } = thrower(() => true);
    const { changes, loop, put } = setUp(handler, { backoffMs: HOUR_MS });
    loop.start();
    await put("a");
    await vi.waitFor(() => expect(batches).toHaveLength(1));
    await loop.stop();
    expect(changes.read(10)).toHaveLength(1);
  });
});
