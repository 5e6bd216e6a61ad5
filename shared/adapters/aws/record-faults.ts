import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { StoredRecord } from "../../ports/record-store.ts";
import { toRecord } from "./item-format.ts";

/**
 * Errors and cancellation reasons that mean that another writer or the capacity blocked the write and nothing was
 * written, or that an earlier attempt is still in progress.
 */
const TRANSIENT_FAULTS: ReadonlySet<string | undefined> = new Set([
  ..."TransactionConflictException TransactionInProgressException ProvisionedThroughputExceededException".split(" "),
  ..."RequestLimitExceeded ThrottlingException TransactionConflict ProvisionedThroughputExceeded".split(" "),
  ..."ThrottlingError".split(" "),
]);
const TOO_LARGE = /item size.*exceeded the maximum allowed size/i;

const WRITES: ReadonlySet<unknown> = new Set(
  "PutItemCommand UpdateItemCommand DeleteItemCommand TransactWriteItemsCommand".split(" "),
);

/** Errors of writes that follow an attempt with an unknown outcome. */
const afterUnknown = new WeakSet<object>();

/** Makes a client call `note` for each attempt with an unknown outcome: the SDK only returns the last result. */
export function onUnknownOutcome(client: DynamoDBClient, note: () => void): void {
  client.middlewareStack.add(
    (next, { commandName }) => {
      // Created once for all attempts of a write.
      let isUnknown = false;
      return async (args) => {
        try {
          return await next(args);
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
    // Inside the retry and signing middleware, so that it sees each attempt as it was sent.
    { name: "onUnknownOutcome", step: "finalizeRequest", priority: "low", override: true },
  );
}

/** A write whose condition failed: its index in the call and the existing item, which may have expired. */
export interface Refusal {
  index: number;
  existing: StoredRecord | undefined;
}

/** The writes whose conditions failed; empty for other errors. */
export function refusals(error: unknown): Refusal[] {
  if (error instanceof ConditionalCheckFailedException) return [{ index: 0, existing: asRecord(error.Item) }];
  if (!(error instanceof TransactionCanceledException)) return [];
  return (error.CancellationReasons ?? []).flatMap(({ Code, Item }, index) =>
    Code === "ConditionalCheckFailed" ? [{ index, existing: asRecord(Item) }] : [],
  );
}

export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return TRANSIENT_FAULTS.has(error.name) || reasons(error).some(({ Code }) => TRANSIENT_FAULTS.has(Code));
}

export function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return TOO_LARGE.test(error.message) || reasons(error).some(({ Message }) => TOO_LARGE.test(Message ?? ""));
}

/**
 * Whether an earlier attempt of the same write may have succeeded. A throttled attempt did not succeed: an item that
 * the next attempt finds belongs to another writer, even if it looks the same.
 */
export function isAfterUnknown(error: unknown): boolean {
  return error instanceof Error && afterUnknown.has(error);
}

function reasons(error: Error) {
  return error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
}

/** Every item of the table was written as a StoredRecord. The document client does not convert items inside errors. */
function asRecord(item: Record<string, AttributeValue> | undefined): StoredRecord | undefined {
  return item === undefined ? undefined : toRecord(unmarshall(item));
}
