import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import type { Logger } from "../kernel/logger.ts";
import { isBackendFault } from "../platform/backend-faults.ts";
import { Patience } from "./patience.ts";

const DONE: DynamoDBBatchResponse = { batchItemFailures: [] };

type Handler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

export interface ParkingOptions {
  /** Of the worker, for logs. */
  name: string;
  logger: Logger;
  /** Takes a change that failed for good; durable when it resolves. */
  park: (record: DynamoDBRecord) => Promise<void>;
  patience?: Patience;
}

/**
 * What parks poisoned changes for a handler whose event source tries again without end, as an outage may last for hours:
 * Lambda counts its failures and those of a change alike. Counts are the process's; another one begins anew.
 */
export function parkingPoison(
  handle: Handler,
  { name, logger, park, patience = new Patience() }: ParkingOptions,
): Handler {
  /** Whether the record was parked, and what is behind it may pass. */
  const isParked = async (record: DynamoDBRecord, isOutage: boolean) => {
    const sequence = sequenceOf(record);
    const { tries, isOver } = patience.note(sequence, isOutage);
    if (!isOver) return false;
    await park(record);
    patience.forget(sequence);
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
      // Of several, Lambda finds by bisection which one it is.
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
