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

export interface QueueLoopOptions extends QueueSource {
  clock: Clock;
}

/** How long to leave a queue alone whose database failed. */
const PAUSE_AFTER_FAULT_MS = 1_000;

/**
 * Feeds a worker from a queue as Lambda's event source does: one batch at a time, and what the handler reports as
 * failed comes back after the visibility timeout. Between batches it sleeps until a send or the next due message.
 */
export class QueueLoop {
  readonly #options: QueueLoopOptions;
  #run: Promise<void> | undefined;
  #isStarted = false;
  #isStopping = false;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe = () => {};

  constructor(options: QueueLoopOptions) {
    this.#options = options;
  }

  start(): void {
    const { queue, name } = this.#options;
    this.#isStarted = true;
    this.#unsubscribe = queue.onSend(name, () => this.#sleep());
    this.#sleep();
  }

  /** Takes no more batches and resolves when the one at work is done. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    await Promise.allSettled([this.#run]);
  }

  /** Resolves when no message is visible any more; those that failed or are delayed are left for their time. */
  async drain(): Promise<void> {
    while (!this.#isStopping && this.#isDue()) {
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
    while (!this.#isStopping && this.#isDue()) await pollQueue(this.#options);
  }

  #rest(pause: number): void {
    this.#run = undefined;
    this.#sleep(pause);
  }

  /** Sleeps until the next message is due, and longer than `pause`; then works off what is due. */
  #sleep(pause = 0): void {
    if (!this.#isStarted || this.#isStopping || this.#run !== undefined) return;
    clearTimeout(this.#timer);
    const { queue, name, clock } = this.#options;
    const due = queue.nextDue(name);
    if (due !== undefined) this.#timer = setTimeout(() => this.#wake(), Math.max(due - clock(), pause));
  }

  #wake(): void {
    const { name, logger } = this.#options;
    this.drain().catch((error) => logger.error("QUEUE_LOOP_FAILED", { queue: name, error }));
    if (this.#run === undefined) this.#sleep();
  }

  #isDue(): boolean {
    const { queue, name, clock } = this.#options;
    const due = queue.nextDue(name);
    return due !== undefined && due <= clock();
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
