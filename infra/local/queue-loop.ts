import { createHash } from "node:crypto";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { LocalQueue, ReceivedMessage } from "../../shared/adapters/local/queue.ts";
import type { Clock } from "../../shared/kernel/clock.ts";
import { msUntil } from "../../shared/kernel/durations.ts";
import type { Logger } from "../../shared/kernel/logger.ts";
import { isOutOfSpace } from "../../shared/ports/backend-faults.ts";
import { logFailure } from "../../shared/ports/full-disk.ts";

export interface QueueSource {
  queue: LocalQueue;
  /** Name of the queue. */
  name: string;
  /** Maximum messages per event, 1..10. */
  batchSize: number;
  handler: (event: SQSEvent) => Promise<SQSBatchResponse>;
  logger: Logger;
}

export interface QueueLoopOptions extends Omit<QueueSource, "name"> {
  /** Queues to read, most urgent first. */
  names: string[];
  /** Maximum concurrent batches per queue, each queue independently. By default one batch over all queues. */
  concurrency?: number;
  clock: Clock;
}

/** Pause after a database failure. */
const PAUSE_AFTER_FAULT_MS = 1_000;
/** Pause for a message that failed on a full disk, because another attempt may be expensive and fail again. */
const PAUSE_ON_FULL_DISK_MS = 30_000;

/**
 * Feeds a worker from its queues like Lambda's event sources: messages reported as failed return after the visibility
 * timeout. Each batch comes from the most urgent queue with messages and free capacity. Between batches it sleeps until
 * a send or the next due message.
 */
export class QueueLoop {
  readonly #options: QueueLoopOptions;
  /** Running batches with their queue. */
  readonly #batches = new Map<Promise<void>, string>();
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

  /** Takes no more batches and resolves when running ones are done. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#batches.keys());
  }

  /** Resolves when no message is visible; failed and delayed ones are left for later. */
  async drain(): Promise<void> {
    while (!this.#isStopping) {
      this.#startBatches();
      if (this.#batches.size === 0) return;
      await Promise.race(this.#batches.keys());
    }
  }

  /** Starts as many batches as there is capacity for. */
  #startBatches(): void {
    for (let name = this.#mostUrgent(); name !== undefined; name = this.#mostUrgent()) this.#startBatch(name);
  }

  #startBatch(name: string): void {
    const { logger } = this.#options;
    const batch = pollQueue({ ...this.#options, name }).then(
      () => {
        this.#batches.delete(batch);
        this.#wake();
      },
      (error) => {
        this.#batches.delete(batch);
        this.#sleep(PAUSE_AFTER_FAULT_MS);
        throw error;
      },
    );
    this.#batches.set(batch, name);
    batch.catch((error) => logFailure(logger, "QUEUE_LOOP_FAILED", { queue: name, error }));
  }

  /** Sleeps until the next message is due, and at least `pauseMs`; then processes due messages. */
  #sleep(pauseMs = 0): void {
    if (!this.#isStarted || this.#isStopping) return;
    clearTimeout(this.#timer);
    const { queue, clock } = this.#options;
    const due = Math.min(...this.#freeQueues().map((name) => queue.nextDue(name) ?? Number.POSITIVE_INFINITY));
    if (due === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#wake(), Math.max(msUntil(due, clock()), pauseMs));
  }

  #wake(): void {
    if (!this.#isStarted) return;
    this.#startBatches();
    this.#sleep();
  }

  /** The first queue with a visible message and free capacity. */
  #mostUrgent(): string | undefined {
    const { queue, clock } = this.#options;
    if (this.#isStopping) return undefined;
    return this.#freeQueues().find((name) => (queue.nextDue(name) ?? Number.POSITIVE_INFINITY) <= clock());
  }

  /** The queues with free capacity. */
  #freeQueues(): string[] {
    const { names, concurrency } = this.#options;
    if (concurrency === undefined) return this.#batches.size === 0 ? names : [];
    const busy = [...this.#batches.values()];
    return names.filter((name) => busy.filter((queue) => queue === name).length < concurrency);
  }
}

/**
 * Passes one batch of visible messages to the handler and deletes those not reported as failed; returns its size. If
 * the disk is full, it returns all messages to the queue and throws: the messages did not fail, so they must not become
 * dead letters.
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

/** The failed messages: those reported, or all after an exception or a report of an unknown message. */
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

/** The event that Lambda would pass to a reader of this queue. */
export function toSqsEvent(queue: string, messages: ReceivedMessage[]): SQSEvent {
  return { Records: messages.map((message) => toSqsRecord(queue, message)) };
}

function toSqsRecord(queue: string, message: ReceivedMessage): SQSRecord {
  return {
    messageId: message.id,
    receiptHandle: message.receipt,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(message.sentAt),
      SenderId: "local",
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    },
    messageAttributes: {},
    md5OfBody: createHash("md5").update(message.body).digest("hex"),
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:local:000000000000:${queue}`,
    awsRegion: "local",
  };
}
