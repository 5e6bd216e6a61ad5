import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isBackendFault } from "../../ports/backend-faults.ts";
import type { StoredRecord, Write } from "../../ports/record-store.ts";
import { DynamoRecordStore } from "./records.ts";

const TABLE = "table";
const NOW_S = 1_000;
const record: StoredRecord = { pk: "p", sk: "a", kind: "thing", version: 3 };
const other: Write = { put: { pk: "p", sk: "b", kind: "thing" } };

const dynamo = mockClient(DynamoDBDocumentClient);
const store = new DynamoRecordStore(new DynamoDBClient({ region: "us-east-1" }), TABLE, () => NOW_S * 1000);

afterEach(() => {
  dynamo.reset();
  vi.restoreAllMocks();
});

/** Returns the error after all attempts, without the pauses between them. */
function thrownInTheEnd(attempt: () => Promise<unknown>): Promise<unknown> {
  vi.spyOn(Math, "random").mockReturnValue(0);
  return attempt().then(
    () => undefined,
    (error: unknown) => error,
  );
}

function cancelled(...codes: (string | { code: string; item: StoredRecord })[]): TransactionCanceledException {
  return new TransactionCanceledException({
    message: "cancelled",
    $metadata: {},
    CancellationReasons: codes.map((reason) =>
      typeof reason === "string" ? { Code: reason } : { Code: reason.code, Item: marshall(reason.item) },
    ),
  });
}

function refused(met: StoredRecord | undefined): ConditionalCheckFailedException {
  return new ConditionalCheckFailedException({ message: "refused", $metadata: {}, Item: met && marshall(met) });
}

function named(name: string): Error {
  return Object.assign(new Error(name), { name });
}

describe("reads", () => {
  it("request unprocessed keys again until all are read", async () => {
    const keys = [1, 2, 3].map((position) => ({ pk: "p", sk: String(position) }));
    const items = keys.map((key) => ({ ...key, kind: "thing" }));
    dynamo
      .on(BatchGetCommand)
      .resolvesOnce({
        Responses: { [TABLE]: items.slice(0, 1) },
        UnprocessedKeys: { [TABLE]: { Keys: keys.slice(1) } },
      })
      .resolvesOnce({ Responses: {}, UnprocessedKeys: { [TABLE]: { Keys: keys.slice(1) } } })
      .resolves({ Responses: { [TABLE]: items.slice(1) } });
    expect(await store.getMany(keys)).toEqual(items);
    const asked = dynamo.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems?.[TABLE]?.Keys);
    expect(asked).toEqual([keys, keys.slice(1), keys.slice(1)]);
  });

  it("are consistent unless the caller lets them lag", async () => {
    const keys = [{ pk: "p", sk: "a" }];
    dynamo.on(BatchGetCommand).resolves({ Responses: {} });
    await store.getMany(keys);
    await store.getMany(keys, { consistent: false });
    const asked = dynamo.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems?.[TABLE]);
    expect(asked.map((request) => request?.ConsistentRead)).toEqual([true, false]);
  });

  it("fail with a backend fault if keys stay unprocessed", async () => {
    const keys = [{ pk: "p", sk: "a" }];
    dynamo.on(BatchGetCommand).resolves({ Responses: {}, UnprocessedKeys: { [TABLE]: { Keys: keys } } });
    const fault = await thrownInTheEnd(() => store.getMany(keys));
    expect(fault).toMatchObject({ message: "DynamoDB left 1 of 1 keys unread" });
    expect(isBackendFault(fault)).toBe(true);
  });
});

describe("queries", () => {
  const item = (sk: string) => ({ pk: "p", sk, kind: "thing" });
  const limits = () => dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.Limit ?? 0);

  it("examine more items after each page with too few matches, within DynamoDB's limit", async () => {
    const pages = 40;
    let page = 0;
    dynamo
      .on(QueryCommand)
      .callsFake(() => (++page < pages ? { Items: [], LastEvaluatedKey: item("k") } : { Items: [] }));
    expect(await store.query({ pk: "p", where: { rare: true }, limit: 50 })).toEqual({ items: [] });
    expect(limits().slice(0, 3)).toEqual([50, 100, 200]);
    expect(limits()).toHaveLength(pages);
    expect(Math.max(...limits())).toBeLessThan(100_000);
  });

  it("skip an offset that spans pages and continue after the last returned item", async () => {
    dynamo
      .on(QueryCommand)
      .resolvesOnce({ Items: [item("a"), item("b")], LastEvaluatedKey: item("b") })
      .resolves({ Items: [item("c"), item("d")] });
    const { items, cursor } = await store.query({ pk: "p", offset: 2, limit: 1 });
    expect(items).toEqual([item("c")]);
    await store.query({ pk: "p", limit: 1, after: cursor });
    const starts = dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExclusiveStartKey);
    expect(starts).toEqual([undefined, item("b"), { pk: "p", sk: "c" }]);
  });
});

describe("single writes", () => {
  it.each(["TransactionConflictException", "ThrottlingException"])("are retried after a %s", async (name) => {
    dynamo.on(PutCommand).rejectsOnce(named(name)).resolves({});
    await store.write({ put: record });
    expect(dynamo.commandCalls(PutCommand)).toHaveLength(2);
  });

  it("throw permanent errors at once", async () => {
    dynamo.on(PutCommand).rejects(named("AccessDeniedException"));
    await expect(store.write({ put: record })).rejects.toThrow("AccessDeniedException");
    expect(dynamo.commandCalls(PutCommand)).toHaveLength(1);
  });

  it("return the existing item if they are refused", async () => {
    dynamo.on(PutCommand).rejects(refused(record));
    const write = store.write({ put: record, condition: "absent" });
    await expect(write).rejects.toMatchObject({ name: "ConditionFailedError", index: 0, existing: record });
  });

  it("delete an expired row that blocks an update, then retry", async () => {
    dynamo
      .on(UpdateCommand)
      .rejectsOnce(refused({ ...record, ttl: NOW_S }))
      .resolves({});
    dynamo.on(DeleteCommand).resolves({});
    await store.write({ update: record, add: { used: 1 } });
    expect(dynamo.commandCalls(DeleteCommand)[0]?.args[0].input.Key).toEqual({ pk: "p", sk: "a" });
    expect(dynamo.commandCalls(UpdateCommand)).toHaveLength(2);
  });

  it("retry if another process deleted or renewed the row first", async () => {
    dynamo
      .on(UpdateCommand)
      .rejectsOnce(refused({ ...record, ttl: NOW_S }))
      .resolves({});
    dynamo.on(DeleteCommand).rejects(refused(undefined));
    await expect(store.write({ update: record, add: { used: 1 } })).resolves.toBeUndefined();
  });
});

describe("transactions", () => {
  it.each([
    ["a conflict", cancelled("None", "TransactionConflict")],
    ["throttling", cancelled("ThrottlingError", "None")],
    ["one in progress", named("TransactionInProgressException")],
  ])("are retried after %s, with the same token", async (_case, fault) => {
    dynamo.on(TransactWriteCommand).rejectsOnce(fault).resolves({});
    await store.write({ put: record }, other);
    const tokens = dynamo.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.ClientRequestToken);
    expect(tokens).toHaveLength(2);
    expect(tokens[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(tokens[1]).toBe(tokens[0]);
  });

  it("fail with a backend fault after conflicts at every attempt", async () => {
    const conflict = cancelled("None", "TransactionConflict");
    dynamo.on(TransactWriteCommand).rejects(conflict);
    const fault = await thrownInTheEnd(() => store.write({ put: record }, other));
    expect(fault).toMatchObject({ message: "DynamoDB was too busy for 2 writes", cause: conflict });
    expect(isBackendFault(fault)).toBe(true);
  });

  it("use another token for another call", async () => {
    dynamo.on(TransactWriteCommand).resolves({});
    await store.write({ put: record }, other);
    await store.write({ put: record }, other);
    const tokens = dynamo.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.ClientRequestToken);
    expect(new Set(tokens).size).toBe(2);
  });

  it("name the write that failed even if another one had a conflict", async () => {
    const fault = cancelled("TransactionConflict", { code: "ConditionalCheckFailed", item: record });
    dynamo.on(TransactWriteCommand).rejects(fault);
    const attempt = store.write(other, { put: record, condition: "absent" });
    await expect(attempt).rejects.toMatchObject({ name: "ConditionFailedError", index: 1, existing: record });
  });

  it("show no expired item as existing", async () => {
    const expired = { ...record, ttl: NOW_S };
    dynamo.on(TransactWriteCommand).rejects(cancelled("None", { code: "ConditionalCheckFailed", item: expired }));
    const attempt = store.write(other, { check: record, condition: "present" });
    await expect(attempt).rejects.toMatchObject({ name: "ConditionFailedError", index: 1, existing: undefined });
  });
});

it("requests no key longer than DynamoDB allows", async () => {
  const pk = "x".repeat(2049);
  expect(await store.get({ pk, sk: "a" })).toBeUndefined();
  expect(await store.getMany([{ pk, sk: "a" }])).toEqual([]);
  expect(await store.query({ index: "gsi1", pk, limit: 1 })).toEqual({ items: [] });
  expect(dynamo.calls()).toEqual([]);
});
