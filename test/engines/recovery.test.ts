import { randomUUID } from "node:crypto";
import { BatchWriteItemCommand, DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { Webhook as Verifier } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { openBlobs } from "../../shared/adapters/aws/blobs.ts";
import { ENVIRONMENT } from "../../shared/adapters/aws/environment.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { pagesOf } from "../../shared/ports/pages.ts";
import type { StoredRecord } from "../../shared/ports/record-store.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { startReceiver } from "../fixtures/webhook-receiver.ts";
import { answersOf, done, fillOrganization } from "../support/sample-data.ts";
import { createOrganization } from "../support/service.ts";
import { Caller, eventually } from "../support/target.ts";
import { createBucket, createTable, enableStream } from "./resources.ts";
import { type EngineService, openEngineService } from "./service.ts";

const TIMEOUT_MS = 240_000;
const BATCH = 25;
const PAGE = 1000;
/** Kinds that the service keeps writing by itself. */
const IN_MOTION = new Set([
  "rate_limits",
  "usage",
  "rollup",
  "tally",
  "active_user",
  "idempotency",
  "audit",
  "sweep",
  "sweep_run",
]);

/** Like point-in-time recovery and AWS Backup: copies the items to a table of another name without a stream. */
async function copyTable(from: string): Promise<string> {
  const client = new DynamoDBClient();
  const to = await createTable(false);
  for await (const { Items = [] } of paginateScan(
    { client, pageSize: BATCH },
    { TableName: from, ConsistentRead: true },
  )) {
    if (Items.length === 0) continue;
    const requests = Items.map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems = {} } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [to]: requests } }),
    );
    expect(UnprocessedItems).toEqual({});
  }
  return to;
}

/** Like AWS Backup, or `aws s3 sync`: copies the objects to a bucket of another name. */
async function copyBucket({ runtime, environment }: EngineService): Promise<string> {
  const to = await createBucket();
  const copy = openBlobs({ ...environment, [ENVIRONMENT.bucketName]: to }, silentLogger);
  for await (const { blobs } of pagesOf((after) => runtime.ports.blobs.list({ limit: PAGE, after }))) {
    for (const { key } of blobs) {
      const blob = await runtime.ports.blobs.get(key);
      if (blob) await copy.put(key, blob);
    }
  }
  return to;
}

async function recordsOf({ ports }: Runtime): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const page of ports.inventory.snapshot().pages) records.push(...page);
  return records
    .filter(({ kind }) => !IN_MOTION.has(kind))
    .toSorted((a, b) => Buffer.compare(Buffer.from(`${a.pk} ${a.sk}`), Buffer.from(`${b.pk} ${b.sk}`)));
}

/** Rebuilds the search index from the records, and waits until it is in use. */
async function rebuildSearch(service: EngineService): Promise<void> {
  const operator = new Caller(service, service.adminKey);
  const { job_id } = await done(
    operator.post("/admin/sync", { components: ["search_index", "blobs"], full_sync: true, force_sync: true }),
  );
  await eventually(async () => {
    const [job] = (await done(operator.get(`/admin/jobs?job_id=${job_id}`))).jobs;
    expect(job.status).toBe("completed");
  });
}

test("a restored table and bucket with other names, and a newer index, serve the restored data", {
  timeout: TIMEOUT_MS,
}, async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const settings = { ALLOW_PRIVATE_TARGETS: "1" };
  const lost = await openEngineService(settings);
  onTestFinished(() => lost.close());
  const { key } = await createOrganization(lost);
  const owner = new Caller(lost, key);
  const secret = `whsec-${randomUUID()}`;
  await fillOrganization(owner, { url: receiver.url, secret });
  const [kept] = (await done(owner.get("/memories?limit=100"))).memories;
  await lost.runtime.drainChangeFeed();
  const answers = await answersOf(owner);
  const records = await recordsOf(lost.runtime);

  const began = performance.now();
  const table = await copyTable(String(lost.environment[ENVIRONMENT.tableName]));
  const bucket = await copyBucket(lost);
  const copiedMs = performance.now() - began;
  // Later changes of the lost table are in the index nevertheless.
  await done(owner.post("/memories", { content: "Written too late: tea in Zurich by the harbour." }));
  await done(owner.put(`/memories/${kept.id}`, { content: "Changed too late." }));
  const [, gone] = (await done(owner.get("/memories?limit=100"))).memories;
  await done(owner.delete(`/memories/${gone.id}`));
  await lost.runtime.drainChangeFeed();
  expect(await answersOf(owner)).not.toEqual(answers);

  await enableStream(table);
  const recovered = await openEngineService(settings, {
    ...lost.environment,
    [ENVIRONMENT.tableName]: table,
    [ENVIRONMENT.bucketName]: bucket,
  });
  onTestFinished(() => recovered.close());
  const again = new Caller(recovered, key);
  const rebuilding = performance.now();
  await rebuildSearch(recovered);
  const rebuiltMs = performance.now() - rebuilding;
  // Written by the recovery itself: the job of the sync, and which one was the last.
  const own = ["sync_job", "maintenance_sync"];
  const copied = (await recordsOf(recovered.runtime)).filter(({ kind }) => !own.includes(kind));
  expect(copied).toEqual(records);
  expect(await answersOf(again)).toEqual(answers);
  const earlier = receiver.received.length;
  const { id } = await done(again.post("/memories", { content: "Written after the recovery." }));
  await eventually(async () => {
    const ours = receiver.received.slice(earlier).find(({ text }) => text.includes(id));
    const verifier = new Verifier(secret, { format: "raw" });
    expect(verifier.verify(ours?.text ?? "", ours?.headers as Record<string, string>)).toMatchObject({
      event: "memory.created",
    });
  });
  expect((await done(again.get("/search?q=recovery"))).results.map((each: { id: string }) => each.id)).toContain(id);
  process.stdout.write(`${JSON.stringify({ records: records.length, copiedMs, rebuiltMs })}\n`);
});
