import { marshall } from "@aws-sdk/util-dynamodb";
import type { AttributeValue, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { escapeNames } from "../../shared/adapters/aws/attribute-names.ts";
import type { StoredChange } from "../../shared/adapters/local/changes.ts";

const SEQUENCE_DIGITS = 21;

/** The event that Lambda would pass to a reader of the table's stream. */
export function toStreamEvent(changes: StoredChange[]): DynamoDBStreamEvent {
  return { Records: changes.map(toStreamRecord) };
}

/** Identifies a change in an event; padded, so that strings sort like changes. */
export function sequenceNumber({ sequence }: StoredChange): string {
  return String(sequence).padStart(SEQUENCE_DIGITS, "0");
}

/** A record of such an event. */
export function toStreamRecord(change: StoredChange): DynamoDBRecord {
  const { key, before, after, at } = change;
  return {
    eventID: sequenceNumber(change),
    eventName: eventNameOf(change),
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    eventSourceARN: "arn:aws:dynamodb:local:000000000000:table/records/stream/local",
    awsRegion: "local",
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(at / 1000),
      Keys: toImage(key),
      ...(before && { OldImage: toImage(before) }),
      ...(after && { NewImage: toImage(after) }),
      SequenceNumber: sequenceNumber(change),
      StreamViewType: "NEW_AND_OLD_IMAGES",
    },
  };
}

function eventNameOf({ before, after }: StoredChange): "INSERT" | "MODIFY" | "REMOVE" {
  if (after === undefined) return "REMOVE";
  return before === undefined ? "INSERT" : "MODIFY";
}

/** JSON needs only the plain attribute types, which both packages write alike; workers remove the escapes. */
function toImage(record: object): Record<string, AttributeValue> {
  return marshall(escapeNames(record), { allowImpreciseNumbers: true }) as Record<string, AttributeValue>;
}
