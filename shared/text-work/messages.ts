import type { ErrorCode } from "../kernel/errors.ts";

/** What a thread is asked. */
export interface TaskMessage {
  task: string;
  input: unknown;
}

/** What it answers: a value, an error of the service, or any other error by its stack. */
export type TaskAnswer = { heapBytes: number } & (
  | { value: unknown }
  | { refused: { code: ErrorCode; message: string; details: Record<string, unknown> } }
  | { failed: string }
);

/** Tells a module that it runs in a thread of the pool, in `workerData`. */
export const TEXT_THREAD = "text-thread";
