import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import type { Logger } from "../../kernel/logger.ts";
import { isBackendFault } from "../../ports/backend-faults.ts";
import { PoisonRetryTracker } from "./poison-retries.ts";

const DONE: DynamoDBBatchResponse = { batchItemFailures: [] };

type Handler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

export interface ParkingOptions {
  /** The worker's name, for logs. */
  name: string;
  logger: Logger;
  /** Stores a change that failed permanently; durable when it resolves. */
  park: (record: DynamoDBRecord) => Promise<void>;
  tracker?: PoisonRetryTracker;
}

/**
 * Quarantines poison changes for a handler whose event source retries without limit, because an outage may last for
 * hours: Lambda does not distinguish its own failures from a change's. Counts are kept per process.
 */
export function quarantinePoisonRecords(
  handle: Handler,
  { name, logger, park, tracker = new PoisonRetryTracker() }: ParkingOptions,
): Handler {
  /** Whether the record was quarantined, so that the feed may continue with the changes after it. */
  const isParked = async (record: DynamoDBRecord, isOutage: boolean) => {
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
    let answer: DynamoDBBatchResponse;
    try {
      answer = await handle(event);
    } catch (error) {
      const [record, ...others] = Records;
      // In a batch of several records, Lambda finds the failing one by bisection.
      if (record !== undefined && others.length === 0 && (await isParked(record, isBackendFault(error)))) return DONE;
      throw error;
    }
    const failed = answer.batchItemFailures[0]?.itemIdentifier;
    const place = Records.findIndex((record) => sequenceOf(record) === failed);
    const record = Records[place];
    if (record === undefined || !(await isParked(record, false))) return answer;
    const next = Records[place + 1];
    return next === undefined ? DONE : { batchItemFailures: [{ itemIdentifier: sequenceOf(next) }] };
  };
}

function sequenceOf({ dynamodb, eventID }: DynamoDBRecord): string {
  return dynamodb?.SequenceNumber ?? eventID ?? "";
}
