import { availableParallelism } from "node:os";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { workerData } from "node:worker_threads";
import { TEXT_THREAD } from "./messages.ts";
import { TextPool } from "./pool.ts";
import { isLargerThan, type TextTask, type TextTaskOptions, type ThreadTask } from "./task.ts";

const MEGABYTE = 1024 * 1024;
const MAX_THREADS = 4;
/** At least two, even on one processor, so that a slow task of one organization leaves a thread to the others. */
const MIN_THREADS = 2;
const MAX_WAITING = 500;
const IDLE_MS = 60_000;
/**
 * Time for a thread to start and to get a processor. With the default time limit, a task ends before
 * API_TIMEOUT_SECONDS, and before a client stops waiting (30 s).
 */
const WAIT_MS = 10_000;
const LIMITS = { heapBytes: 192 * MEGABYTE, bufferBytes: 96 * MEGABYTE, timeMs: 15_000, waitMs: WAIT_MS };
/** Maximum milliseconds for which small tasks block the event loop. */
const INLINE_SLICE_MS = 8;

/** Location of the thread module in a Lambda bundle. */
export const BUNDLED_THREAD = "threads/text-work.mjs";

const lambdaRoot = process.env.LAMBDA_TASK_ROOT;
const isThread = workerData === TEXT_THREAD;

function threadFile(): URL {
  const isBundled = lambdaRoot !== undefined && !import.meta.url.endsWith(".ts");
  if (isBundled) return pathToFileURL(path.join(lambdaRoot, BUNDLED_THREAD));
  return new URL("../../../infra/text-work/thread.ts", import.meta.url);
}

/** The pool of this process. */
const pool = new TextPool({
  threads: Math.min(MAX_THREADS, Math.max(MIN_THREADS, availableParallelism() - 1)),
  maxWaiting: MAX_WAITING,
  idleMs: IDLE_MS,
  file: threadFile(),
  limits: LIMITS,
});

/**
 * Runs a task: in a thread if its input is large, otherwise inline; in a Lambda function and in a thread always inline.
 * Throws as `TextPool.run` does.
 */
export async function runTextTask<Input, Output>(
  task: TextTask<Input, Output>,
  input: Input,
  options: TextTaskOptions,
): Promise<Output> {
  if (isThread) return task.run(input, options.signal);
  const isLarge = lambdaRoot === undefined && isLargerThan(input, task.inlineSize);
  if (isLarge) return pool.run(task, input, options);
  return runInline(task, input, options.signal);
}

/**
 * Always runs a task in a thread, because its input can break the library that reads it, or the library is too large
 * for the caller. Throws as `TextPool.run` does.
 */
export function runIsolated<Output>(task: ThreadTask, input: unknown, options: TextTaskOptions): Promise<Output> {
  return pool.run(task, input, options);
}

/** Milliseconds of inline tasks in this turn of the event loop. */
let spentMs = 0;
let isResetDue = false;

/** Runs a task inline. Before it starts, it waits until earlier inline tasks have yielded to the event loop. */
async function runInline<Input, Output>(
  task: TextTask<Input, Output>,
  input: Input,
  signal: AbortSignal | undefined,
): Promise<Output> {
  while (spentMs > INLINE_SLICE_MS) await nextTurn();
  signal?.throwIfAborted();
  let countedUntil = performance.now();
  const count = () => {
    const now = performance.now();
    spend(now - countedUntil);
    countedUntil = now;
  };
  try {
    const outcome = task.run(input, signal);
    // Tasks that start in the same turn must see the count before this one ends.
    count();
    return await outcome;
  } finally {
    count();
  }
}

/** Adds the time of an inline task, until the next turn of the event loop resets it. */
function spend(milliseconds: number): void {
  spentMs += milliseconds;
  if (isResetDue) return;
  isResetDue = true;
  setImmediate(() => {
    isResetDue = false;
    spentMs = 0;
  });
}
