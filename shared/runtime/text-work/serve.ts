import { readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import path from "node:path";
import { parentPort } from "node:worker_threads";
import { ServiceError } from "../../kernel/errors.ts";
import type { TaskAnswer, TaskMessage, TaskStart } from "./messages.ts";
import type { TextTask } from "./task.ts";

/** Added to the process's niceness, so that the request thread gets the processor first. */
const NICENESS = 10;

interface Serving {
  /** Whether requests of others wait for the tasks, too: then the thread has the priority of the request thread. */
  isUrgent?: boolean;
}

type Runnable = Pick<TextTask<never, unknown>, "run">;

/** Runs in this thread the tasks that a pool sends; `find` returns a task by its name. */
export function serveTasks(find: (name: string) => Promise<Runnable>, { isUrgent = false }: Serving = {}): void {
  if (!isUrgent) lowerPriority();
  parentPort?.on("message", async (message: TaskMessage) => parentPort?.postMessage(await answer(message, find)));
}

/** On Linux a thread has its own priority under its id. */
function lowerPriority(): void {
  if (process.platform !== "linux") return;
  const id = Number(path.basename(readlinkSync("/proc/thread-self")));
  setPriority(id, Math.min(constants.priority.PRIORITY_LOW, getPriority(id) + NICENESS));
}

async function answer({ task, input }: TaskMessage, find: (name: string) => Promise<Runnable>): Promise<TaskAnswer> {
  const outcome = await outcomeOf(() => find(task), input);
  return { heapBytes: process.memoryUsage().heapUsed, ...outcome };
}

async function outcomeOf(find: () => Promise<Runnable>, input: unknown) {
  try {
    const task = await find();
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
