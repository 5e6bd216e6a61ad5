import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, expect, it, vi } from "vitest";
import { isBackendFault } from "../../ports/backend-faults.ts";
import { openQueue } from "./queue.ts";

const sqs = mockClient(SQSClient);
const queue = openQueue({ QUEUES: "big-jobs,other=elsewhere?a=b", QUEUE_URL_PREFIX: "https://sqs/" });
const messages = (count: number, body = "x") => Array.from({ length: count }, () => ({ body }));
const batches = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input.Entries ?? []);

afterEach(() => {
  sqs.reset();
  vi.restoreAllMocks();
});

it("sends ten messages at a time to the queue's own URL", async () => {
  sqs.on(SendMessageBatchCommand).resolves({});
  await queue.send("big-jobs", messages(23));
  expect(batches().map(({ length }) => length)).toEqual([10, 10, 3]);
  expect(sqs.commandCalls(SendMessageBatchCommand)[0]?.args[0].input.QueueUrl).toBe("https://sqs/big-jobs");
});

it("maps the names of queues to URLs", async () => {
  sqs.on(SendMessageBatchCommand).resolves({});
  await queue.send("other", messages(1));
  expect(sqs.commandCalls(SendMessageBatchCommand)[0]?.args[0].input.QueueUrl).toBe("https://sqs/elsewhere?a=b");
  expect(queue.names()).toEqual(["big-jobs", "other"]);
  await expect(queue.send("no-such-queue", messages(1))).rejects.toThrow("no queue 'no-such-queue'");
});

it("keeps a batch below the size limit of SQS", async () => {
  sqs.on(SendMessageBatchCommand).resolves({});
  await queue.send("big-jobs", messages(5, "x".repeat(100_000)));
  expect(batches().map(({ length }) => length)).toEqual([2, 2, 1]);
});

it("sends only messages with transient failures again", async () => {
  const Failed = [{ Id: "1", SenderFault: false, Code: "InternalError" }];
  sqs.on(SendMessageBatchCommand).resolvesOnce({ Failed, Successful: [] }).resolves({});
  await queue.send("big-jobs", messages(3));
  expect(batches().map((entries) => entries.map(({ Id }) => Id))).toEqual([["0", "1", "2"], ["1"]]);
});

it.each([
  ["throws what SQS said of a message at fault, without sending it again", true, "InvalidMessageContents", 1],
  ["fails by SQS's fault where that takes a message at no attempt", false, "InternalError", undefined],
])("%s", async (_what, SenderFault, Code, attempts) => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const Failed = [{ Id: "0", SenderFault, Code, Message: "told by SQS" }];
  sqs.on(SendMessageBatchCommand).resolves({ Failed, Successful: [] });
  const fault = await queue.send("big-jobs", messages(1)).catch((error: unknown) => error);
  expect(fault).toMatchObject({ message: expect.stringContaining("told by SQS") });
  expect(isBackendFault(fault)).toBe(!SenderFault);
  if (attempts !== undefined) expect(batches()).toHaveLength(attempts);
});

it("rejects a ping without a queue", async () => {
  await expect(openQueue({}).ping()).rejects.toThrow("no queue is configured");
});
