import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import type { Logger } from "../../kernel/logger.ts";
import { isBackendFault } from "../../ports/backend-faults.ts";
import type { PartsAnswer } from "./parts.ts";
import { PoisonRetryTracker } from "./poison-retries.ts";

const DONE: DynamoDBBatchResponse = { batchItemFailures: [] };

type Handler = (event: DynamoDBStreamEvent) => Promise<PartsAnswer>;

export interface QuarantineOptions {
  /** The worker's name, for logs. */
  name: string;
  logger: Logger;
  /** Stores a change that failed permanently; the change is durable when the promise resolves. */
  park: (record: DynamoDBRecord) => Promise<void>;
  tracker?: PoisonRetryTracker;
}

/**
 * Wraps a handler so that changes that keep failing are quarantined. Its event source retries without limit, because an
 * outage may last for hours, and Lambda cannot tell an outage from a failing change. Counts are kept per process.
 */
export function quarantinePoisonRecords(
  handle: Handler,
  { name, logger, park, tracker = new PoisonRetryTracker() }: QuarantineOptions,
): (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse> {
  /** Quarantines the record if it failed permanently. Returns whether it did: then the feed may continue after it. */
  const parkIfPermanent = async (record: DynamoDBRecord, isOutage: boolean) => {
    const sequence = sequenceOf(record);
    const { tries, isOver } = tracker.note(sequence, isOutage);
    if (!isOver) return false;
    await park(record);
    tracker.forget(sequence);
    logger.error("STREAM_CHANGE_PARKED", { worker: name, sequence, attempts: tries });
    return true;
  };
  return async (event) => {
    const { Records } = event;
    let answer: PartsAnswer;
    try {
      answer = await handle(event);
    } catch (error) {
      const [record, ...others] = Records;
      // In a batch of several records, Lambda finds the failing one by bisection.
      if (record !== undefined && others.length === 0 && (await parkIfPermanent(record, isBackendFault(error))))
        return DONE;
      throw error;
    }
    const { batchItemFailures, isOutage } = answer;
    const failed = batchItemFailures[0]?.itemIdentifier;
    const index = Records.findIndex((record) => sequenceOf(record) === failed);
    const record = Records[index];
    // An outage is counted only for a change that meets it alone.
    if (record === undefined || isOutage || !(await parkIfPermanent(record, false))) return { batchItemFailures };
    const next = Records[index + 1];
    return next === undefined ? DONE : { batchItemFailures: [{ itemIdentifier: sequenceOf(next) }] };
  };
}

function sequenceOf({ dynamodb, eventID }: DynamoDBRecord): string {
  return dynamodb?.SequenceNumber ?? eventID ?? "";
}
