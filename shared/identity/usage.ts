import { type Clock, timestamp } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import type { RecordStore } from "../platform/ports.ts";
import { addUsage } from "./records.ts";

const FLUSH_AFTER_MS = 5_000;

interface Tally {
  org: string;
  id: string;
  total_requests: number;
  successful_requests: number;
  failed_requests: number;
  last_used: string;
}

/**
 * Counts requests a key in memory and adds them to the store every few seconds, so that counting costs a request no
 * round trip. A process that is killed loses at most what it counted since its last flush.
 */
export class UsageCounter {
  readonly #records: RecordStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #tallies = new Map<string, Tally>();
  #flushedAt: number;

  constructor(records: RecordStore, clock: Clock, logger: Logger) {
    this.#records = records;
    this.#clock = clock;
    this.#logger = logger;
    this.#flushedAt = clock();
  }

  count(org: string, id: string, succeeded: boolean): void {
    const tally = this.#tallies.get(id) ?? {
      org,
      id,
      total_requests: 0,
      successful_requests: 0,
      failed_requests: 0,
      last_used: "",
    };
    tally.total_requests += 1;
    tally[succeeded ? "successful_requests" : "failed_requests"] += 1;
    tally.last_used = timestamp(this.#clock());
    this.#tallies.set(id, tally);
  }

  isDue(): boolean {
    return this.#clock() - this.#flushedAt >= FLUSH_AFTER_MS;
  }

  /** Adds all counts to the store. What could not be added is kept for the next flush and logged. */
  async flush(): Promise<void> {
    const tallies = [...this.#tallies.values()];
    this.#tallies = new Map();
    this.#flushedAt = this.#clock();
    await Promise.all(tallies.map((tally) => this.#add(tally)));
  }

  async #add(tally: Tally): Promise<void> {
    try {
      await this.#records.write(addUsage(tally.org, tally.id, tally));
    } catch (error) {
      this.#logger.warn("USAGE_NOT_COUNTED", { key_id: tally.id, error });
      this.#keep(tally);
    }
  }

  #keep(unsaved: Tally): void {
    const newer = this.#tallies.get(unsaved.id);
    this.#tallies.set(unsaved.id, {
      ...unsaved,
      total_requests: unsaved.total_requests + (newer?.total_requests ?? 0),
      successful_requests: unsaved.successful_requests + (newer?.successful_requests ?? 0),
      failed_requests: unsaved.failed_requests + (newer?.failed_requests ?? 0),
      last_used: newer?.last_used ?? unsaved.last_used,
    });
  }
}
