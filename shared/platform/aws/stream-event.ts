import type { AttributeValue as SdkAttribute } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { AttributeValue, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import type { RecordChange } from "../changes.ts";
import type { RecordKey, StoredRecord } from "../ports.ts";
import { unescapeNames } from "./attribute-names.ts";

type Image = Record<string, AttributeValue>;

/** An image of our own table: whatever is in it was put there as a StoredRecord. */
function toRecord(image: Image | undefined): StoredRecord | undefined {
  return image && unescapeNames(unmarshall(image as Record<string, SdkAttribute>) as StoredRecord);
}

function toChange({ dynamodb, eventID }: DynamoDBRecord): RecordChange {
  const key = unmarshall((dynamodb?.Keys ?? {}) as Record<string, SdkAttribute>) as RecordKey;
  const sequence = dynamodb?.SequenceNumber ?? eventID ?? "";
  return { key, before: toRecord(dynamodb?.OldImage), after: toRecord(dynamodb?.NewImage), sequence };
}

/** The changes in a stream event, in the feed's order. */
export function readChanges(event: DynamoDBStreamEvent): RecordChange[] {
  return event.Records.map(toChange);
}
