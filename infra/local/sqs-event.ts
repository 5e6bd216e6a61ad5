import { createHash } from "node:crypto";
import type { SQSEvent, SQSRecord } from "aws-lambda";
import type { ReceivedMessage } from "../../shared/adapters/local/queue.ts";

/** The event that Lambda would pass to a reader of this queue. */
export function toSqsEvent(queue: string, messages: ReceivedMessage[]): SQSEvent {
  return { Records: messages.map((message) => toSqsRecord(queue, message)) };
}

function toSqsRecord(queue: string, message: ReceivedMessage): SQSRecord {
  return {
    messageId: message.id,
    receiptHandle: message.receipt,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(message.sentAt),
      SenderId: "local",
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    },
    messageAttributes: {},
    md5OfBody: createHash("md5").update(message.body).digest("hex"),
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:local:000000000000:${queue}`,
    awsRegion: "local",
  };
}
