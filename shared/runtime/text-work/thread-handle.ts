import { Worker } from "node:worker_threads";
import { ServiceError } from "../../kernel/errors.ts";
import { BackendBusyError } from "../../ports/errors.ts";
import { type TaskAnswer, type TaskMessage, TEXT_THREAD } from "./messages.ts";
import type { ThreadTask } from "./task.ts";

/** Memory limits of a thread in bytes, and the default time limit in milliseconds. */
export interface ThreadLimits {
  /** For JavaScript objects. */
  heapBytes: number;
  /** For buffers, which are outside of the heap. */
  bufferBytes: number;
  timeMs: number;
}

const MEGABYTE = 1024 * 1024;
const YOUNG_HEAP_MB = 16;
const STACK_MB = 4;
/** Interval at which the size of a thread's buffers is checked. */
const WATCH_EVERY_MS = 50;
/** A thread whose heap use exceeds this share after a task is replaced, so that the next task has memory. */
const REUSABLE_HEAP_SHARE = 0.7;

/** A thread that runs one task at a time. */
export class TextThread {
  readonly #worker: Worker;
  readonly #limits: ThreadLimits;
  #answer: PromiseWithResolvers<TaskAnswer> | undefined;
  #hasEnded = false;
  #hasAnswered = false;
  #heapBytes = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(file: URL, limits: ThreadLimits) {
    this.#limits = limits;
    this.#worker = new Worker(file, {
      workerData: TEXT_THREAD,
      resourceLimits: {
        maxOldGenerationSizeMb: limits.heapBytes / MEGABYTE,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
        stackSizeMb: STACK_MB,
      },
    });
    this.#worker.on("message", (answer: TaskAnswer) => {
      this.#hasAnswered = true;
      this.#answer?.resolve(answer);
    });
    this.#worker.on("error", (error) => this.#fail(this.#reasonOf(error)));
    this.#worker.on("exit", () => this.#fail(new Error("the thread ended before its task")));
  }

  /** Runs a task and returns its output. The thread cannot be reused after an abort or an exceeded limit. */
  async run(task: ThreadTask, input: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    const answer = Promise.withResolvers<TaskAnswer>();
    this.#answer = answer;
    const timeMs = task.timeLimitMs ?? this.#limits.timeMs;
    const late = setTimeout(() => this.#fail(tooMuch("time", timeMs)), timeMs);
    const bufferBytes = task.bufferLimitBytes ?? this.#limits.bufferBytes;
    const watch = setInterval(() => void this.#watchBuffers(bufferBytes), WATCH_EVERY_MS);
    const abort = () => this.#fail(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      this.#worker.postMessage({ task: task.name, input } satisfies TaskMessage);
      const answered = await answer.promise;
      this.#heapBytes = answered.heapBytes;
      return resultOf(answered);
    } finally {
      clearTimeout(late);
      clearInterval(watch);
      signal?.removeEventListener("abort", abort);
      this.#answer = undefined;
    }
  }

  isReusable(): boolean {
    return !this.#hasEnded && this.#heapBytes <= this.#limits.heapBytes * REUSABLE_HEAP_SHARE;
  }

  /** Waits for a task without keeping the process alive; after `idleMs` without one, calls `onEnd` and ends. */
  rest(idleMs: number, onEnd: () => void): void {
    this.#worker.unref();
    this.#idleTimer = setTimeout(() => {
      onEnd();
      void this.end();
    }, idleMs).unref();
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    clearTimeout(this.#idleTimer);
    await this.#worker.terminate();
  }

  /** Returns why a thread failed, apart from its tasks: if it never responded, it could not start. */
  #reasonOf(error: unknown): unknown {
    if (isOutOfMemory(error)) return tooMuch("memory", this.#limits.heapBytes);
    return this.#hasAnswered ? error : new BackendBusyError("a thread could not start", error);
  }

  #fail(reason: unknown): void {
    this.#hasEnded = true;
    this.#answer?.reject(reason);
  }

  async #watchBuffers(max: number): Promise<void> {
    try {
      const { external_memory } = await this.#worker.getHeapStatistics();
      if (external_memory > max) this.#fail(tooMuch("memory", max));
    } catch {
      // The thread has already ended; its events report why.
    }
  }
}

function resultOf(answer: TaskAnswer): unknown {
  if ("value" in answer) return answer.value;
  if ("failed" in answer) throw new Error(answer.failed);
  const { code, message, details } = answer.refused;
  throw new ServiceError(code, message, details);
}

function tooMuch(limit: "memory" | "time", max: number): ServiceError {
  const bound = limit === "time" ? { max_ms: max } : { max_bytes: max };
  return new ServiceError(
    "TEXT_TOO_COMPLEX",
    `Processing this text takes too much ${limit}. Shorten it, or send it in parts.`,
    { limit, ...bound },
  );
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
