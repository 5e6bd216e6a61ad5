import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openQueue } from "./queue.ts";

const asked: unknown[] = [];
const server = createServer(async (request, response) => {
  asked.push(await json(request));
  response.writeHead(200, { "content-type": "application/x-amz-json-1.0" }).end("{}");
});

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "engine");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "engine-secret");
  vi.stubEnv("AWS_ENDPOINT_URL_SQS", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

it("sends requests to the SDK's configured SQS endpoint, not to the host in a queue's URL", async () => {
  const prefix = "https://sqs.us-east-1.amazonaws.com/123456789012/memory-service-dev-";
  await openQueue({ QUEUES: "jobs", QUEUE_URL_PREFIX: prefix }).ping();
  expect(asked).toMatchObject([{ QueueUrl: `${prefix}jobs` }]);
});
