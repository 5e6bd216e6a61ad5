import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { expect, it } from "vitest";
import { silentLogger } from "../../kernel/logger.ts";
import { inParts } from "./parts.ts";

const DONE: DynamoDBBatchResponse = { batchItemFailures: [] };
const DOWN = Object.assign(new Error("down"), { statusCode: 503 });

/** Feeds changes by name in parts of two. Returns the parts that were handled, and the answer or error. */
async function feed(...names: string[]) {
  const parts: string[][] = [];
  const handle = async ({ Records }: DynamoDBStreamEvent) => {
    const given = Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? "");
    parts.push(given);
    if (given.includes("down")) throw DOWN;
    if (given.includes("broken")) throw new Error("broken");
    return given.includes("bad") ? { batchItemFailures: [{ itemIdentifier: "bad" }] } : DONE;
  };
  const Records = names.map((SequenceNumber) => ({ dynamodb: { SequenceNumber } }));
  const handler = inParts(handle, 2, { logger: silentLogger, name: "worker" });
  const answer = await handler({ Records }).catch((error: unknown) => error);
  return { parts, answer };
}

it("handles all parts of a batch in order", async () => {
  expect(await feed("a", "b", "c", "d", "e")).toEqual({ parts: [["a", "b"], ["c", "d"], ["e"]], answer: DONE });
});

it("resumes after an outage at the part that met it, and throws if nothing was done", async () => {
  expect(await feed("a", "b", "c", "down", "e")).toEqual({
    parts: [
      ["a", "b"],
      ["c", "down"],
    ],
    answer: { batchItemFailures: [{ itemIdentifier: "c" }], isOutage: true },
  });
  expect(await feed("a", "down", "c")).toEqual({ parts: [["a", "down"]], answer: DOWN });
});

it("tells other errors from an outage", async () => {
  expect((await feed("a", "b", "broken")).answer).toEqual({
    batchItemFailures: [{ itemIdentifier: "broken" }],
    isOutage: false,
  });
});

it("stops at a change that the handler reports", async () => {
  expect(await feed("a", "b", "c", "bad", "e")).toEqual({
    parts: [
      ["a", "b"],
      ["c", "bad"],
    ],
    answer: { batchItemFailures: [{ itemIdentifier: "bad" }] },
  });
});
