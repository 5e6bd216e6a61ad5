import type { DynamoDBStreamEvent } from "aws-lambda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readChanges } from "../../shared/adapters/aws/stream-event.ts";
import type { StoredRecord } from "../../shared/ports/record-store.ts";
import { type EnginePlatform, openEnginePlatform } from "./platform.ts";

describe("the AWS platform", () => {
  let platform: EnginePlatform;

  beforeAll(async () => {
    platform = await openEnginePlatform({ queues: [{ name: "jobs", visibilitySeconds: 30 }] });
  });
  afterAll(() => platform.close());

  it("reaches every engine", async () => {
    const { records, search, blobs, queue, mailer, secrets } = platform.ports;
    for (const port of [records, search, blobs, queue]) await expect(port.ping()).resolves.toBeUndefined();
    await expect(mailer.send({ to: "ann@example.com", subject: "Hello", text: "Hello" })).resolves.toBeUndefined();
    expect(await secrets.putIfAbsent("sealing/key", "value")).toBe("value");
  });

  it("sends stream workers every change in order, and repeats from a failed one", async () => {
    const key = { pk: "org#1", sk: "memory#1" };
    const first: StoredRecord = { ...key, kind: "memory", metadata: { "": [1, null] } };
    const second: StoredRecord = { ...key, kind: "memory", text: "changed" };
    await platform.ports.records.write({ put: first });
    await platform.ports.records.write({ put: second });
    await platform.ports.records.write({ delete: key });
    const batches: DynamoDBStreamEvent[] = [];
    const failOnce = async (event: DynamoDBStreamEvent) => {
      batches.push(event);
      const sequence = readChanges(event)[1]?.sequence ?? "";
      return { batchItemFailures: batches.length === 1 ? [{ itemIdentifier: sequence }] : [] };
    };
    expect(await platform.pollStream(failOnce)).toBe(1);
    expect(await platform.pollStream(failOnce)).toBe(2);
    expect(await platform.pollStream(failOnce)).toBe(0);
    const changes = batches.map((event) => readChanges(event).map(({ before, after }) => ({ before, after })));
    const [, ...later] = changes[0] ?? [];
    expect(changes[0]).toEqual([
      { before: undefined, after: first },
      { before: first, after: second },
      { before: second, after: undefined },
    ]);
    expect(changes[1]).toEqual(later);
  });
});
