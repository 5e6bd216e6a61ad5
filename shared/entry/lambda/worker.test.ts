import type { DynamoDBStreamEvent, SQSEvent } from "aws-lambda";
import { expect, it } from "vitest";
import { type Logger, silentLogger } from "../../kernel/logger.ts";
import type { WorkerManifest } from "../../ports/manifest.ts";
import type { Runtime } from "../../runtime/context.ts";
import { queueWorker, streamWorker } from "./worker.ts";

const MANIFEST: WorkerManifest = {
  name: "sorter",
  source: { queues: { names: ["work"], batchSize: 10, maxReceives: 5, maxConcurrency: 2 } },
  capabilities: [],
  memoryMb: 128,
  timeoutSeconds: 10,
};
const DOWN = Object.assign(new Error("down"), { statusCode: 503 });
const FULL = Object.assign(new Error("no space left"), { code: "ENOSPC" });

/**
 * Passes messages to a worker; the body of each decides how it ends. Returns the consumed messages, the response and
 * the log.
 */
async function consume(...fates: string[]) {
  const consumed: unknown[] = [];
  const lines: string[] = [];
  const logger: Logger = { ...silentLogger, error: (message) => void lines.push(message) };
  const { bind } = queueWorker(MANIFEST, () => ({
    width: async () => 1,
    consume: async ({ body }) => {
      if (body === "full") throw FULL;
      if (body === "bad") throw new Error("bad");
      consumed.push(body);
    },
  }));
  const Records = fates.map((fate, index) => ({
    messageId: `${index}`,
    body: JSON.stringify(fate),
    attributes: { ApproximateReceiveCount: "1" },
  }));
  const handle = bind({ logger, ports: {} } as Runtime);
  const answer = await handle({ Records } as SQSEvent).catch((error: unknown) => error);
  return { consumed, lines, answer };
}

it("reports only the messages that failed", async () => {
  expect(await consume("good", "bad", "good too")).toEqual({
    consumed: ["good", "good too"],
    lines: ["MESSAGE_FAILED"],
    answer: { batchItemFailures: [{ itemIdentifier: "1" }] },
  });
});

it("throws the error of a full disk after the whole batch, because no message caused it", async () => {
  expect(await consume("full", "good")).toEqual({ consumed: ["good"], lines: [], answer: FULL });
});

/**
 * Passes changes to a worker that fails a whole batch; the key of each decides how it ends. Returns the batches and the
 * response.
 */
async function follow(...fates: string[]) {
  const batches: string[][] = [];
  const { bind } = streamWorker({ ...MANIFEST, source: { stream: { kinds: ["memory"] } } }, () => async (changes) => {
    const given = changes.map(({ key }) => key.sk);
    batches.push(given);
    if (given.includes("bad")) throw new Error("bad");
    if (given.includes("down")) throw DOWN;
  });
  const Records = fates.map((fate, index) => ({
    dynamodb: {
      Keys: { pk: { S: "p" }, sk: { S: fate } },
      NewImage: { pk: { S: "p" }, sk: { S: fate }, kind: { S: "memory" } },
      SequenceNumber: `${index}`,
    },
  }));
  const handle = bind({ logger: silentLogger, ports: {} } as Runtime);
  const answer = await handle({ Records } as DynamoDBStreamEvent).catch((error: unknown) => error);
  return { batches, answer };
}

it("reports the first change that fails through its own fault, so that the feed continues there", async () => {
  expect(await follow("good", "bad", "good too")).toEqual({
    batches: [["good", "bad", "good too"], ["good"], ["bad"]],
    answer: { batchItemFailures: [{ itemIdentifier: "1" }] },
  });
});

it("throws an outage at once, because no change caused it", async () => {
  expect(await follow("good", "down", "good too")).toEqual({ batches: [["good", "down", "good too"]], answer: DOWN });
  const { batches, answer } = await follow("down", "bad");
  expect([batches, answer]).toEqual([[["down", "bad"], ["down"]], DOWN]);
});
