import { BoundedMap } from "../kernel/bounded.ts";

/** Tries of a change that fails by its own fault. */
const MAX_TRIES = 8;
/** How long an outage may last before the change that meets it first is taken for its cause, so that others get past. */
const LONGEST_OUTAGE_MS = 3_600_000;
/** Far more than ever fail at a time: each shard of a feed waits for one. */
const MAX_KNOWN = 1_000;

export interface PatienceOptions {
  /** Default 8. */
  maxAttempts?: number;
  /** In milliseconds. Default: an hour. */
  longestOutageMs?: number;
}

/**
 * Tells when a change that fails alone has failed for good. What is its own fault has so many tries; an outage of a backend
 * is none of them, and ends by itself. What seems an outage to one change alone, and for so long, is that change's doing.
 */
export class Patience {
  readonly #maxAttempts: number;
  readonly #longestOutageMs: number;
  readonly #failing = new BoundedMap<string, { tries: number; since: number }>(MAX_KNOWN);

  constructor({ maxAttempts = MAX_TRIES, longestOutageMs = LONGEST_OUTAGE_MS }: PatienceOptions = {}) {
    this.#maxAttempts = maxAttempts;
    this.#longestOutageMs = longestOutageMs;
  }

  /** Notes that a change, named by its sequence number, failed alone; answers its tries so far and whether it gets no more. */
  note(sequence: string, isOutage: boolean): { tries: number; isOver: boolean } {
    const now = performance.now();
    const { tries: before, since } = this.#failing.get(sequence) ?? { tries: 0, since: now };
    const tries = isOutage ? before : before + 1;
    this.#failing.set(sequence, { tries, since });
    return { tries, isOver: tries >= this.#maxAttempts || now - since >= this.#longestOutageMs };
  }

  /** Of a change that is done with. */
  forget(sequence: string): void {
    this.#failing.delete(sequence);
  }
}
