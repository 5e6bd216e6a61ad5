import { type ServiceError, unavailable } from "./errors.ts";

export interface FairSchedulerOptions {
  /** Maximum milliseconds of turns before the event loop accepts new work. */
  sliceMs?: number;
  /** The same while one queue has all turns: work that starts together is committed together, which is much cheaper. */
  aloneSliceMs?: number;
  /** Maximum length of a queue; unlimited for work that was admitted before. */
  maxWaiting?: number;
  /** Turns that a queue has at once in FREE_WINDOW_MS, so that light use waits for heavy use less often. */
  freeTurns?: number;
}

const DEFAULTS = { sliceMs: 3, aloneSliceMs: 12, maxWaiting: 1_000, freeTurns: 0 };
const FREE_WINDOW_MS = 200;
/** Milliseconds of a round of the event loop in which turns are free. */
const FREE_SLICE_MS = 6;
/** Queues whose free turns are counted; forgetting them gives some queues a few more. */
const MAX_COUNTED = 10_000;
/** Maximum turns before the event loop continues, however short they are. */
const MAX_CONCURRENT = 128;
/** How long a queue counts as active after its last turn. */
const ACTIVE_MS = 1_000;
const RETRY_SECONDS = 1;

/** A waiting request's turn. */
type Turn = PromiseWithResolvers<void>;

/**
 * Decides which request starts next on the single thread. Each key has a FIFO queue, and queues take turns: a flood
 * delays only itself and costs others one request. Between slices the event loop accepts new connections and requests.
 */
export class FairScheduler {
  readonly #options: Required<FairSchedulerOptions>;
  /** Queues with waiting requests, the next one first. */
  readonly #queues = new Map<string, Turn[]>();
  /** Queues that pause after a turn, with their waiting requests. */
  readonly #paused = new Map<string, Turn[]>();
  /** Whether turns are being or about to be given. */
  #isBusy = false;
  /** Remaining turns in this round of the event loop. */
  #remainingTurns = 0;
  #sliceEndsAt: number | undefined;
  /** The free turns of each queue in its current window. */
  readonly #free = new Map<string, { since: number; turns: number }>();
  /** Time of the first free turn in this round of the event loop. */
  #freeSince: number | undefined;
  /** The error for callers once no more turns are given. */
  #refusal: ServiceError | undefined;
  /** The queue of the last turn, and the time of the last switch between queues. */
  #last: string | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;

  constructor(options: FairSchedulerOptions = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /**
   * Resolves when the caller's turn in the queue comes; the queue then pauses for `pauseMs`. Throws SERVICE_UNAVAILABLE
   * if the queue is full, and the refusal once turns are refused.
   */
  async take(queue: string, pauseMs = 0): Promise<void> {
    if (this.#refusal) throw this.#refusal;
    if (this.#isFree(queue)) return;
    const paused = this.#paused.get(queue);
    const waiting = paused ?? this.#queues.get(queue) ?? [];
    if (waiting.length >= this.#options.maxWaiting) throw tooMany();
    const turn: Turn = Promise.withResolvers();
    waiting.push(turn);
    if (paused === undefined) this.#enqueue(queue, waiting);
    await turn.promise;
    if (pauseMs > 0) this.#pause(queue, pauseMs);
  }

  /** Stops giving turns: waiting and new callers are refused. */
  refuse(refusal: ServiceError): void {
    this.#refusal = refusal;
    for (const waiting of [...this.#queues.values(), ...this.#paused.values()]) {
      for (const { reject } of waiting.splice(0)) reject(refusal);
    }
    this.#queues.clear();
  }

  /** Whether the queue has its turn at once; counts it. */
  #isFree(queue: string): boolean {
    const { freeTurns } = this.#options;
    if (freeTurns === 0 || this.#queues.has(queue)) return false;
    const now = performance.now();
    if (this.#freeSince === undefined) {
      this.#freeSince = now;
      setImmediate(() => {
        this.#freeSince = undefined;
      });
    }
    const { since, turns } = this.#free.get(queue) ?? { since: Number.NEGATIVE_INFINITY, turns: 0 };
    const window = now - since > FREE_WINDOW_MS ? { since: now, turns: 1 } : { since, turns: turns + 1 };
    if (this.#free.size >= MAX_COUNTED) this.#free.clear();
    this.#free.set(queue, window);
    return window.turns <= freeTurns && now - this.#freeSince < FREE_SLICE_MS;
  }

  #enqueue(queue: string, waiting: Turn[]): void {
    this.#queues.set(queue, waiting);
    if (this.#isBusy) return;
    this.#isBusy = true;
    // By then all requests of this event loop round wait, and start together.
    setImmediate(() => this.#giveTurns());
  }

  #pause(queue: string, pauseMs: number): void {
    if (this.#paused.has(queue)) return;
    this.#paused.set(queue, this.#queues.get(queue) ?? []);
    this.#queues.delete(queue);
    setTimeout(() => {
      const waiting = this.#paused.get(queue) ?? [];
      this.#paused.delete(queue);
      if (waiting.length > 0) this.#enqueue(queue, waiting);
    }, pauseMs);
  }

  /** Each turn is a separate immediate, so that its work proceeds before the next turn. */
  #giveTurns(): void {
    this.#sliceEndsAt = undefined;
    this.#remainingTurns = Math.min(MAX_CONCURRENT, this.#countWaiting());
    // All waiting queues may be pausing by now.
    this.#isBusy = this.#remainingTurns > 0;
    for (let turn = 0; turn < this.#remainingTurns; turn++) setImmediate(() => this.#giveTurn());
  }

  #giveTurn(): void {
    const now = performance.now();
    this.#sliceEndsAt ??= now + this.#sliceMsAt(now);
    if (now < this.#sliceEndsAt) this.#startNext(now);
    this.#remainingTurns -= 1;
    if (this.#remainingTurns === 0) this.#giveTurns();
  }

  #sliceMsAt(now: number): number {
    const isAlone = this.#queues.size === 1 && now - this.#changedAt > ACTIVE_MS;
    return isAlone ? this.#options.aloneSliceMs : this.#options.sliceMs;
  }

  #startNext(now: number): void {
    const next = this.#queues.entries().next();
    if (next.done) return;
    const [queue, waiting] = next.value;
    if (this.#last !== undefined && this.#last !== queue) this.#changedAt = now;
    this.#last = queue;
    this.#queues.delete(queue);
    const turn = waiting.shift();
    if (waiting.length > 0) this.#queues.set(queue, waiting);
    turn?.resolve();
  }

  #countWaiting(): number {
    let sum = 0;
    for (const { length } of this.#queues.values()) {
      sum += length;
      if (sum >= MAX_CONCURRENT) break;
    }
    return sum;
  }
}

function tooMany(): ServiceError {
  return unavailable("Too many of your requests are waiting. Try again shortly.", RETRY_SECONDS);
}
