import type { SQSEvent } from "aws-lambda";
import { expect, it } from "vitest";
import { type Logger, silentLogger } from "../kernel/logger.ts";
import type { Home } from "../platform/context.ts";
import type { WorkerManifest } from "../platform/manifest.ts";
import { queueWorker } from "./worker.ts";

const MANIFEST: WorkerManifest = {
  name: "sorter",
  source: { queues: { names: ["work"], batchSize: 10, maxReceives: 5 } },
  capabilities: [],
  memoryMb: 128,
  timeoutSeconds: 10,
};
const FULL = Object.assign(new Error("no space left"), { code: "ENOSPC" });

/** Hands messages, each with its fate as its body, to a worker; what was consumed, what it answered and logged. */
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
  const Records = fates.map((fate, place) => ({
    messageId: `${place}`,
    body: JSON.stringify(fate),
    attributes: { ApproximateReceiveCount: "1" },
  }));
  const handle = bind({ logger, ports: {} } as Home);
  const answer = await handle({ Records } as SQSEvent).catch((error: unknown) => error);
  return { consumed, lines, answer };
}

it("reports the messages that failed, and those alone", async () => {
  expect(await consume("good", "bad", "good too")).toEqual({
    consumed: ["good", "good too"],
    lines: ["MESSAGE_FAILED"],
    answer: { batchItemFailures: [{ itemIdentifier: "1" }] },
  });
});

it("throws a full disk, which is no message's fault, once it is through with the batch", async () => {
  expect(await consume("full", "good")).toEqual({ consumed: ["good"], lines: [], answer: FULL });
});
