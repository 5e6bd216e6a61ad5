import { isDeepStrictEqual } from "node:util";
import type { AttributeValue as SdkAttribute } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { AttributeValue, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import type { RecordChange } from "../../ports/changes.ts";
import type { RecordKey, StoredRecord } from "../../ports/record-store.ts";
import { RESTORED_MARK } from "./attribute-names.ts";
import { toRecord } from "./item-format.ts";

type Image = Record<string, AttributeValue>;

/** Converts an image to a record; only the service writes to the table, so each item is a StoredRecord. */
function recordOf(image: Image | undefined): StoredRecord | undefined {
  return image && toRecord(unmarshall(image as Record<string, SdkAttribute>));
}

function toChange({ dynamodb, eventID }: DynamoDBRecord): RecordChange {
  const key = unmarshall((dynamodb?.Keys ?? {}) as Record<string, SdkAttribute>) as RecordKey;
  const sequence = dynamodb?.SequenceNumber ?? eventID ?? "";
  const seconds = dynamodb?.ApproximateCreationDateTime;
  const at = seconds === undefined ? undefined : seconds * 1000;
  return { key, before: recordOf(dynamodb?.OldImage), after: recordOf(dynamodb?.NewImage), sequence, at };
}

/** Whether a restore wrote the record, so that no event must be sent. */
function isRestored({ dynamodb }: DynamoDBRecord): boolean {
  return dynamodb?.OldImage === undefined && dynamodb?.NewImage?.[RESTORED_MARK] !== undefined;
}

/** Returns the changes of a stream event in the feed's order, except those by a restore or an upgrade. */
export function readChanges(event: DynamoDBStreamEvent): RecordChange[] {
  return (
    event.Records.filter((record) => !isRestored(record))
      .map(toChange)
      // An upgrade changes the stored form of a record but not its meaning.
      .filter(({ before, after }) => !isDeepStrictEqual(before, after))
  );
}
