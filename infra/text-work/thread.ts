import { parentPort } from "node:worker_threads";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { TaskAnswer, TaskMessage } from "../../shared/text-work/messages.ts";
import { findTask } from "./tasks.ts";

parentPort?.on("message", async (message: TaskMessage) => parentPort?.postMessage(await answer(message)));

async function answer({ task: name, input }: TaskMessage): Promise<TaskAnswer> {
  const outcome = await outcomeOf(name, input);
  return { heapBytes: process.memoryUsage().heapUsed, ...outcome };
}

async function outcomeOf(name: string, input: unknown) {
  try {
    const task = await findTask(name);
    return { value: await task.run(input as never) };
  } catch (error) {
    if (error instanceof ServiceError) {
      const { code, message, details } = error;
      return { refused: { code, message, details } };
    }
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
