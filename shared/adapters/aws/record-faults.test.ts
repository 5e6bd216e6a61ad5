import { Readable } from "node:stream";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { describe, expect, it, vi } from "vitest";
import type { StoredRecord, Write } from "../../ports/record-store.ts";
import { trackWrites } from "../../ports/write-tracking.ts";
import { DynamoRecordStore } from "./records.ts";

// Fails after two attempts, without pauses.
vi.mock("./backoff.ts", () => ({ attempts: () => [0, 1] }));
// The SDK pauses for a random share of a delay.
vi.spyOn(Math, "random").mockReturnValue(0);

type Answer = "lost" | { status: number; type?: string; met?: StoredRecord };
const REFUSED: Answer = { status: 400, type: "ConditionalCheckFailedException" };
const THROTTLED: Answer = { status: 400, type: "ThrottlingException" };
const record: StoredRecord = { pk: "p", sk: "a", kind: "thing", version: 3 };
const write = (store: DynamoRecordStore) => store.write({ put: record });

/** A store whose table gives these answers in order; the last one repeats. */
function openStore(answers: Answer[]): { store: DynamoRecordStore; sent(): number } {
  let sent = 0;
  const handle = async () => {
    const answer = answers[Math.min(sent++, answers.length - 1)];
    if (answer === undefined || answer === "lost") throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
    const { status: statusCode, type, met } = answer;
    const headers = { "content-type": "application/x-amz-json-1.0" };
    const told = { ...(type && { __type: type, message: type }), ...(met && { Item: marshall(met) }) };
    return { response: { statusCode, headers, body: Readable.from([Buffer.from(JSON.stringify(told))]) } as never };
  };
  const client = new DynamoDBClient({
    region: "us-east-1",
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    requestHandler: { handle },
    maxAttempts: 2,
  });
  return { store: new DynamoRecordStore(client, "table", Date.now), sent: () => sent };
}

/** Whether work counts as having written if DynamoDB gives these answers. */
async function hasWritten(answers: Answer[], work: (store: DynamoRecordStore) => Promise<unknown>): Promise<boolean> {
  const { store, sent } = openStore(answers);
  const watched = await trackWrites(() => work(store).then(String, String));
  expect(sent(), watched.result).toBeGreaterThanOrEqual(answers.length);
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

it("a transaction still in progress after the last attempt counts as written", async () => {
  const inProgress: Answer = { status: 400, type: "TransactionInProgressException" };
  const both = (store: DynamoRecordStore) => store.write({ put: record }, { put: { ...record, sk: "b" } });
  expect(await hasWritten(["lost", inProgress], both)).toBe(true);
});

it("a read never counts as written", async () => {
  expect(await hasWritten(["lost"], (store) => store.get(record))).toBe(false);
});

const refused = (met: StoredRecord | undefined): Answer => ({ ...REFUSED, met });
const update: Write = { update: record, set: { version: 4 }, remove: ["draft"], condition: { version: 3 } };

describe.each<[string, Answer[]]>([
  ["an unknown outcome", ["lost"]],
  ["one and throttling until it was given up once", ["lost", THROTTLED]],
])("after %s", (_what, before) => {
  it.each<[string, Write, StoredRecord | undefined]>([
    ["put", { put: record, condition: "absent" }, record],
    ["update", update, { ...record, version: 4 }],
    ["removal", { delete: record, condition: "present" }, undefined],
  ])("a %s is done if the item is already as it would leave it", async (_write, own, met) => {
    await expect(openStore([...before, refused(met)]).store.write(own)).resolves.toBeUndefined();
  });
});

it.each<[string, Write, StoredRecord | undefined, Answer[]]>([
  ["was sent once", { put: record, condition: "absent" }, record, []],
  ["was throttled before", { put: record, condition: "absent" }, record, [THROTTLED]],
  ["was throttled before another removed it", { delete: record, condition: "present" }, undefined, [THROTTLED]],
  ["met another's item", { put: record, condition: "absent" }, { ...record, version: 4 }, ["lost"]],
  ["did not remove", { update: record, remove: ["kind"], condition: { version: 3 } }, record, ["lost"]],
  ["cannot tell an addition", { update: record, add: { version: 1 }, condition: { version: 2 } }, record, ["lost"]],
])("a write is refused if it %s", async (_case, own, met, before) => {
  const writing = openStore([...before, refused(met)]).store.write(own);
  await expect(writing).rejects.toMatchObject({ name: "ConditionFailedError", index: 0, existing: met });
});
