import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { StoredRecord } from "../ports.ts";
import { toRecord } from "./item-format.ts";

/**
 * Errors, and reasons of a cancelled transaction, that say another writer or the capacity was in the way and nothing
 * was done, or that an earlier attempt is still under way.
 */
const PASSING_FAULTS: ReadonlySet<string | undefined> = new Set([
  "TransactionConflictException",
  "TransactionInProgressException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
  "TransactionConflict",
  "ProvisionedThroughputExceeded",
  "ThrottlingError",
]);
const TOO_LARGE = /item size.*exceeded the maximum allowed size/i;

const WRITES: ReadonlySet<unknown> = new Set([
  "PutItemCommand",
  "UpdateItemCommand",
  "DeleteItemCommand",
  "TransactWriteItemsCommand",
]);

/** Errors of writes after an attempt at the same one of which nobody can tell whether it was done. */
const afterUnknown = new WeakSet<object>();

/**
 * Has a client call `note` for each attempt at a write of which nobody can tell whether it was done. The SDK makes
 * further ones by itself, and how the last of them ends, throttled or refused, says nothing of those before.
 */
export function onUnknownOutcome(client: DynamoDBClient, note: () => void): void {
  client.middlewareStack.add(
    (next, { commandName }) => {
      // Made once for all attempts at one write.
      let isUnknown = false;
      return async (given) => {
        try {
          return await next(given);
        } catch (error) {
          const wasRefused = error instanceof DynamoDBServiceException && error.$fault === "client";
          if (wasRefused && isUnknown) afterUnknown.add(error);
          if (WRITES.has(commandName) && !wasRefused) {
            isUnknown = true;
            note();
          }
          throw error;
        }
      };
    },
    // Within the middleware that sends again and signs, so that it sees each attempt and what was really sent.
    { name: "onUnknownOutcome", step: "finalizeRequest", priority: "low", override: true },
  );
}

/** A write whose condition failed: its place in the call and the item it met, which may have expired. */
export interface Refusal {
  index: number;
  met: StoredRecord | undefined;
}

/** The writes whose conditions failed; empty when the error is about something else. */
export function refusals(error: unknown): Refusal[] {
  if (error instanceof ConditionalCheckFailedException) return [{ index: 0, met: asRecord(error.Item) }];
  if (!(error instanceof TransactionCanceledException)) return [];
  return (error.CancellationReasons ?? []).flatMap(({ Code, Item }, index) =>
    Code === "ConditionalCheckFailed" ? [{ index, met: asRecord(Item) }] : [],
  );
}

export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return PASSING_FAULTS.has(error.name) || reasons(error).some(({ Code }) => PASSING_FAULTS.has(Code));
}

export function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return TOO_LARGE.test(error.message) || reasons(error).some(({ Message }) => TOO_LARGE.test(Message ?? ""));
}

/**
 * Whether an attempt at the same write that went before an error may have been done. One that was throttled was not:
 * what the next one meets, however much alike, is another writer's.
 */
export function isAfterUnknown(error: unknown): boolean {
  return error instanceof Error && afterUnknown.has(error);
}

function reasons(error: Error) {
  return error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
}

/** Every item of the table was written as a StoredRecord. The document client does not translate what errors carry. */
function asRecord(item: Record<string, AttributeValue> | undefined): StoredRecord | undefined {
  return item === undefined ? undefined : toRecord(unmarshall(item));
}
