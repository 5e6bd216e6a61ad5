import type { EventLoopUtilization } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { ServiceError } from "../../kernel/errors.ts";
import { BackendBusyError } from "../../ports/errors.ts";
import { type TaskAnswer, type TaskMessage, type TaskStart, TEXT_THREAD } from "./messages.ts";
import type { ThreadTask } from "./task.ts";

/** Memory limits of a thread in bytes, and time limits in milliseconds. */
export interface ThreadLimits {
  /** For JavaScript objects. */
  heapBytes: number;
  /** For buffers, which are outside of the heap. */
  bufferBytes: number;
  /** Default limit of a task's processor time, without loading its modules. */
  timeMs: number;
  /** A task fails when its wall time exceeds its limit of processor time by this much. */
  waitMs: number;
}

const MEGABYTE = 1024 * 1024;
const MICROSECONDS_PER_MS = 1000;
const YOUNG_HEAP_MB = 16;
const STACK_MB = 4;
/** Interval at which the size of a thread's buffers and its processor time are checked. */
const WATCH_EVERY_MS = 50;
/** A thread whose heap use exceeds this share after a task is replaced, so that the next task has memory. */
const REUSABLE_HEAP_SHARE = 0.7;
/** A thread whose event loop is busy for more than this share of the time needs a processor. */
const BUSY_SHARE = 0.5;

/** A thread that runs one task at a time. */
export class TextThread {
  readonly #worker: Worker;
  readonly #limits: ThreadLimits;
  #answer: PromiseWithResolvers<TaskAnswer> | undefined;
  #hasEnded = false;
  #hasStarted = false;
  /** The thread's processor time at the start of the current task. */
  #startUsage: NodeJS.CpuUsage | undefined;
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
    this.#worker.on("message", (message: TaskStart | TaskAnswer) => {
      this.#hasStarted = true;
      if ("startUsage" in message) this.#startUsage = message.startUsage;
      else this.#answer?.resolve(message);
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
    const wallMs = timeMs + this.#limits.waitMs;
    const loopBefore = this.#worker.performance.eventLoopUtilization();
    const late = setTimeout(() => this.#fail(this.#lateReason(wallMs, loopBefore)), wallMs);
    const bufferBytes = task.bufferLimitBytes ?? this.#limits.bufferBytes;
    const watch = setInterval(() => void this.#watch(timeMs, bufferBytes), WATCH_EVERY_MS);
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
      this.#startUsage = undefined;
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

  /** Returns why a thread failed, apart from its tasks: if it never sent a message, it could not start. */
  #reasonOf(error: unknown): unknown {
    if (isOutOfMemory(error)) return tooMuch("memory", this.#limits.heapBytes);
    return this.#hasStarted ? error : new BackendBusyError("a thread could not start", error);
  }

  #fail(reason: unknown): void {
    this.#hasEnded = true;
    this.#answer?.reject(reason);
  }

  /**
   * Returns why a task fails that exceeds its wall time but not its processor time. The machine is too busy if the
   * task did not start or its thread was busy; otherwise the task waited for something else.
   */
  #lateReason(wallMs: number, loopBefore: EventLoopUtilization): Error {
    const { utilization } = this.#worker.performance.eventLoopUtilization(loopBefore);
    if (this.#startUsage !== undefined && utilization <= BUSY_SHARE) return tooMuch("time", wallMs);
    return new BackendBusyError(`the processors were too busy for a text within ${wallMs} ms`);
  }

  async #watch(timeMs: number, bufferBytes: number): Promise<void> {
    try {
      const { external_memory } = await this.#worker.getHeapStatistics();
      if (external_memory > bufferBytes) this.#fail(tooMuch("memory", bufferBytes));
      const startUsage = this.#startUsage;
      if (startUsage === undefined) return;
      const { user, system } = await this.#worker.cpuUsage(startUsage);
      const isTooLong = user + system > timeMs * MICROSECONDS_PER_MS;
      // The thread may run the next task by now.
      if (isTooLong && startUsage === this.#startUsage) this.#fail(tooMuch("time", timeMs));
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
