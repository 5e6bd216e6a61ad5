import type { ErrorCode } from "../../kernel/errors.ts";

/** A request to a thread. */
export interface TaskMessage {
  task: string;
  input: unknown;
}

/** A thread's message after it has loaded a task's modules, with the processor time that it has used so far. */
export interface TaskStart {
  startUsage: NodeJS.CpuUsage;
}

/** A thread's response: a value, an error of the service, or the stack of any other error. */
export type TaskAnswer = { heapBytes: number } & (
  | { value: unknown }
  | { refused: { code: ErrorCode; message: string; details: Record<string, unknown> } }
  | { failed: string }
);

/** In `workerData`, marks that a module runs in a thread of the pool. */
export const TEXT_THREAD = "text-thread";
