import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import { ConditionFailedError } from "../../ports/errors.ts";
import { logFailure } from "../../ports/full-disk.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/ports.ts";
import { mergeFrequencies } from "./frequent.ts";
import { type Tally, writeTally } from "./tally.ts";

const FLUSH_AFTER_MS = 5_000;

/** Numbers to add to a record, and attributes to set. */
export interface Increment {
  add: Record<string, number>;
  set?: Record<string, string | number>;
  /** The record that the counts belong to: they are dropped if it is deleted. */
  owner?: RecordKey;
}

/** A counter with its own, cheaper representation; called whenever counts are written. */
export interface CounterSource {
  isEmpty(): boolean;
  handOver(rollups: Rollups): void;
}

interface Pending extends Increment {
  key: RecordKey;
  set: Record<string, string | number>;
}

/**
 * Collects counts in memory and adds them to records every few seconds, so that counting costs most requests no round
 * trip and several processes share a record. A killed process loses the counts since the last flush.
 */
export class Rollups {
  readonly #records: RecordStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #pending = new Map<string, Pending>();
  #tallies = new Map<string, Tally>();
  readonly #gatherers: CounterSource[] = [];
  /** Due from the first count on, because a rarely called function may be gone before its second request. */
  #flushedAt = Number.NEGATIVE_INFINITY;
  #flushing: Promise<void> = Promise.resolve();

  constructor(records: RecordStore, clock: Clock, logger: Logger) {
    this.#records = records;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** `set` of a record must include its kind. */
  count(key: RecordKey, { add, set = {}, owner }: Increment): void {
    const name = nameOf(key);
    const pending = this.#pending.get(name) ?? { key, add: {}, set: {}, owner };
    for (const [attribute, amount] of Object.entries(add)) {
      pending.add[attribute] = (pending.add[attribute] ?? 0) + amount;
    }
    Object.assign(pending.set, set);
    this.#pending.set(name, pending);
  }

  /** Counts things in a record that keeps only the most frequent ones. */
  tally(tally: Tally): void {
    const name = nameOf(tally.key);
    const pending = this.#tallies.get(name)?.frequencies ?? new Map();
    const frequencies = mergeFrequencies(pending, tally.frequencies, tally.capacity);
    this.#tallies.set(name, { ...tally, frequencies });
  }

  /** Asks the gatherer for its counts at every flush. */
  gatherFrom(gatherer: CounterSource): void {
    this.#gatherers.push(gatherer);
  }

  isDue(): boolean {
    const isIdle = this.#pending.size + this.#tallies.size === 0 && this.#gatherers.every((each) => each.isEmpty());
    return !isIdle && this.#clock() - this.#flushedAt >= FLUSH_AFTER_MS;
  }

  /** Adds all counts to their records, after any flush in progress; counts that fail are logged and kept. */
  flush(): Promise<void> {
    this.#flushing = Promise.all([this.#flushing, this.#writePending()]).then(() => {});
    return this.#flushing;
  }

  async #writePending(): Promise<void> {
    for (const gatherer of this.#gatherers) gatherer.handOver(this);
    const [counts, tallies] = [[...this.#pending.values()], [...this.#tallies.values()]];
    this.#pending = new Map();
    this.#tallies = new Map();
    this.#flushedAt = this.#clock();
    await Promise.all([
      ...counts.map((pending) => this.#write(pending)),
      ...tallies.map((tally) => this.#writeTally(tally)),
    ]);
  }

  async #write({ key, add, set, owner }: Pending): Promise<void> {
    const guard: Write[] = owner ? [{ check: owner, condition: "present" }] : [];
    try {
      await this.#records.write({ update: key, add, set }, ...guard);
    } catch (error) {
      if (error instanceof ConditionFailedError && owner) return;
      this.#complain(key, error);
      const newer = this.#pending.get(nameOf(key))?.set;
      this.count(key, { add, set: { ...set, ...newer }, owner });
    }
  }

  async #writeTally(tally: Tally): Promise<void> {
    try {
      await writeTally(this.#records, tally);
    } catch (error) {
      this.#complain(tally.key, error);
      this.tally(tally);
    }
  }

  #complain({ pk }: RecordKey, error: unknown): void {
    logFailure(this.#logger, "ROLLUP_NOT_WRITTEN", { record: pk, error }, "warn");
  }
}

function nameOf({ pk, sk }: RecordKey): string {
  return `${pk}\n${sk}`;
}
