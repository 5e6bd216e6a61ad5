import { json } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";
import { listenOnLoopback } from "../../../test/fixtures/loopback-server.ts";
import { openQueue } from "./queue.ts";

it("sends requests to the SDK's configured SQS endpoint, not to the host in a queue's URL", async () => {
  const received: unknown[] = [];
  const server = await listenOnLoopback(async (request, response) => {
    received.push(await json(request));
    response.writeHead(200, { "content-type": "application/x-amz-json-1.0" }).end("{}");
  });
  onTestFinished(server.close);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "engine");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "engine-secret");
  vi.stubEnv("AWS_ENDPOINT_URL_SQS", server.url);
  const prefix = "https://sqs.us-east-1.amazonaws.com/123456789012/memory-service-dev-";
  await openQueue({ QUEUES: "jobs", QUEUE_URL_PREFIX: prefix }).ping();
  expect(received).toMatchObject([{ QueueUrl: `${prefix}jobs` }]);
});
