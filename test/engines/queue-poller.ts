import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { SQSRecord, SQSRecordAttributes } from "aws-lambda";
import type { QueueHandler } from "../contract/queue.ts";
import { queueArn } from "./resources.ts";

const MAX_MESSAGES = 10;

/** Emulates Lambda's event source of a queue, one poll at a time. */
export function createQueuePoller(urls: Map<string, string>) {
  const client = new SQSClient();
  return async (queue: string, handler: QueueHandler): Promise<number> => {
    const QueueUrl = urls.get(queue);
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: MAX_MESSAGES,
        MessageSystemAttributeNames: ["All"],
        WaitTimeSeconds: 0,
      }),
    );
    if (Messages.length === 0) return 0;
    const arn = await queueArn(client, QueueUrl);
    const records = Messages.map((message) => toRecord(message, arn));
    const failed = await failedOf(handler, records);
    const done = records.filter(({ messageId }) => !failed.has(messageId));
    if (done.length > 0) {
      const Entries = done.map(({ messageId, receiptHandle }) => ({ Id: messageId, ReceiptHandle: receiptHandle }));
      await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    }
    return records.length;
  };
}

/** All of them if the handler throws, as Lambda counts it. */
async function failedOf(handler: QueueHandler, records: SQSRecord[]): Promise<Set<string>> {
  try {
    const { batchItemFailures } = await handler({ Records: records });
    return new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  } catch {
    return new Set(records.map(({ messageId }) => messageId));
  }
}

function toRecord(message: Message, eventSourceARN: string): SQSRecord {
  return {
    messageId: message.MessageId ?? "",
    receiptHandle: message.ReceiptHandle ?? "",
    body: message.Body ?? "",
    // Requested with "All", so the ones that Lambda passes on are present.
    attributes: message.Attributes as unknown as SQSRecordAttributes,
    messageAttributes: {},
    md5OfBody: message.MD5OfBody ?? "",
    eventSource: "aws:sqs",
    eventSourceARN,
    awsRegion: process.env.AWS_REGION ?? "",
  };
}
