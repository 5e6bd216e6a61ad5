import { setTimeout as sleep } from "node:timers/promises";

/** Concurrent attempts at one receiver per process: for an unknown receiver, and the maximum. */
const INITIAL_WIDTH = 2;
const MAX_WIDTH = 8;
/** A receiver whose slots are all taken without one ending for this long is slow. */
const QUIET_MS = 500;
/** The same for attempts of the separate queue. */
const DETACHED_QUIET_MS = 2_000;
/** Maximum number of remembered receivers. */
const MAX_KNOWN = 1_000;

/** The state of one receiver. */
interface Receiver {
  /** Slots in use. */
  taken: number;
  /** Available slots: one more after each quick attempt, few again after a slow one. */
  width: number;
  /** When an attempt last ended, or started while none was running. */
  movedAt: number;
  /** Resolves when a slot is released. */
  ended: PromiseWithResolvers<void>;
}

/** Releases a slot. */
export type EndTurn = () => void;

/**
 * Prevents one receiver from occupying all workers: each has a limited number of concurrent attempts, which grows while
 * it answers quickly. Further attempts wait while others end, and are deferred otherwise.
 */
export class ReceiverConcurrencyLimiter {
  readonly #receivers = new Map<string, Receiver>();
  readonly #now: () => number;

  /** `now` in milliseconds from any origin. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Undefined if the receiver is slow. `detached` attempts delay nobody and use the maximum. */
  async take(name: string, { detached = false } = {}): Promise<EndTurn | undefined> {
    const receiver = this.#receiver(name);
    const quietMs = detached ? DETACHED_QUIET_MS : QUIET_MS;
    while (receiver.taken >= (detached ? MAX_WIDTH : receiver.width)) {
      const waitMs = receiver.movedAt + quietMs - this.#now();
      if (waitMs <= 0) return undefined;
      await Promise.race([receiver.ended.promise, sleep(waitMs)]);
    }
    return this.#begin(receiver);
  }

  #begin(receiver: Receiver): EndTurn {
    const begunAt = this.#now();
    if (receiver.taken === 0) receiver.movedAt = begunAt;
    receiver.taken++;
    return () => {
      receiver.taken--;
      receiver.movedAt = this.#now();
      const isSoon = receiver.movedAt - begunAt < QUIET_MS;
      receiver.width = isSoon ? Math.min(receiver.width + 1, MAX_WIDTH) : INITIAL_WIDTH;
      receiver.ended.resolve();
      receiver.ended = Promise.withResolvers();
    };
  }

  #receiver(name: string): Receiver {
    const receiver = this.#receivers.get(name) ?? {
      taken: 0,
      width: INITIAL_WIDTH,
      movedAt: this.#now(),
      ended: Promise.withResolvers<void>(),
    };
    this.#receivers.delete(name);
    this.#receivers.set(name, receiver);
    if (this.#receivers.size > MAX_KNOWN) this.#forgetIdle();
    return receiver;
  }

  #forgetIdle(): void {
    for (const [name, { taken }] of this.#receivers) {
      if (this.#receivers.size <= MAX_KNOWN) return;
      if (taken === 0) this.#receivers.delete(name);
    }
  }
}
