import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { Clock } from "../../shared/kernel/clock.ts";
import type { Logger } from "../../shared/kernel/logger.ts";
import { isOutOfSpace } from "../../shared/platform/backend-faults.ts";
import { logFailure } from "../../shared/platform/full-disk.ts";
import type { LocalQueue } from "../../shared/platform/local/queue.ts";
import { toSqsEvent } from "./sqs-event.ts";

export interface QueueSource {
  queue: LocalQueue;
  /** Name of the queue to read. */
  name: string;
  /** Most messages of one event, 1..10. */
  batchSize: number;
  handler: (event: SQSEvent) => Promise<SQSBatchResponse>;
  logger: Logger;
}

export interface QueueLoopOptions extends Omit<QueueSource, "name"> {
  /** Queues to read, the most urgent first. */
  names: string[];
  /** Most batches of one queue at a time, each queue by itself. Default: one batch of all queues at a time. */
  concurrency?: number;
  clock: Clock;
}

/** How long to leave queues alone whose database failed. */
const PAUSE_AFTER_FAULT_MS = 1_000;
/** How long to leave a message alone that found no room on the disk: working on it may cost much, and be in vain again. */
const PAUSE_ON_FULL_DISK_MS = 30_000;

/**
 * Feeds a worker from its queues as Lambda's event sources do: what the handler reports as failed comes back after the
 * visibility timeout. Each batch is of the most urgent queue that has any and is not worked on by as many as may be.
 * Between batches it sleeps until a send or the next due message.
 */
export class QueueLoop {
  readonly #options: QueueLoopOptions;
  /** Who works on batches, and of which queue. */
  readonly #workers = new Map<Promise<void>, string>();
  #isStarted = false;
  #isStopping = false;
  #timer: NodeJS.Timeout | undefined;
  #subscriptions: (() => void)[] = [];

  constructor(options: QueueLoopOptions) {
    this.#options = options;
  }

  start(): void {
    const { queue, names } = this.#options;
    this.#isStarted = true;
    this.#subscriptions = names.map((name) => queue.onSend(name, () => this.#sleep()));
    this.#sleep();
  }

  /** Takes no more batches and resolves when those at work are done. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#workers.keys());
  }

  /** Resolves when no message is visible any more; those that failed or are delayed are left for their time. */
  async drain(): Promise<void> {
    while (!this.#isStopping) {
      this.#takeUp();
      if (this.#workers.size === 0) return;
      await Promise.race(this.#workers.keys());
    }
  }

  /** Has all batches worked on that there is somebody for. */
  #takeUp(): void {
    for (let name = this.#mostUrgent(); name !== undefined; name = this.#mostUrgent()) this.#workOn(name);
  }

  #workOn(name: string): void {
    const { logger } = this.#options;
    const worker = pollQueue({ ...this.#options, name }).then(
      () => {
        this.#workers.delete(worker);
        this.#wake();
      },
      (error) => {
        this.#workers.delete(worker);
        this.#sleep(PAUSE_AFTER_FAULT_MS);
        throw error;
      },
    );
    this.#workers.set(worker, name);
    worker.catch((error) => logFailure(logger, "QUEUE_LOOP_FAILED", { queue: name, error }));
  }

  /** Sleeps until the next message is due, and longer than `pause`; then works off what is due. */
  #sleep(pause = 0): void {
    if (!this.#isStarted || this.#isStopping) return;
    clearTimeout(this.#timer);
    const { queue, clock } = this.#options;
    const due = Math.min(...this.#free().map((name) => queue.nextDue(name) ?? Number.POSITIVE_INFINITY));
    if (due < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#wake(), Math.max(due - clock(), pause));
  }

  #wake(): void {
    if (!this.#isStarted) return;
    this.#takeUp();
    this.#sleep();
  }

  /** The first queue that has a message to take now, and somebody to work on it. */
  #mostUrgent(): string | undefined {
    const { queue, clock } = this.#options;
    if (this.#isStopping) return undefined;
    return this.#free().find((name) => (queue.nextDue(name) ?? Number.POSITIVE_INFINITY) <= clock());
  }

  /** The queues of which another batch may be taken. */
  #free(): string[] {
    const { names, concurrency } = this.#options;
    if (concurrency === undefined) return this.#workers.size === 0 ? names : [];
    const busy = [...this.#workers.values()];
    return names.filter((name) => busy.filter((each) => each === name).length < concurrency);
  }
}

/**
 * Hands one batch of what is visible now to the handler and deletes what it did not report as failed; answers its size. A
 * full disk is thrown, and no fault of a message, which would be a dead letter for it in the end: all are given back.
 */
export async function pollQueue({ queue, name, batchSize, handler, logger }: QueueSource): Promise<number> {
  const messages = queue.receive(name, batchSize);
  if (messages.length === 0) return 0;
  const ids = messages.map(({ id }) => id);
  const failed = await failuresOf(
    ids,
    async () => handler(toSqsEvent(name, messages)),
    (error) => {
      if (isOutOfSpace(error)) {
        const receipts = messages.map(({ receipt }) => receipt);
        queue.giveBack(receipts, PAUSE_ON_FULL_DISK_MS);
        throw error;
      }
      logger.error("QUEUE_BATCH_FAILED", { queue: name, messages: ids, error });
    },
  );
  queue.finish(messages, failed);
  return messages.length;
}

/** The messages that failed: those reported, or all of them after an exception or a report of an unknown message. */
async function failuresOf(
  ids: string[],
  run: () => Promise<SQSBatchResponse>,
  onError: (error: unknown) => void,
): Promise<Set<string>> {
  try {
    const { batchItemFailures } = await run();
    const failed = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    return new Set(failed.every((id) => ids.includes(id)) ? failed : ids);
  } catch (error) {
    onError(error);
    return new Set(ids);
  }
}
