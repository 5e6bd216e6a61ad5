/** A thread with tasks that misbehave, which answers as `infra/text-work/thread.ts` does. */
import { parentPort } from "node:worker_threads";
import type { TaskMessage, TaskStart } from "../../shared/runtime/text-work/messages.ts";

/** Uses this much processor time. */
function compute(milliseconds: number): string {
  const start = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(start);
    if (user + system > milliseconds * 1000) return "computed";
  }
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds, "slept"));

const TASKS: { [name: string]: (input: number) => unknown } = {
  double: (input) => input * 2,
  sleep,
  loadAndSleep: sleep,
  compute,
  spin: () => {
    for (;;);
  },
  hang: () => new Promise(() => {}),
  /** Looks like a thread that gets no processor. */
  block: (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds),
  fillHeap: () => {
    const kept: string[][] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, n) => `${n} ${kept.length}`));
  },
  fillBuffers: async () => {
    const kept: Buffer[] = [];
    for (;;) {
      kept.push(Buffer.alloc(8 * 1024 * 1024, kept.length));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  },
  exit: () => process.exit(1),
  crash: () => {
    setImmediate(() => {
      throw new Error("crashed");
    });
    return new Promise(() => {});
  },
};

/** What loading the modules of a task takes, in milliseconds of processor time. */
const LOADING_MS: { [name: string]: number } = { loadAndSleep: 300 };

parentPort?.on("message", async ({ task, input }: TaskMessage) => {
  compute(LOADING_MS[task] ?? 0);
  parentPort?.postMessage({ startUsage: process.threadCpuUsage() } satisfies TaskStart);
  parentPort?.postMessage({ value: await TASKS[task]?.(Number(input)), heapBytes: 0 });
});
