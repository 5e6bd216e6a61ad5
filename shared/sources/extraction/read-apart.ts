import path from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { LIMITS, type Reading, type ReadingAnswer, type ReadingJob } from "./jobs.ts";
import { Unreadable } from "./unreadable.ts";

const MEGABYTE = 1024 * 1024;
const YOUNG_HEAP_MB = 16;
const STACK_MB = 4;
const WATCH_EVERY_MS = 50;

/** Threads at work at once; further files wait for their turn. */
const MOST_THREADS = 2;

/** Where the bundle of a Lambda function has the thread; from source it is beside this file. */
export const BUNDLED_THREAD = "threads/read-file.mjs";

function threadFile(): URL {
  const root = process.env.LAMBDA_TASK_ROOT;
  if (import.meta.url.endsWith(".ts") || root === undefined) return new URL("./thread.ts", import.meta.url);
  return pathToFileURL(path.join(root, BUNDLED_THREAD));
}

let atWork = 0;
const waiting: (() => void)[] = [];

/**
 * Reads a file in a thread of its own, which is ended when it takes too much time or memory: a file made to harm ends
 * nothing but its own reading. Throws Unreadable, also for a file that takes too much.
 */
export async function readApart(job: ReadingJob): Promise<Reading> {
  if (atWork >= MOST_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
  atWork++;
  try {
    return await readInThread(job);
  } finally {
    atWork--;
    waiting.shift()?.();
  }
}

async function readInThread(job: ReadingJob): Promise<Reading> {
  const thread = new Worker(threadFile(), {
    workerData: job,
    resourceLimits: {
      maxOldGenerationSizeMb: LIMITS.heapBytes / MEGABYTE,
      maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      stackSizeMb: STACK_MB,
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadingAnswer>();
  thread.once("message", resolve);
  thread.once("error", (error) => reject(isOutOfMemory(error) ? tooMuch("memory") : error));
  thread.once("exit", () => reject(tooMuch("memory")));
  const late = setTimeout(() => reject(tooMuch("time")), LIMITS.timeMs[job.kind]);
  const watch = setInterval(() => void checkBuffers(thread, reject), WATCH_EVERY_MS);
  try {
    const answer = await promise;
    if ("unreadable" in answer) throw new Unreadable(answer.unreadable);
    return answer.reading;
  } finally {
    clearTimeout(late);
    clearInterval(watch);
    await thread.terminate();
  }
}

/** Buffers are outside of the heap, which alone the thread's own limits are about. */
async function checkBuffers(thread: Worker, reject: (error: Error) => void): Promise<void> {
  try {
    const { external_memory } = await thread.getHeapStatistics();
    if (external_memory > LIMITS.bufferBytes) reject(tooMuch("memory"));
  } catch {
    // The thread has ended in the meantime, which is what it was watched for.
  }
}

function tooMuch(what: "memory" | "time"): Unreadable {
  return new Unreadable(`reading it takes too much ${what}`);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
