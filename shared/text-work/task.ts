import { ServiceError } from "../kernel/errors.ts";

/**
 * Work on text by name, which may run in a thread of its own: it reads nothing but its input, and input and output can be
 * cloned between threads. `infra/text-work/tasks.ts` lists every task.
 */
export interface TextTask<Input, Output> {
  name: string;
  /** Ends early when the signal is aborted, where it can; a thread is ended anyway. */
  run(input: Input, signal?: AbortSignal): Output | Promise<Output>;
  /** Inputs of at most so many characters and bytes take less than 5 ms, and run where they are. */
  inlineSize: number;
  /** Longest that it may take in a thread, in milliseconds. */
  timeLimitMs?: number;
}

/** What a caller must know of a task that only ever runs in a thread. */
export type ThreadTask = Pick<TextTask<never, unknown>, "name" | "timeLimitMs">;

/** For whom a task runs, and until when it is wanted. */
export interface TextTaskOptions {
  /** Organization; organizations take turns. */
  org: string;
  signal?: AbortSignal | undefined;
}

/** Whether an input holds more characters and bytes than `limit`, in all its strings, keys and buffers. */
export function isLargerThan(input: unknown, limit: number): boolean {
  let left = limit;
  const pending: unknown[] = [input];
  while (pending.length > 0 && left >= 0) {
    const value = pending.pop();
    left -= ownSize(value);
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) continue;
    if (Array.isArray(value)) {
      left -= value.length;
      if (left >= 0) pending.push(...value);
      continue;
    }
    for (const [key, member] of Object.entries(value)) {
      left -= key.length;
      pending.push(member);
    }
  }
  return left < 0;
}

function ownSize(value: unknown): number {
  if (typeof value === "string") return value.length;
  return ArrayBuffer.isView(value) ? value.byteLength : 1;
}

/** Whether a text took more time or memory than it may: it would the next time too, so its job is not tried again. */
export function isTooComplex(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === "TEXT_TOO_COMPLEX";
}
