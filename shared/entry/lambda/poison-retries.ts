import { LRUCache } from "lru-cache";

/** Maximum attempts for a change that fails through its own fault. */
const MAX_ATTEMPTS = 8;
/**
 * Maximum duration of an outage that affects only one change; after it, the change is considered the cause and later
 * ones proceed.
 */
const MAX_OUTAGE_MS = 3_600_000;
/**
 * Maximum number of failing changes to track: far more than can fail at once, because each shard waits for one change.
 */
const MAX_TRACKED = 1_000;

export interface PoisonRetryOptions {
  /** The default is 8. */
  maxAttempts?: number;
  /** In milliseconds; the default is one hour. */
  maxOutageMs?: number;
}

/**
 * Decides when a change that keeps failing has failed permanently. Failures of the change itself are limited; backend
 * outages are not counted, because they end. An outage that affects only one change for `maxOutageMs` is attributed
 * to that change.
 */
export class PoisonRetryTracker {
  readonly #maxAttempts: number;
  readonly #maxOutageMs: number;
  readonly #failing = new LRUCache<string, { tries: number; since: number }>({ max: MAX_TRACKED });

  constructor({ maxAttempts = MAX_ATTEMPTS, maxOutageMs = MAX_OUTAGE_MS }: PoisonRetryOptions = {}) {
    this.#maxAttempts = maxAttempts;
    this.#maxOutageMs = maxOutageMs;
  }

  /**
   * Records that a change, identified by its sequence number, failed; returns its counted attempts and whether it has
   * failed permanently.
   */
  note(sequence: string, isOutage: boolean): { tries: number; isOver: boolean } {
    const now = performance.now();
    const { tries: before, since } = this.#failing.get(sequence) ?? { tries: 0, since: now };
    const tries = isOutage ? before : before + 1;
    this.#failing.set(sequence, { tries, since });
    return { tries, isOver: tries >= this.#maxAttempts || now - since >= this.#maxOutageMs };
  }

  /** Forgets a change that was processed or quarantined. */
  forget(sequence: string): void {
    this.#failing.delete(sequence);
  }
}
