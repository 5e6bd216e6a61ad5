import { availableParallelism } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { workerData } from "node:worker_threads";
import { takeTurn } from "../../kernel/turns.ts";
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
 * Runs a task: in a thread if its input is large, otherwise inline, in the organization's turn; in a
 * Lambda function and in a thread always inline.
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
  await takeTurn(options.org);
  options.signal?.throwIfAborted();
  return task.run(input, options.signal);
}

/**
 * Always runs a task in a thread, because its input can break the library that reads it, or the library is too large
 * for the caller. Throws as `TextPool.run` does.
 */
export function runIsolated<Output>(task: ThreadTask, input: unknown, options: TextTaskOptions): Promise<Output> {
  return pool.run(task, input, options);
}
