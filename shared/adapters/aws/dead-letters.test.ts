import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, expect, it } from "vitest";
import { sendDeadLetter } from "./dead-letters.ts";

const sqs = mockClient(SQSClient);
const dynamodb = {
  Keys: { pk: { S: "org_1#mem_1" }, sk: { S: "memory" } },
  SequenceNumber: "42",
  ApproximateCreationDateTime: 1_700_000_000,
};

afterEach(() => sqs.reset());

it("sends the key and position of a change to the worker's dead letters, without its content", async () => {
  sqs.on(SendMessageBatchCommand).resolves({});
  const images = { NewImage: { content: { S: "x".repeat(400_000) } }, OldImage: { content: { S: "y" } } };
  const record = { eventName: "MODIFY" as const, eventSourceARN: "arn:stream", dynamodb: { ...dynamodb, ...images } };
  await sendDeadLetter(record, { DEAD_LETTERS_URL: "https://sqs/dead" });
  const [{ input } = { input: undefined }] = sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0]);
  expect(input?.QueueUrl).toBe("https://sqs/dead");
  expect(input?.Entries?.map(({ MessageBody }) => JSON.parse(MessageBody ?? ""))).toEqual([
    { eventName: "MODIFY", eventSourceARN: "arn:stream", dynamodb },
  ]);
});

it("requires the URL of the dead letters", async () => {
  await expect(sendDeadLetter({ dynamodb }, {})).rejects.toThrow("DEAD_LETTERS_URL");
});
