import { readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import path from "node:path";
import { parentPort } from "node:worker_threads";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { TaskAnswer, TaskMessage, TaskStart } from "../../shared/runtime/text-work/messages.ts";
import { findTask } from "./tasks.ts";

/** Added to the process's niceness, so that the request thread gets the processor first. */
const NICENESS = 10;

lowerPriority();
parentPort?.on("message", async (message: TaskMessage) => parentPort?.postMessage(await answer(message)));

/** On Linux a thread has its own priority under its id. */
function lowerPriority(): void {
  if (process.platform !== "linux") return;
  const id = Number(path.basename(readlinkSync("/proc/thread-self")));
  setPriority(id, Math.min(constants.priority.PRIORITY_LOW, getPriority(id) + NICENESS));
}

async function answer({ task: name, input }: TaskMessage): Promise<TaskAnswer> {
  const outcome = await outcomeOf(name, input);
  return { heapBytes: process.memoryUsage().heapUsed, ...outcome };
}

async function outcomeOf(name: string, input: unknown) {
  try {
    const task = await findTask(name);
    parentPort?.postMessage({ startUsage: process.threadCpuUsage() } satisfies TaskStart);
    return { value: await task.run(input as never) };
  } catch (error) {
    if (error instanceof ServiceError) {
      const { code, message, details } = error;
      return { refused: { code, message, details } };
    }
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
