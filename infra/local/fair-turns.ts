import { ServiceError } from "../../shared/kernel/errors.ts";

export interface FairTurnsOptions {
  /** Longest that turns are given before the event loop may take in what came meanwhile, in milliseconds. */
  sliceMs?: number;
  /** The same while one line has had all turns: what begins together is committed together, which costs far less. */
  aloneSliceMs?: number;
  /** Most that may wait in one line. */
  mostWaiting?: number;
}

const DEFAULTS = { sliceMs: 3, aloneSliceMs: 200, mostWaiting: 1_000 };
/** Turns given at most before the event loop goes on, however short they are. */
const MOST_TOGETHER = 128;
/** A line that had a turn so long ago counts as one that may come again any moment. */
const COMPANY_MS = 1_000;
const RETRY_SECONDS = 1;

/** One that is waited for. */
type Turn = PromiseWithResolvers<void>;

/**
 * Decides whose request begins next where one thread serves all. Everybody has a line of their own, first come first
 * served, and lines take turns: whoever floods waits behind themselves, and costs others one request. Between slices the
 * event loop takes in new connections and requests, which it would not while it works off a thousand.
 */
export class FairTurns {
  readonly #options: Required<FairTurnsOptions>;
  /** Lines that somebody waits in, the one whose turn is next first. */
  readonly #lines = new Map<string, Turn[]>();
  /** Lines that had a turn and are given none for a while, with who waits in them. */
  readonly #resting = new Map<string, Turn[]>();
  /** Whether turns are being given, or about to be. */
  #isBusy = false;
  /** Turns that are to be given in this round of the event loop. */
  #due = 0;
  #sliceEndsAt: number | undefined;
  /** Why no more turns are given. */
  #refusal: ServiceError | undefined;
  /** The line of the last turn, and when it was another one's. */
  #last: string | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;

  constructor(options: FairTurnsOptions = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /**
   * Resolves when it is the turn of the first in that line; the line is given no other one for `restMs` after it. Throws
   * SERVICE_UNAVAILABLE when the line is too long, and the refusal once turns are refused.
   */
  async take(line: string, restMs = 0): Promise<void> {
    if (this.#refusal) throw this.#refusal;
    const resting = this.#resting.get(line);
    const waiting = resting ?? this.#lines.get(line) ?? [];
    if (waiting.length >= this.#options.mostWaiting) throw tooMany();
    const turn: Turn = Promise.withResolvers();
    waiting.push(turn);
    if (resting === undefined) this.#queue(line, waiting);
    await turn.promise;
    if (restMs > 0) this.#rest(line, restMs);
  }

  /** Gives no more turns: whoever waits for one or asks for one is refused. */
  refuse(refusal: ServiceError): void {
    this.#refusal = refusal;
    for (const waiting of [...this.#lines.values(), ...this.#resting.values()]) {
      for (const { reject } of waiting.splice(0)) reject(refusal);
    }
    this.#lines.clear();
  }

  #queue(line: string, waiting: Turn[]): void {
    this.#lines.set(line, waiting);
    if (this.#isBusy) return;
    this.#isBusy = true;
    // By then all that came in this round of the event loop waits, and begins together.
    setImmediate(() => this.#giveTurns());
  }

  #rest(line: string, restMs: number): void {
    if (this.#resting.has(line)) return;
    this.#resting.set(line, this.#lines.get(line) ?? []);
    this.#lines.delete(line);
    setTimeout(() => {
      const waiting = this.#resting.get(line) ?? [];
      this.#resting.delete(line);
      if (waiting.length > 0) this.#queue(line, waiting);
    }, restMs);
  }

  /** Each turn is an immediate of its own, so that what it began goes as far as it can before the next one. */
  #giveTurns(): void {
    this.#sliceEndsAt = undefined;
    this.#due = Math.min(MOST_TOGETHER, this.#waiting());
    // All that waited may have gone to rest in the meantime.
    this.#isBusy = this.#due > 0;
    for (let turn = 0; turn < this.#due; turn++) setImmediate(() => this.#giveTurn());
  }

  #giveTurn(): void {
    const now = performance.now();
    this.#sliceEndsAt ??= now + this.#sliceAt(now);
    if (now < this.#sliceEndsAt) this.#next(now);
    this.#due -= 1;
    if (this.#due === 0) this.#giveTurns();
  }

  #sliceAt(now: number): number {
    const isAlone = this.#lines.size === 1 && now - this.#changedAt > COMPANY_MS;
    return isAlone ? this.#options.aloneSliceMs : this.#options.sliceMs;
  }

  #next(now: number): void {
    const next = this.#lines.entries().next();
    if (next.done) return;
    const [line, waiting] = next.value;
    if (this.#last !== undefined && this.#last !== line) this.#changedAt = now;
    this.#last = line;
    this.#lines.delete(line);
    const turn = waiting.shift();
    if (waiting.length > 0) this.#lines.set(line, waiting);
    turn?.resolve();
  }

  #waiting(): number {
    let sum = 0;
    for (const { length } of this.#lines.values()) {
      sum += length;
      if (sum >= MOST_TOGETHER) break;
    }
    return sum;
  }
}

function tooMany(): ServiceError {
  return new ServiceError("SERVICE_UNAVAILABLE", "Too many of your requests wait already. Try again in a moment.", {
    retry_after: RETRY_SECONDS,
  });
}
