import { afterEach, describe, expect, it } from "vitest";
import { BackendBusyError } from "../../shared/ports/errors.ts";
import { TextPool } from "../../shared/runtime/text-work/pool.ts";
import type { TextTask } from "../../shared/runtime/text-work/task.ts";

const MEGABYTE = 1024 * 1024;

const taskNamed = (name: string, timeLimitMs?: number): TextTask<number, unknown> => ({
  name,
  inlineSize: 0,
  run: () => Promise.reject(new Error("runs in a thread only")),
  ...(timeLimitMs !== undefined && { timeLimitMs }),
});

let pool: TextPool | undefined;

function openPool({ threads = 2, maxWaiting = 200, waitMs = 10_000 } = {}): TextPool {
  pool = new TextPool({
    threads,
    maxWaiting,
    idleMs: 5_000,
    file: new URL("thread.ts", import.meta.url),
    limits: { heapBytes: 64 * MEGABYTE, bufferBytes: 64 * MEGABYTE, timeMs: 10_000, waitMs },
  });
  return pool;
}

afterEach(async () => pool?.close());

describe("the text pool", () => {
  it.each([1, 2])("begins one organization's task before another's hundredth, with %i threads", async (threads) => {
    const texts = openPool({ threads });
    // Threads take longer to start than these tasks take.
    await Promise.all(["a", "b"].map((org) => texts.run(taskNamed("double"), 1, { org })));
    const ended: string[] = [];
    const run = async (org: string, name: string) => {
      await texts.run(taskNamed("sleep"), 2, { org });
      ended.push(name);
    };
    const flood = Array.from({ length: 100 }, (_, n) => run("a", `a${n}`));
    await run("b", "b");
    expect(ended.length).toBeLessThan(50);
    await Promise.all(flood);
    expect(ended.filter((name) => name !== "b")).toEqual(Array.from({ length: 100 }, (_, n) => `a${n}`));
  });

  it("leaves a thread to others while one organization's task is slow", async () => {
    const texts = openPool();
    const ending = new AbortController();
    const slow = [1, 2].map(() => texts.run(taskNamed("spin"), 0, { org: "a", signal: ending.signal }));
    expect(await texts.run(taskNamed("double"), 21, { org: "b" })).toBe(42);
    ending.abort(new Error("enough"));
    for (const each of slow) await expect(each).rejects.toThrow("enough");
  });

  it.each([
    ["time", taskNamed("spin", 100), { limit: "time", max_ms: 100 }],
    ["memory of its objects", taskNamed("fillHeap"), { limit: "memory", max_bytes: 64 * MEGABYTE }],
    ["memory of its buffers", taskNamed("fillBuffers"), { limit: "memory", max_bytes: 64 * MEGABYTE }],
    [
      "own limit of its buffers",
      { ...taskNamed("fillBuffers"), bufferLimitBytes: 128 * MEGABYTE },
      { limit: "memory", max_bytes: 128 * MEGABYTE },
    ],
  ])("ends a task that exceeds its %s, and runs the next", async (_what, task, details) => {
    const texts = openPool({ threads: 1 });
    const org = "a";
    await expect(texts.run(task, 0, { org })).rejects.toMatchObject({ code: "TEXT_TOO_COMPLEX", details });
    expect(await texts.run(taskNamed("double"), 21, { org })).toBe(42);
  });

  it.each([
    ["waits for longer than its limit", "sleep", 400, "slept"],
    ["loads modules for longer than its limit", "loadAndSleep", 200, "slept"],
    ["computes for less than its limit", "compute", 100, "computed"],
  ])("lets a task end that %s", async (_what, name, input, answer) => {
    expect(await openPool().run(taskNamed(name, 200), input, { org: "a" })).toBe(answer);
  });

  it("counts the time of each task on its own", async () => {
    const texts = openPool({ threads: 1 });
    for (let n = 0; n < 3; n++) await texts.run(taskNamed("compute", 200), 100, { org: "a" });
  });

  it("ends a task that hangs", async () => {
    const texts = openPool({ threads: 1, waitMs: 500 });
    await texts.run(taskNamed("double"), 1, { org: "a" });
    const details = { limit: "time", max_ms: 600 };
    const hanging = texts.run(taskNamed("hang", 100), 0, { org: "a" });
    await expect(hanging).rejects.toMatchObject({ code: "TEXT_TOO_COMPLEX", details });
    expect(await texts.run(taskNamed("double"), 21, { org: "a" })).toBe(42);
  });

  it("reports a task that does not get the processor as a busy backend", async () => {
    const texts = openPool({ waitMs: 500 });
    await texts.run(taskNamed("double"), 1, { org: "a" });
    await expect(texts.run(taskNamed("block", 100), 5_000, { org: "a" })).rejects.toThrow(BackendBusyError);
  });

  it("reports a thread that does not start in time as a busy backend", async () => {
    const texts = openPool({ waitMs: 0 });
    await expect(texts.run(taskNamed("double", 1), 0, { org: "a" })).rejects.toThrow(BackendBusyError);
  });

  it.each(["exit", "crash"])("runs the next task after a thread that ended by itself: %s", async (name) => {
    const texts = openPool({ threads: 1 });
    await expect(texts.run(taskNamed(name), 0, { org: "a" })).rejects.toThrow();
    expect(await texts.run(taskNamed("double"), 21, { org: "a" })).toBe(42);
  });

  it("ends a running task when it is aborted, and never begins one that was aborted while it waited", async () => {
    const texts = openPool({ threads: 1 });
    const [running, waiting] = [new AbortController(), new AbortController()];
    const spinning = texts.run(taskNamed("spin"), 0, { org: "a", signal: running.signal });
    const second = texts.run(taskNamed("spin"), 0, { org: "a", signal: waiting.signal });
    const third = texts.run(taskNamed("double"), 21, { org: "a" });
    waiting.abort(new Error("left"));
    await expect(second).rejects.toThrow("left");
    running.abort(new Error("gone"));
    await expect(spinning).rejects.toThrow("gone");
    expect(await third).toBe(42);
  });

  it("refuses what exceeds an organization's queue, and nobody else's", async () => {
    const texts = openPool({ threads: 1, maxWaiting: 2 });
    const ending = new AbortController();
    const slow = texts.run(taskNamed("spin"), 0, { org: "a", signal: ending.signal });
    const waiting = [1, 2].map((n) => texts.run(taskNamed("double"), n, { org: "a" }));
    await expect(texts.run(taskNamed("double"), 3, { org: "a" })).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      details: { retry_after: 1 },
    });
    const other = texts.run(taskNamed("double"), 4, { org: "b" });
    ending.abort(new Error("enough"));
    await expect(slow).rejects.toThrow("enough");
    expect(await Promise.all([...waiting, other])).toEqual([2, 4, 8]);
  });

  it("rejects an input that cannot be cloned, and runs the next", async () => {
    const texts = openPool({ threads: 1 });
    const input = (() => 1) as unknown as number;
    await expect(texts.run(taskNamed("double"), input, { org: "a" })).rejects.toThrow(/clone/);
    expect(await texts.run(taskNamed("double"), 21, { org: "a" })).toBe(42);
  });
});
