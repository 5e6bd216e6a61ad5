import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, expect, it } from "vitest";
import { openQueue } from "./queue.ts";

const sqs = mockClient(SQSClient);
const queue = openQueue({ QUEUES: "big-jobs,other=elsewhere?a=b", QUEUE_URL_PREFIX: "https://sqs/" });
const messages = (count: number, body = "x") => Array.from({ length: count }, () => ({ body }));
const batches = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input.Entries ?? []);

afterEach(() => sqs.reset());

it("sends ten messages at a time to the queue's own URL", async () => {
  sqs.on(SendMessageBatchCommand).resolves({});
  await queue.send("big-jobs", messages(23));
  expect(batches().map(({ length }) => length)).toEqual([10, 10, 3]);
  expect(sqs.commandCalls(SendMessageBatchCommand)[0]?.args[0].input.QueueUrl).toBe("https://sqs/big-jobs");
});

it("knows queues by name, and where each is", async () => {
  sqs.on(SendMessageBatchCommand).resolves({});
  await queue.send("other", messages(1));
  expect(sqs.commandCalls(SendMessageBatchCommand)[0]?.args[0].input.QueueUrl).toBe("https://sqs/elsewhere?a=b");
  expect(queue.names()).toEqual(["big-jobs", "other"]);
  await expect(queue.send("no-such-queue", messages(1))).rejects.toThrow("no queue 'no-such-queue'");
});

it("keeps a batch below what SQS takes in all", async () => {
  sqs.on(SendMessageBatchCommand).resolves({});
  await queue.send("big-jobs", messages(5, "x".repeat(100_000)));
  expect(batches().map(({ length }) => length)).toEqual([2, 2, 1]);
});

it("sends again only what was refused for a passing reason", async () => {
  const Failed = [{ Id: "1", SenderFault: false, Code: "InternalError" }];
  sqs.on(SendMessageBatchCommand).resolvesOnce({ Failed, Successful: [] }).resolves({});
  await queue.send("big-jobs", messages(3));
  expect(batches().map((entries) => entries.map(({ Id }) => Id))).toEqual([["0", "1", "2"], ["1"]]);
});

it("throws what SQS said of a message at fault, without sending it again", async () => {
  const Failed = [{ Id: "0", SenderFault: true, Code: "InvalidMessageContents", Message: "bad characters" }];
  sqs.on(SendMessageBatchCommand).resolves({ Failed, Successful: [] });
  await expect(queue.send("big-jobs", messages(1))).rejects.toThrow("bad characters");
  expect(batches()).toHaveLength(1);
});

it("has no ping without a queue", async () => {
  await expect(openQueue({}).ping()).rejects.toThrow("no queue is configured");
});
