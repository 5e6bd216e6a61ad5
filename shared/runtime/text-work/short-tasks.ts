import { takeTurn } from "../../kernel/turns.ts";
import type { TextPool } from "./pool.ts";
import type { TextTask, TextTaskOptions, ThreadTask } from "./task.ts";

/** What a thread runs of several short tasks: their values in order. */
export interface TaskPart {
  task: string;
  input: unknown;
}

/** Loads and compiles what most short tasks need, which takes a second of processor time. */
export const WARM_UP: ThreadTask = { name: "warm_up" };
/** Runs tasks one after the other; a failure of one fails all. */
export const SEVERAL: ThreadTask = { name: "several" };

/** Waiting tasks of an organization for which a thread is started, and for which a warm one is used. */
const START_AT = 16;
const LEND_AT = 4;
const MAX_LENT = 8;

interface Waiting extends TaskPart {
  /** Set once a thread has the task; undefined if the thread failed. */
  lent?: Promise<{ value: unknown } | undefined>;
}

/** Short tasks run here, in their organization's turn. While many wait, a thread takes those whose turn comes last. */
export class ShortTasks {
  readonly #pool: TextPool;
  readonly #waiting = new Map<string, Set<Waiting>>();
  /** Organizations for which a thread works or warms up. */
  readonly #lending = new Set<string>();

  /** The threads of the pool run nothing else. */
  constructor(pool: TextPool) {
    this.#pool = pool;
  }

  async run<Input, Output>(task: TextTask<Input, Output>, input: Input, options: TextTaskOptions): Promise<Output> {
    const { org, signal } = options;
    const waiting = this.#waiting.get(org) ?? new Set();
    this.#waiting.set(org, waiting);
    const own: Waiting = { task: task.name, input };
    waiting.add(own);
    this.#lend(org);
    try {
      await takeTurn(org);
      signal?.throwIfAborted();
    } finally {
      waiting.delete(own);
      if (waiting.size === 0) this.#waiting.delete(org);
    }
    const answer = await own.lent;
    return answer === undefined ? task.run(input, signal) : (answer.value as Output);
  }

  #lend(org: string): void {
    const waiting = this.#waiting.get(org);
    if (waiting === undefined || this.#lending.has(org)) return;
    const isWarm = this.#pool.isReady(org);
    if (waiting.size < (isWarm ? LEND_AT : START_AT)) return;
    this.#lending.add(org);
    const part = isWarm ? [...waiting].slice(-Math.min(MAX_LENT, waiting.size / 2)) : [];
    const work = isWarm ? this.#runThere(org, part) : this.#pool.run(WARM_UP, undefined, { org });
    void work
      .catch(() => {})
      .finally(() => {
        this.#lending.delete(org);
        this.#lend(org);
      });
  }

  async #runThere(org: string, part: Waiting[]): Promise<void> {
    const inputs = part.map(({ task, input }): TaskPart => ({ task, input }));
    const values = this.#pool.run<unknown[]>(SEVERAL, inputs, { org }).catch(() => undefined);
    part.forEach((lent, index) => {
      this.#waiting.get(org)?.delete(lent);
      lent.lent = values.then((all) => all && { value: all[index] });
    });
    await values;
  }
}
