import { setTimeout as sleep } from "node:timers/promises";

/** Attempts at one receiver at a time, in one process: of one that nobody knows yet, and most of any. */
const AT_FIRST = 2;
const AT_MOST = 8;
/** A receiver all of whose turns are taken, and none of them ends for so long, keeps others waiting. */
const QUIET_MS = 500;
/** The same where nobody is kept waiting but others of its kind. */
const DETACHED_QUIET_MS = 2_000;
/** Receivers that are remembered. */
const MOST_KNOWN = 1_000;

/** How one receiver does. */
interface Receiver {
  /** Turns that are taken now. */
  taken: number;
  /** Turns that may be taken at a time: more with each that ends soon, few again after one that does not. */
  width: number;
  /** When a turn last began after none was taken, or ended. */
  movedAt: number;
  /** Resolves when a turn ends. */
  ended: PromiseWithResolvers<void>;
}

/** Ends a turn. */
export type EndTurn = () => void;

/**
 * Sees to it that no receiver takes up the workers that others need: each has so many attempts at a time, and more while it
 * answers soon. Whoever comes beyond that waits for a turn as long as some of them end, and is sent away otherwise.
 */
export class Turns {
  readonly #receivers = new Map<string, Receiver>();
  readonly #now: () => number;

  /** `now` in milliseconds from any beginning. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Undefined where the receiver keeps others waiting. `detached` attempts are in nobody's way, and may be as many as any. */
  async take(name: string, { detached = false } = {}): Promise<EndTurn | undefined> {
    const receiver = this.#receiver(name);
    const quietMs = detached ? DETACHED_QUIET_MS : QUIET_MS;
    while (receiver.taken >= (detached ? AT_MOST : receiver.width)) {
      const patience = receiver.movedAt + quietMs - this.#now();
      if (patience <= 0) return undefined;
      await Promise.race([receiver.ended.promise, sleep(patience)]);
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
      receiver.width = isSoon ? Math.min(receiver.width + 1, AT_MOST) : AT_FIRST;
      receiver.ended.resolve();
      receiver.ended = Promise.withResolvers();
    };
  }

  #receiver(name: string): Receiver {
    const receiver = this.#receivers.get(name) ?? {
      taken: 0,
      width: AT_FIRST,
      movedAt: this.#now(),
      ended: Promise.withResolvers<void>(),
    };
    this.#receivers.delete(name);
    this.#receivers.set(name, receiver);
    if (this.#receivers.size > MOST_KNOWN) this.#forgetIdle();
    return receiver;
  }

  #forgetIdle(): void {
    for (const [name, { taken }] of this.#receivers) {
      if (this.#receivers.size <= MOST_KNOWN) return;
      if (taken === 0) this.#receivers.delete(name);
    }
  }
}
