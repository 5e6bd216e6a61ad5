import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { expect, it } from "vitest";
import { silentLogger } from "../../kernel/logger.ts";
import type { PartsAnswer } from "./parts.ts";
import { type PoisonRetryOptions, PoisonRetryTracker } from "./poison-retries.ts";
import { quarantinePoisonRecords } from "./poisoned-changes.ts";

const DONE: DynamoDBBatchResponse = { batchItemFailures: [] };
const OUTAGE = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

const from = (itemIdentifier: string) => ({ batchItemFailures: [{ itemIdentifier }] });
const eventOf = (sequences: string[]) =>
  ({ Records: sequences.map((SequenceNumber) => ({ dynamodb: { SequenceNumber } })) }) as DynamoDBStreamEvent;

/**
 * Wraps a handler and returns a function that feeds it changes by name as Lambda does, and the changes that were
 * quarantined.
 */
function setUp(handle: (names: string[]) => Promise<PartsAnswer>, options: PoisonRetryOptions = {}) {
  const parked: string[] = [];
  const names = ({ Records }: DynamoDBStreamEvent) => Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? "");
  const park = async ({ dynamodb }: DynamoDBRecord) => void parked.push(dynamodb?.SequenceNumber ?? "");
  const parking = { name: "worker", logger: silentLogger, park, tracker: new PoisonRetryTracker(options) };
  const handler = quarantinePoisonRecords((event) => handle(names(event)), parking);
  return { parked, feed: (...sequences: string[]) => handler(eventOf(sequences)) };
}

it("returns the handler's response, and rethrows its error for several changes", async () => {
  const { feed, parked } = setUp(async ([first]) => {
    if (first === "c") throw OUTAGE;
    return first === "b" ? from("b") : DONE;
  });
  expect(await feed("a", "b")).toEqual(DONE);
  expect(await feed("b", "c")).toEqual(from("b"));
  await expect(feed("c", "d")).rejects.toBe(OUTAGE);
  expect(parked).toEqual([]);
});

it("quarantines a change after its last attempt, and continues with the next", async () => {
  const { feed, parked } = setUp(async () => from("b"), { maxAttempts: 3 });
  expect(await feed("a", "b", "c")).toEqual(from("b"));
  expect(await feed("b", "c")).toEqual(from("b"));
  expect(parked).toEqual([]);
  expect(await feed("b", "c")).toEqual(from("c"));
  expect(parked).toEqual(["b"]);
});

it("quarantines a single change whether its failure is reported or thrown", async () => {
  for (const handle of [async () => from("b"), () => Promise.reject(new Error("unexpected"))]) {
    const { feed, parked } = setUp(handle, { maxAttempts: 1 });
    expect(await feed("b")).toEqual(DONE);
    expect(parked).toEqual(["b"]);
  }
});

it("does not count outages as failed attempts of a change", async () => {
  const { feed, parked } = setUp(() => Promise.reject(OUTAGE), { maxAttempts: 2 });
  for (let round = 0; round < 50; round++) await expect(feed("a")).rejects.toBe(OUTAGE);
  expect(parked).toEqual([]);
});

it("quarantines a change that alone meets an outage for too long", async () => {
  const { feed, parked } = setUp(() => Promise.reject(OUTAGE), { maxOutageMs: 30 });
  await expect(feed("a")).rejects.toBe(OUTAGE);
  await expect.poll(() => feed("a").catch(() => undefined)).toEqual(DONE);
  expect(parked).toEqual(["a"]);
});

it("repeats a change that could not be quarantined", async () => {
  const full = new Error("no dead letters");
  const parking = { name: "worker", logger: silentLogger, park: () => Promise.reject(full) };
  const handler = quarantinePoisonRecords(async () => from("a"), {
    ...parking,
    tracker: new PoisonRetryTracker({ maxAttempts: 1 }),
  });
  await expect(handler(eventOf(["a"]))).rejects.toBe(full);
  await expect(handler(eventOf(["a"]))).rejects.toBe(full);
});

it("does not count an outage in a later part of a batch, and answers Lambda without the reason", async () => {
  const { feed, parked } = setUp(async () => ({ ...from("b"), isOutage: true }), { maxAttempts: 1, maxOutageMs: 0 });
  expect(await feed("a", "b")).toEqual(from("b"));
  expect(await feed("b", "c")).toEqual(from("b"));
  expect(parked).toEqual([]);
});
