import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import { ConditionFailedError } from "../../ports/errors.ts";
import { logFailure } from "../../ports/full-disk.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import { mergeFrequencies } from "./frequent.ts";
import { type Tally, writeTally } from "./tally.ts";

/** Minimum time between two flushes. */
const FLUSH_AFTER_MS = 5_000;

/** Numbers to add to a record, and attributes to set. */
export interface Increment {
  add: Record<string, number>;
  set?: Record<string, string | number>;
  /** The record that the counts belong to: they are dropped if it is deleted. */
  owner?: RecordKey;
}

/** A counter with its own, cheaper representation; it is asked for its counts before every flush. */
export interface CounterSource {
  isEmpty(): boolean;
  flushTo(rollups: Rollups): void;
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
  readonly #sources: CounterSource[] = [];
  /** The first count makes a flush due at once, because a rarely called function may end before its second request. */
  #flushedAt = Number.NEGATIVE_INFINITY;
  #flushing: Promise<void> = Promise.resolve();

  readonly #position: number;

  /** `position` (0 to 1) differs between processes that share records; see `shardOf`. */
  constructor(records: RecordStore, clock: Clock, logger: Logger, position = 0) {
    this.#records = records;
    this.#clock = clock;
    this.#logger = logger;
    this.#position = position;
  }

  /** The part of a record that this process writes, of so many parts over which processes spread. */
  shardOf(shards: number): number {
    return Math.floor(this.#position * shards);
  }

  /** Adds counts to a record at the next flush. `set` must include the record's kind. */
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

  /** Registers a source, which adds its counts at every flush. */
  addSource(source: CounterSource): void {
    this.#sources.push(source);
  }

  /** Whether there are counts, and the last flush is long enough ago. */
  isDue(): boolean {
    const isIdle = this.#pending.size + this.#tallies.size === 0 && this.#sources.every((each) => each.isEmpty());
    return !isIdle && this.#clock() - this.#flushedAt >= FLUSH_AFTER_MS;
  }

  /** Adds all counts to their records, after any flush in progress; counts that fail are logged and kept. */
  flush(): Promise<void> {
    this.#flushing = Promise.all([this.#flushing, this.#writePending()]).then(() => {});
    return this.#flushing;
  }

  async #writePending(): Promise<void> {
    for (const source of this.#sources) source.flushTo(this);
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
    const ownerCheck: Write[] = owner ? [{ check: owner, condition: "present" }] : [];
    try {
      await this.#records.write({ update: key, add, set }, ...ownerCheck);
    } catch (error) {
      if (error instanceof ConditionFailedError && owner) return;
      this.#logFailedWrite(key, error);
      const newer = this.#pending.get(nameOf(key))?.set;
      this.count(key, { add, set: { ...set, ...newer }, owner });
    }
  }

  async #writeTally(tally: Tally): Promise<void> {
    try {
      await writeTally(this.#records, tally);
    } catch (error) {
      this.#logFailedWrite(tally.key, error);
      this.tally(tally);
    }
  }

  #logFailedWrite({ pk }: RecordKey, error: unknown): void {
    logFailure(this.#logger, "ROLLUP_NOT_WRITTEN", { record: pk, error }, "warn");
  }
}

function nameOf({ pk, sk }: RecordKey): string {
  return `${pk}\n${sk}`;
}
