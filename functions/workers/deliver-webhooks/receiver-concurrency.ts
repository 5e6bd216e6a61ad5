import { setTimeout as sleep } from "node:timers/promises";

/** Concurrent attempts at one receiver per process: for an unknown receiver, and the maximum. */
const INITIAL_SLOTS = 2;
const MAX_SLOTS = 8;
/** A receiver is slow if all its slots are taken and none is released for this long. */
const QUIET_MS = 500;
/** The same for attempts of the separate queue. */
const DETACHED_QUIET_MS = 2_000;
/** Maximum number of remembered receivers. */
const MAX_RECEIVERS = 1_000;

/** The state of one receiver. */
interface Receiver {
  /** Slots in use. */
  taken: number;
  /** Available slots: one more after each quick attempt, few again after a slow one. */
  slots: number;
  /** When an attempt last ended, or started while none was running. */
  changedAt: number;
  /** Resolves when a slot is released. */
  released: PromiseWithResolvers<void>;
}

/** Releases a slot. */
export type ReleaseSlot = () => void;

/**
 * Prevents one receiver from occupying all workers: each has a limited number of concurrent attempts, which grows while
 * it answers quickly. Further attempts wait while others end, and are deferred otherwise.
 */
export class ReceiverConcurrencyLimiter {
  readonly #receivers = new Map<string, Receiver>();
  readonly #now: () => number;

  /** `now` returns milliseconds since any fixed time. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Waits for a slot; undefined if the receiver is slow. `detached` attempts delay nobody and use the maximum. */
  async take(name: string, { detached = false } = {}): Promise<ReleaseSlot | undefined> {
    const receiver = this.#receiver(name);
    const quietMs = detached ? DETACHED_QUIET_MS : QUIET_MS;
    while (receiver.taken >= (detached ? MAX_SLOTS : receiver.slots)) {
      const waitMs = receiver.changedAt + quietMs - this.#now();
      if (waitMs <= 0) return undefined;
      await Promise.race([receiver.released.promise, sleep(waitMs)]);
    }
    return this.#takeSlot(receiver);
  }

  #takeSlot(receiver: Receiver): ReleaseSlot {
    const begunAt = this.#now();
    if (receiver.taken === 0) receiver.changedAt = begunAt;
    receiver.taken++;
    return () => {
      receiver.taken--;
      receiver.changedAt = this.#now();
      const isQuick = receiver.changedAt - begunAt < QUIET_MS;
      receiver.slots = isQuick ? Math.min(receiver.slots + 1, MAX_SLOTS) : INITIAL_SLOTS;
      receiver.released.resolve();
      receiver.released = Promise.withResolvers();
    };
  }

  #receiver(name: string): Receiver {
    const receiver = this.#receivers.get(name) ?? {
      taken: 0,
      slots: INITIAL_SLOTS,
      changedAt: this.#now(),
      released: Promise.withResolvers<void>(),
    };
    this.#receivers.delete(name);
    this.#receivers.set(name, receiver);
    if (this.#receivers.size > MAX_RECEIVERS) this.#forgetIdle();
    return receiver;
  }

  #forgetIdle(): void {
    for (const [name, { taken }] of this.#receivers) {
      if (this.#receivers.size <= MAX_RECEIVERS) return;
      if (taken === 0) this.#receivers.delete(name);
    }
  }
}
