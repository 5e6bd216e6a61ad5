import { marshall } from "@aws-sdk/util-dynamodb";
import type { AttributeValue, DynamoDBRecord } from "aws-lambda";
import { escapeNames } from "../../shared/adapters/aws/attribute-names.ts";
import type { RecordChange } from "../../shared/ports/changes.ts";

/** The record of the table's stream for a change, which is how dead letters contain changes on AWS too. */
export function toStreamRecord(change: RecordChange): DynamoDBRecord {
  const { key, before, after, sequence, at = 0 } = change;
  return {
    eventID: sequence,
    eventName: eventNameOf(change),
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    eventSourceARN: "arn:aws:dynamodb:local:000000000000:table/records/stream/local",
    awsRegion: "local",
    dynamodb: {
      ApproximateCreationDateTime: at / 1000,
      Keys: toImage(key),
      ...(before && { OldImage: toImage(before) }),
      ...(after && { NewImage: toImage(after) }),
      SequenceNumber: sequence,
      StreamViewType: "NEW_AND_OLD_IMAGES",
    },
  };
}

function eventNameOf({ before, after }: RecordChange): "INSERT" | "MODIFY" | "REMOVE" {
  if (after === undefined) return "REMOVE";
  return before === undefined ? "INSERT" : "MODIFY";
}

/** Records are JSON, for which the attribute types of the SDK and of Lambda match; readers unescape the names. */
function toImage(record: object): Record<string, AttributeValue> {
  return marshall(escapeNames(record), { allowImpreciseNumbers: true }) as Record<string, AttributeValue>;
}
