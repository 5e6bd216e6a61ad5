import { type ServiceError, unavailable } from "../../kernel/errors.ts";
import type { TextTaskOptions, ThreadTask } from "./task.ts";
import { TextThread, type ThreadLimits } from "./thread-handle.ts";

export interface TextPoolOptions {
  /** Maximum number of threads. */
  threads: number;
  /** Maximum number of waiting tasks per organization. */
  maxWaiting: number;
  /** Milliseconds without work after which a thread ends. */
  idleMs: number;
  /** The module that a thread runs. */
  file: URL;
  limits: ThreadLimits;
}

interface Job {
  task: ThreadTask;
  input: unknown;
  signal: AbortSignal | undefined;
  outcome: PromiseWithResolvers<unknown>;
}

const RETRY_SECONDS = 1;

/**
 * Threads for work on text. Organizations take turns; within one, tasks run in order. An organization that has a thread
 * never gets the last free one, so a slow task delays no other organization. Threads start on demand, are reused, and
 * do not keep an idle process alive.
 */
export class TextPool {
  readonly #options: TextPoolOptions;
  /** Organizations with waiting tasks, the next one first. */
  readonly #waiting = new Map<string, Job[]>();
  /** Busy threads, each with the organization that it works for. */
  readonly #busy = new Map<TextThread, string>();
  readonly #idle = new Set<TextThread>();

  constructor(options: TextPoolOptions) {
    this.#options = options;
  }

  /**
   * Runs a task in a thread. Throws what the task throws, the signal's reason when aborted, SERVICE_UNAVAILABLE if too
   * many tasks of the organization wait, TEXT_TOO_COMPLEX if the task exceeds its time or memory, and BackendBusyError
   * if the machine is too busy for it.
   */
  async run<Output>(task: ThreadTask, input: unknown, { org, signal }: TextTaskOptions): Promise<Output> {
    signal?.throwIfAborted();
    const jobs = this.#waiting.get(org) ?? [];
    if (jobs.length >= this.#options.maxWaiting) throw tooManyWaiting();
    const job: Job = { task, input, signal, outcome: Promise.withResolvers() };
    this.#waiting.set(org, [...jobs, job]);
    const abort = () => this.#withdraw(org, job);
    signal?.addEventListener("abort", abort, { once: true });
    this.#assign();
    try {
      return (await job.outcome.promise) as Output;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Ends every thread; running and waiting tasks reject. */
  async close(): Promise<void> {
    const waiting = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const { outcome } of waiting) outcome.reject(new Error("the text pool is closed"));
    await Promise.all([...this.#busy.keys(), ...this.#idle].map((thread) => thread.end()));
  }

  /** Starts waiting tasks while threads are available. An organization that had its turn moves to the end. */
  #assign(): void {
    for (const [org, [job, ...others]] of this.#waiting) {
      if (job === undefined || !this.#mayBegin(org)) continue;
      this.#waiting.delete(org);
      if (others.length > 0) this.#waiting.set(org, others);
      void this.#work(org, job);
    }
  }

  /** Whether a task of the organization may start: it must not take the last free thread if it has one already. */
  #mayBegin(org: string): boolean {
    const free = this.#options.threads - this.#busy.size;
    return free > 1 || (free === 1 && ![...this.#busy.values()].includes(org));
  }

  async #work(org: string, { task, input, signal, outcome }: Job): Promise<void> {
    const thread = this.#takeThread();
    this.#busy.set(thread, org);
    try {
      outcome.resolve(await thread.run(task, input, signal));
    } catch (error) {
      outcome.reject(error);
    }
    this.#busy.delete(thread);
    if (thread.isReusable()) {
      this.#idle.add(thread);
      thread.rest(this.#options.idleMs, () => this.#idle.delete(thread));
    } else await thread.end();
    this.#assign();
  }

  #takeThread(): TextThread {
    for (const thread of this.#idle) {
      this.#idle.delete(thread);
      if (thread.isReusable()) return thread;
    }
    return new TextThread(this.#options.file, this.#options.limits);
  }

  /** Rejects the task, and removes it if it is still waiting. */
  #withdraw(org: string, job: Job): void {
    job.outcome.reject(job.signal?.reason);
    const others = this.#waiting.get(org)?.filter((other) => other !== job);
    if (others === undefined) return;
    if (others.length > 0) this.#waiting.set(org, others);
    else this.#waiting.delete(org);
  }
}

function tooManyWaiting(): ServiceError {
  return unavailable("Too many texts of your organization are waiting. Try again shortly.", RETRY_SECONDS);
}
