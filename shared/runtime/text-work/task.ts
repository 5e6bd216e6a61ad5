import { ServiceError } from "../../kernel/errors.ts";

/** A task that may run in a thread: input and output are cloneable. `infra/text-work/tasks.ts` lists all tasks. */
export interface TextTask<Input, Output> {
  name: string;
  /** Stops early when the signal is aborted, if possible; a thread is ended anyway. */
  run(input: Input, signal?: AbortSignal): Output | Promise<Output>;
  /** Inputs up to this many characters and bytes take less than 5 ms and run inline. */
  inlineSize: number;
  /** Maximum milliseconds of processor time in a thread. */
  timeLimitMs?: number;
}

/** A task that only runs in a thread, as its caller needs it. */
export type ThreadTask = Pick<TextTask<never, unknown>, "name" | "timeLimitMs"> & {
  /** Maximum bytes of its buffers; the default is the limit of the pool. */
  bufferLimitBytes?: number;
};

/** The organization for which a task runs, and its abort signal. */
export interface TextTaskOptions {
  /** Organizations take turns. */
  org: string;
  signal?: AbortSignal | undefined;
}

/** Whether all strings, keys and buffers of an input together have more than `limit` characters and bytes. */
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

/**
 * Whether a text exceeded the time or memory limit. Its job is not retried, because it would exceed the limit again.
 */
export function isTooComplex(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === "TEXT_TOO_COMPLEX";
}
