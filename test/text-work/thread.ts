/** A thread with tasks that misbehave, which answers as `infra/text-work/thread.ts` does. */
import { parentPort } from "node:worker_threads";
import type { TaskMessage } from "../../shared/runtime/text-work/messages.ts";

const TASKS: { [name: string]: (input: number) => unknown } = {
  double: (input) => input * 2,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds, "slept")),
  spin: () => {
    for (;;);
  },
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

parentPort?.on("message", async ({ task, input }: TaskMessage) => {
  parentPort?.postMessage({ value: await TASKS[task]?.(Number(input)), heapBytes: 0 });
});
