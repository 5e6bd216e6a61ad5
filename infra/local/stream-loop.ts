import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { DynamoDBBatchResponse } from "aws-lambda";
import type { ChangeReader, StoredChange } from "../../shared/adapters/local/changes.ts";
import { type PoisonRetryOptions, PoisonRetryTracker } from "../../shared/entry/lambda/poison-retries.ts";
import type { Logger } from "../../shared/kernel/logger.ts";
import { isBackendFault, isOutOfSpace } from "../../shared/ports/backend-faults.ts";
import type { RecordChange } from "../../shared/ports/changes.ts";
import { logFailure } from "../../shared/ports/full-disk.ts";

export interface StreamLoopOptions extends PoisonRetryOptions {
  /** The worker's name, for logs. */
  name: string;
  changes: ChangeReader;
  handler: (changes: RecordChange[]) => Promise<DynamoDBBatchResponse>;
  /** Stores a change that failed permanently; durable when it resolves. */
  park: (change: RecordChange) => Promise<void>;
  logger: Logger;
  /** Maximum changes per event; 100 by default. */
  batchSize?: number;
  /** Milliseconds before the second try of a change or in an outage; doubles up to 5 s; 100 by default. */
  backoffMs?: number;
  /** Milliseconds that `drain` waits for a failing or slow handler; 5000 by default. */
  timeoutMs?: number;
}

const DEFAULTS = { batchSize: 100, backoffMs: 100, timeoutMs: 5_000 };
const MAX_BACKOFF_MS = 5_000;
const PAUSE_AFTER_FAULT_MS = 1_000;

/**
 * The result of a batch: how many of its first changes are done, and whether the rest failed as a whole or because of
 * an outage.
 */
interface Outcome {
  done: number;
  failedTogether: boolean;
  isOutage: boolean;
}

/** Consecutive batches that a backend outage failed, and the time of the first. */
interface Outage {
  batches: number;
  since: number;
}

interface Waiter {
  /** Sequence of the last change to wait for. */
  until: number;
  release: () => void;
}

/**
 * Feeds a worker from the change feed as Lambda does from a DynamoDB stream: in order, again from the first failed
 * change; a batch that fails as a whole is bisected; a change that keeps failing is quarantined. Backend outages are
 * waited out and not counted against changes.
 */
export class StreamLoop {
  readonly #options: Required<Omit<StreamLoopOptions, keyof PoisonRetryOptions>>;
  readonly #retries: PoisonRetryTracker;
  readonly #stopping = new AbortController();
  readonly #waiters = new Set<Waiter>();
  /** Everything up to this sequence was processed or quarantined. */
  #handled = 0;
  #outage: Outage | undefined;
  #run: Promise<void> | undefined;
  #unsubscribe = () => {};

  constructor(options: StreamLoopOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#retries = new PoisonRetryTracker(options);
  }

  start(): void {
    this.#unsubscribe = this.#options.changes.onChange(() => this.#wake());
    this.#wake();
  }

  /** Starts no more batches and resolves when the current one is done; the rest is delivered after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe();
    await this.#run;
    for (const waiter of this.#waiters) waiter.release();
  }

  /**
   * Resolves once every change committed before this call was processed or quarantined. Concurrent calls share one run,
   * and none waits for later changes. After `timeoutMs` it logs a warning and resolves; in a longer outage it does not
   * wait at all.
   */
  async drain(): Promise<void> {
    const { changes, timeoutMs } = this.#options;
    const until = changes.latest();
    if (this.#handled >= until || this.#stopping.signal.aborted) return;
    if (this.#outage && performance.now() - this.#outage.since > timeoutMs) return this.#wake();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { until, release: resolve };
    this.#waiters.add(waiter);
    const timer = setTimeout(() => this.#stopWaiting(waiter), timeoutMs);
    this.#wake();
    await promise;
    clearTimeout(timer);
    this.#waiters.delete(waiter);
  }

  #stopWaiting(waiter: Waiter): void {
    this.#options.logger.warn("STREAM_BEHIND", { worker: this.#options.name, sequence: waiter.until });
    waiter.release();
  }

  #wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#run ??= this.#runOnce().finally(() => {
      this.#run = undefined;
      if (this.#handled < this.#options.changes.latest()) this.#wake();
    });
  }

  async #runOnce(): Promise<void> {
    // Writes of the same turn are in the same batch.
    await nextTurn();
    try {
      await this.#handlePending();
    } catch (error) {
      const { name, logger } = this.#options;
      logFailure(logger, "STREAM_LOOP_FAILED", { worker: name, error });
      await this.#pause(PAUSE_AFTER_FAULT_MS);
    }
  }

  async #handlePending(): Promise<void> {
    const { changes, batchSize } = this.#options;
    let limit = batchSize;
    while (!this.#stopping.signal.aborted) {
      const latest = changes.latest();
      const batch = changes.read(limit);
      if (batch.length === 0) return this.#advance(latest);
      const { done, failedTogether, isOutage } = await this.#deliver(batch);
      this.#acknowledge(batch.slice(0, done));
      this.#outage = isOutage ? prolonged(this.#outage) : undefined;
      const failed = batch[done];
      if (failed === undefined) {
        limit = Math.min(limit * 2, batchSize);
      } else if (failedTogether && batch.length > 1) {
        limit = Math.ceil(batch.length / 2);
        if (this.#outage) await this.#pauseAfter(this.#outage.batches);
      } else {
        await this.#retryLaterOrPark(failed);
      }
    }
  }

  async #deliver(batch: StoredChange[]): Promise<Outcome> {
    const { name, handler, logger } = this.#options;
    try {
      return outcomeOf(batch, await handler(batch.map(toRecordChange)));
    } catch (error) {
      // Not a change's fault, so no change must be quarantined: it waits for disk space.
      if (isOutOfSpace(error)) throw error;
      logger.warn("STREAM_BATCH_FAILED", { worker: name, changes: batch.length, error });
      return { done: 0, failedTogether: true, isOutage: isBackendFault(error) };
    }
  }

  async #retryLaterOrPark(change: StoredChange): Promise<void> {
    const { name, park, logger } = this.#options;
    const sequence = sequenceNumber(change);
    const { tries, isOver } = this.#retries.note(sequence, this.#outage !== undefined);
    if (!isOver) return this.#pauseAfter(this.#outage?.batches ?? tries);
    await park(toRecordChange(change));
    this.#retries.forget(sequence);
    logger.error("STREAM_CHANGE_PARKED", { worker: name, sequence, attempts: tries });
    this.#acknowledge([change]);
  }

  #acknowledge(done: StoredChange[]): void {
    const last = done.at(-1);
    if (last === undefined) return;
    this.#options.changes.acknowledge(last.sequence);
    this.#advance(last.sequence);
  }

  #advance(sequence: number): void {
    this.#handled = sequence;
    for (const waiter of this.#waiters) if (waiter.until <= sequence) waiter.release();
  }

  #pauseAfter(failures: number): Promise<void> {
    return this.#pause(Math.min(this.#options.backoffMs * 2 ** (failures - 1), MAX_BACKOFF_MS));
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#stopping;
    await sleep(milliseconds, undefined, { signal }).catch((error) => {
      if (!signal.aborted) throw error;
    });
  }
}

function prolonged(outage: Outage | undefined): Outage {
  const { batches, since } = outage ?? { batches: 0, since: performance.now() };
  return { batches: batches + 1, since };
}

/** As Lambda interprets it: the lowest reported failure ends the processed part; an unknown one fails the batch. */
function outcomeOf(batch: StoredChange[], { batchItemFailures }: DynamoDBBatchResponse): Outcome {
  const sequences = batch.map(sequenceNumber);
  const failures = batchItemFailures.map(({ itemIdentifier }) => sequences.indexOf(itemIdentifier));
  if (failures.includes(-1)) return { done: 0, failedTogether: true, isOutage: false };
  return { done: Math.min(batch.length, ...failures), failedTogether: false, isOutage: false };
}

const SEQUENCE_DIGITS = 21;

/** Identifies a change for its reader; padded, so that strings sort like changes. */
function sequenceNumber({ sequence }: StoredChange): string {
  return String(sequence).padStart(SEQUENCE_DIGITS, "0");
}

/** A change as DynamoDB's stream would contain it: with a time in whole seconds. */
function toRecordChange(change: StoredChange): RecordChange {
  return { ...change, sequence: sequenceNumber(change), at: Math.floor(change.at / 1000) * 1000 };
}
