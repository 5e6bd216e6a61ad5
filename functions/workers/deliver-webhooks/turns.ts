import { setTimeout as sleep } from "node:timers/promises";

/** Attempts at one receiver at a time, in one process: of one that nobody knows yet, and most of any. */
const AT_FIRST = 2;
export const AT_MOST = 8;
/** An attempt that takes longer keeps others waiting. */
const QUICK_MS = 500;
/** Receivers that are remembered. */
const MOST_KNOWN = 1_000;

/** How one receiver does. */
interface Receiver {
  /** When the turns began that are taken now, the oldest first. */
  begun: Set<{ at: number }>;
  /** Turns that may be taken at a time: more with each quick one, few again after one that was not. */
  width: number;
  /** Resolves when a turn ends. */
  ended: PromiseWithResolvers<void>;
}

/** Ends a turn. */
export type EndTurn = () => void;

/**
 * Sees to it that no receiver takes up the workers that others need: each has so many attempts at a time, and more the
 * quicker it answers. Whoever comes beyond that waits for a turn as long as they end quickly, and is sent away otherwise.
 */
export class Turns {
  readonly #receivers = new Map<string, Receiver>();
  readonly #now: () => number;

  /** `now` in milliseconds from any beginning. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Undefined where the receiver keeps others waiting. */
  async take(name: string): Promise<EndTurn | undefined> {
    const receiver = this.#receiver(name);
    while (receiver.begun.size >= receiver.width) {
      const [oldest] = receiver.begun;
      const patience = (oldest?.at ?? 0) + QUICK_MS - this.#now();
      if (patience <= 0) return undefined;
      await Promise.race([receiver.ended.promise, sleep(patience)]);
    }
    return this.#begin(receiver);
  }

  /** For those that nobody waits behind: as many turns as any receiver has. Undefined where they are taken. */
  takeDetached(name: string): EndTurn | undefined {
    const receiver = this.#receiver(name);
    return receiver.begun.size < AT_MOST ? this.#begin(receiver) : undefined;
  }

  #begin(receiver: Receiver): EndTurn {
    const turn = { at: this.#now() };
    receiver.begun.add(turn);
    return () => {
      receiver.begun.delete(turn);
      const isQuick = this.#now() - turn.at < QUICK_MS;
      receiver.width = isQuick ? Math.min(receiver.width + 1, AT_MOST) : AT_FIRST;
      receiver.ended.resolve();
      receiver.ended = Promise.withResolvers();
    };
  }

  #receiver(name: string): Receiver {
    const known = this.#receivers.get(name);
    const receiver = known ?? { begun: new Set(), width: AT_FIRST, ended: Promise.withResolvers() };
    this.#receivers.delete(name);
    this.#receivers.set(name, receiver);
    if (this.#receivers.size > MOST_KNOWN) this.#forgetIdle();
    return receiver;
  }

  #forgetIdle(): void {
    for (const [name, { begun }] of this.#receivers) {
      if (this.#receivers.size <= MOST_KNOWN) return;
      if (begun.size === 0) this.#receivers.delete(name);
    }
  }
}
