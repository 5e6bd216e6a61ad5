import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { Clock } from "../../shared/kernel/clock.ts";
import type { Logger } from "../../shared/kernel/logger.ts";
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
  clock: Clock;
}

/** How long to leave a queue alone whose database failed. */
const PAUSE_AFTER_FAULT_MS = 1_000;

/**
 * Feeds a worker from its queues as Lambda's event sources do: one batch of one queue at a time, and what the handler
 * reports as failed comes back after the visibility timeout. Each batch is of the most urgent queue that has any.
 * Between batches it sleeps until a send or the next due message.
 */
export class QueueLoop {
  readonly #options: QueueLoopOptions;
  #run: Promise<void> | undefined;
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

  /** Takes no more batches and resolves when the one at work is done. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    clearTimeout(this.#timer);
    await Promise.allSettled([this.#run]);
  }

  /** Resolves when no message is visible any more; those that failed or are delayed are left for their time. */
  async drain(): Promise<void> {
    while (!this.#isStopping && this.#mostUrgent() !== undefined) {
      this.#run ??= this.#workOff().then(
        () => this.#rest(0),
        (error) => {
          this.#rest(PAUSE_AFTER_FAULT_MS);
          throw error;
        },
      );
      await this.#run;
    }
  }

  async #workOff(): Promise<void> {
    while (!this.#isStopping) {
      const name = this.#mostUrgent();
      if (name === undefined) return;
      await pollQueue({ ...this.#options, name });
    }
  }

  #rest(pause: number): void {
    this.#run = undefined;
    this.#sleep(pause);
  }

  /** Sleeps until the next message is due, and longer than `pause`; then works off what is due. */
  #sleep(pause = 0): void {
    if (!this.#isStarted || this.#isStopping || this.#run !== undefined) return;
    clearTimeout(this.#timer);
    const { queue, names, clock } = this.#options;
    const due = Math.min(...names.map((name) => queue.nextDue(name) ?? Number.POSITIVE_INFINITY));
    if (due < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#wake(), Math.max(due - clock(), pause));
  }

  #wake(): void {
    const { names, logger } = this.#options;
    this.drain().catch((error) => logger.error("QUEUE_LOOP_FAILED", { queues: names, error }));
    if (this.#run === undefined) this.#sleep();
  }

  /** The first queue that has a message to take now. */
  #mostUrgent(): string | undefined {
    const { queue, names, clock } = this.#options;
    return names.find((name) => (queue.nextDue(name) ?? Number.POSITIVE_INFINITY) <= clock());
  }
}

/** Hands one batch of what is visible now to the handler and deletes what it did not report as failed; answers its size. */
export async function pollQueue({ queue, name, batchSize, handler, logger }: QueueSource): Promise<number> {
  const messages = queue.receive(name, batchSize);
  if (messages.length === 0) return 0;
  const ids = messages.map(({ id }) => id);
  const failed = await failuresOf(
    ids,
    async () => handler(toSqsEvent(name, messages)),
    (error) => logger.error("QUEUE_BATCH_FAILED", { queue: name, messages: ids, error }),
  );
  queue.delete(messages.filter(({ id }) => !failed.has(id)).map(({ receipt }) => receipt));
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
