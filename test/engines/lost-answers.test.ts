import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { DynamoRecordStore } from "../../shared/adapters/aws/records.ts";
import { systemClock } from "../../shared/kernel/clock.ts";
import type { StoredRecord } from "../../shared/ports/record-store.ts";
import { type LossyProxy, openLossyProxy } from "./lossy-proxy.ts";
import { createTable, deleteTable } from "./resources.ts";

describe("writes whose response is lost", () => {
  let table: string;
  let proxy: LossyProxy;
  let store: DynamoRecordStore;

  beforeAll(async () => {
    table = await createTable();
    proxy = await openLossyProxy(inject("engines").dynamodb);
    store = new DynamoRecordStore(new DynamoDBClient({ endpoint: proxy.url }), table, systemClock);
  });
  afterAll(async () => {
    await proxy.close();
    await deleteTable(table);
  });

  const newRecord = (attributes: Partial<StoredRecord> = {}): StoredRecord => ({
    pk: randomUUID(),
    sk: "a",
    kind: "thing",
    ...attributes,
  });

  it("succeed when they create one record", async () => {
    const record = newRecord({ by: "us", metadata: { list: [1] } });
    proxy.loseNextAnswer();
    await store.write({ put: record, condition: "absent" });
    expect(await store.get(record)).toMatchObject({ by: "us" });
  });

  it("succeed when they change one version", async () => {
    const record = newRecord({ version: 3, gone: 1 });
    await store.write({ put: record });
    proxy.loseNextAnswer();
    await store.write({ update: record, set: { version: 4 }, remove: ["gone"], condition: { version: 3 } });
    expect((await store.get(record))?.version).toBe(4);
  });

  it("succeed when they delete", async () => {
    const record = newRecord();
    await store.write({ put: record });
    proxy.loseNextAnswer();
    await store.write({ delete: record, condition: "present" });
    expect(await store.get(record)).toBeUndefined();
  });

  it("are executed once as a transaction", async () => {
    const [record, counter] = [newRecord(), newRecord({ total: 1 })];
    await store.write({ put: counter });
    proxy.loseNextAnswer();
    await store.write({ put: record, condition: "absent" }, { update: counter, add: { total: 1 } });
    expect((await store.get(counter))?.total).toBe(2);
  });

  it("are still refused if another writer was first", async () => {
    const record = newRecord({ by: "them" });
    await store.write({ put: record });
    proxy.loseNextAnswer();
    const attempt = store.write({ put: { ...record, by: "us" }, condition: "absent" });
    await expect(attempt).rejects.toMatchObject({ name: "ConditionFailedError", existing: record });
  });
});
