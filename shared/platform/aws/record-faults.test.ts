import { Readable } from "node:stream";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, it, vi } from "vitest";
import { watchWrites } from "../written.ts";
import { DynamoRecordStore } from "./records.ts";

// Given up after two tries, without a pause.
vi.mock("./backoff.ts", () => ({ attempts: () => [0, 1] }));

type Answer = "lost" | { status: number; type?: string };
const REFUSED: Answer = { status: 400, type: "ConditionalCheckFailedException" };
const THROTTLED: Answer = { status: 400, type: "ThrottlingException" };
const record = { pk: "p", sk: "a", kind: "thing" };
const write = (store: DynamoRecordStore) => store.write({ put: record });

/** Whether work counts as having written where DynamoDB answers so, and in the end always as it did last. */
async function hasWritten(answers: Answer[], work: (store: DynamoRecordStore) => Promise<unknown>): Promise<boolean> {
  let sent = 0;
  const handle = async () => {
    const answer = answers[Math.min(sent++, answers.length - 1)];
    if (answer === undefined || answer === "lost") throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
    const { status: statusCode, type } = answer;
    const headers = { "content-type": "application/x-amz-json-1.0" };
    const body = Readable.from([
      Buffer.from(JSON.stringify(type === undefined ? {} : { __type: type, message: type })),
    ]);
    return { response: { statusCode, headers, body } as never };
  };
  const client = new DynamoDBClient({
    region: "us-east-1",
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    requestHandler: { handle },
    maxAttempts: 2,
  });
  const store = new DynamoRecordStore(client, "table", Date.now);
  const watched = await watchWrites(() => work(store).then(String, String));
  expect(sent, watched.result).toBeGreaterThanOrEqual(answers.length);
  return watched.hasWritten;
}

it.each<[string, boolean, Answer[]]>([
  ["done", true, [{ status: 200 }]],
  ["throttled until it is given up", false, [THROTTLED]],
  ["refused", false, [REFUSED]],
  ["not allowed", false, [{ status: 400, type: "AccessDeniedException" }]],
  ["of an unknown outcome", true, ["lost"]],
  ["failed by the service", true, [{ status: 500, type: "InternalServerError" }]],
  ["throttled until it is given up, after an unknown outcome", true, ["lost", THROTTLED]],
  ["refused, after an unknown outcome", true, ["lost", REFUSED]],
])("a write that is %s counts as written: %s", async (_what, expected, answers) => {
  expect(await hasWritten(answers, write)).toBe(expected);
});

it("a transaction that is still under way when it is given up counts as written", async () => {
  const inProgress: Answer = { status: 400, type: "TransactionInProgressException" };
  const both = (store: DynamoRecordStore) => store.write({ put: record }, { put: { ...record, sk: "b" } });
  expect(await hasWritten(["lost", inProgress], both)).toBe(true);
});

it("a read counts as nothing written, however it ends", async () => {
  expect(await hasWritten(["lost"], (store) => store.get(record))).toBe(false);
});
