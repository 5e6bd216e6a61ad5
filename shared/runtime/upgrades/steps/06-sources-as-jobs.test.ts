import { beforeEach, describe, expect, it } from "vitest";
import { JOBS } from "../../../../functions/workers/sweep/jobs.ts";
import { movableClock } from "../../../../test/contract/movable-clock.ts";
import { openIdleRuntime } from "../../../../test/support/idle-runtime.ts";
import type { LocalQueue } from "../../../adapters/local/queue.ts";
import { SYNC_CONNECTION_JOB } from "../../../domain/knowledge/connections/job-kinds.ts";
import { findSync } from "../../../domain/knowledge/connections/records.ts";
import { connectionRemoval } from "../../../domain/knowledge/connections/remove.ts";
import { ingest } from "../../../domain/knowledge/sources/ingest.ts";
import { INGEST_SOURCE_JOB } from "../../../domain/knowledge/sources/job-kinds.ts";
import { listSourcesOfConnection, putSource, readSource } from "../../../domain/knowledge/sources/records.ts";
import type { Source } from "../../../domain/knowledge/sources/source.ts";
import { sourceHandlers } from "../../../domain/knowledge/sources/work.ts";
import { chunkId } from "../../../domain/memory/chunk-ids.ts";
import { sourceCollection, sourceKey } from "../../../domain/memory/chunk-visibility.ts";
import { memoryKey } from "../../../domain/memory/memory-keys.ts";
import { backupHandler, newBackup } from "../../../domain/operations/backups/make.ts";
import { findBackup, findLatest, insertBackup } from "../../../domain/operations/backups/records.ts";
import { HOUR_MS } from "../../../kernel/durations.ts";
import type { JsonObject } from "../../../ports/json.ts";
import { BACKUP_QUEUE, INGEST_QUEUE, SYNC_QUEUE } from "../../../ports/queues.ts";
import type { StoredRecord, Write } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../context.ts";
import { JobMessage } from "../../jobs/queue.ts";
import { dropJob, findJob } from "../../jobs/records.ts";
import { runJob } from "../../jobs/run.ts";
import { sweepJobs } from "../../jobs/sweep.ts";
import { upgradeItems } from "../item-upgrade.ts";

const LONG = Array.from({ length: 4000 }, (_, n) => `Line ${n} of the log tells of the heron.`).join("\n\n");
const QUEUES = [INGEST_QUEUE, SYNC_QUEUE, BACKUP_QUEUE];
const created_by = "user_test";

const clock = movableClock();
let runtime: OrgRuntime;
let queue: LocalQueue;

beforeEach(async () => {
  const idle = await openIdleRuntime({ clock: clock.now, queues: QUEUES });
  runtime = { ...idle.runtime, org: "org_test" };
  queue = idle.queue;
});

const at = () => new Date(clock.now()).toISOString();

/** Stores records without converting them. */
const store = (...records: StoredRecord[]) => runtime.ports.records.write(...records.map((put): Write => ({ put })));

/** Upgrades records and stores the result; a second upgrade changes nothing. */
async function upgrade(...former: StoredRecord[]): Promise<void> {
  for (const record of former) {
    const converted = upgradeItems([record]);
    const { pk, sk } = record;
    const isKept = converted.some((item) => item.pk === pk && item.sk === sk);
    const writes = converted.map((put): Write => ({ put }));
    await runtime.ports.records.write(...writes, ...(isKept ? [] : [{ delete: { pk, sk } }]));
  }
}

/** Enqueues overdue jobs with a sweep and processes each for `turnMs`, three times an hour apart. */
async function processOverdueJobs(turnMs = 60_000): Promise<void> {
  const handlers = [...sourceHandlers, connectionRemoval, backupHandler];
  for (let round = 0; round < 3; round++) {
    await sweepJobs(runtime, JOBS);
    for (const name of QUEUES) {
      for (const { body, receipt } of queue.receive(name, 10)) {
        await runJob(runtime, handlers, JobMessage.parse(JSON.parse(body)), turnMs);
        queue.delete([receipt]);
      }
    }
    clock.advance(HOUR_MS);
  }
}

async function stored(key: { pk: string; sk: string }): Promise<StoredRecord> {
  const record = await runtime.ports.records.get(key);
  if (!record) throw new Error(`there is no ${key.pk}`);
  return record;
}

const pending = { gsi2pk: "pending-sources#1", gsi2sk: "x" };
/** Returns a pending task of a source in the format of a former release. */
const formerTask = (id: string, sk: string, kind: string, value: object): StoredRecord =>
  ({ ...value, pk: sourceCollection(runtime.org, id), sk, kind, ...pending }) as StoredRecord;

/** Ingests a short text. */
const ingestShort = () => ingest(runtime, { type: "text", content: { text: "The heron stays." }, created_by });

describe("the upgrade of a former release", () => {
  it("continues the ingestion of a source", async () => {
    const { source } = await ingest(runtime, { type: "text", content: { text: LONG }, created_by });
    const { ingestion } = await readSource(runtime.ports.records, runtime.org, source.id);
    if (!ingestion) throw new Error("the source has no ingestion");
    await runJob(runtime, sourceHandlers, { org: runtime.org, job: ingestion.id }, 0);
    const half = await findJob(runtime.ports.records, runtime.org, ingestion.id, INGEST_SOURCE_JOB);
    expect(half?.checkpoint.written).toBe(1);
    const { ingestion_id: _, ...before } = source;
    const value = { org: runtime.org, ...half?.input, ...half?.checkpoint, attempts: 1, queued_at: at() };
    const former = formerTask(source.id, "chore#ingestion", "source_ingestion", value);
    await runtime.ports.records.write(putSource(before, "present"), dropJob(ingestion), { put: former });
    await upgrade(await stored(sourceKey(runtime.org, source.id)), former);
    expect(await runtime.ports.records.get(former)).toBeUndefined();
    await processOverdueJobs();
    const after = await readSource(runtime.ports.records, runtime.org, source.id);
    expect(after).toMatchObject({ source: { status: "active" }, ingestion: undefined });
    const last = chunkId({ source_id: source.id, generation: 1, position: (after.source?.chunk_count ?? 0) - 1 });
    expect(await runtime.ports.records.get(memoryKey(runtime.org, last))).toBeDefined();
  });

  it("continues the deletion of a content", async () => {
    const { source } = await ingestShort();
    const removal = { org: runtime.org, source_id: source.id, generation: 1, chunks: 1, blobs: [], queued_at: at() };
    const former = formerTask(source.id, "chore#removal#1", "source_removal", removal);
    await store(former);
    await upgrade(former, former);
    await processOverdueJobs();
    const chunk = chunkId({ source_id: source.id, generation: 1, position: 0 });
    expect(await runtime.ports.records.get(memoryKey(runtime.org, chunk))).toBeUndefined();
  });

  it("keeps the deadline of an upload that never arrives", async () => {
    const { source } = await ingestShort();
    const waiting: Source = { ...source, generation: 0, chunk_count: 0, status: "awaiting_upload" };
    const file = { name: "a.txt", blob: "b", labels: {}, created_by, expires_at: at() };
    const upload = { org: runtime.org, source_id: source.id, generation: 1, ...file };
    const former = formerTask(source.id, "chore#upload", "source_upload", upload);
    await runtime.ports.records.write(putSource(waiting, "present"), { put: former });
    await upgrade(await stored(sourceKey(runtime.org, source.id)), former);
    const { upload: job } = await readSource(runtime.ports.records, runtime.org, source.id);
    expect(job).toMatchObject({ input: { name: "a.txt" } });
    await processOverdueJobs();
    expect((await readSource(runtime.ports.records, runtime.org, source.id)).source).toBeUndefined();
  });

  it("does not change a source without pending work", async () => {
    const { source } = await ingestShort();
    const record = await stored(sourceKey(runtime.org, source.id));
    expect(upgradeItems([record])).toEqual([record]);
  });

  it("continues the deletion of a connection", async () => {
    const id = "conn_1";
    await ingest(runtime, { type: "text", content: { text: "Brought." }, connection_id: id, created_by });
    const removal = { delete_documents: true, looks: 0, next_at: at() };
    const pk = `${runtime.org}#${id}`;
    const connection = { pk, sk: "connection", kind: "connection", id, org: runtime.org, created_by, removal };
    const sync = { pk, sk: "sync", kind: "connection_sync", org: runtime.org, connection_id: id, run: 1 };
    await store(connection, sync);
    await upgrade(connection, sync);
    await processOverdueJobs();
    for await (const source_id of listSourcesOfConnection(runtime.ports.records, runtime.org, id))
      expect.fail(source_id);
    const remaining = await runtime.ports.records.getMany([connection, sync]);
    expect(remaining).toEqual([]);
  });

  it.each([
    ["is running", { is_running: true, place: "page-2", due_at: "2026-11-22T10:00:00.000Z" }, 4, "page-2"],
    ["waits until it is due", { is_running: false, due_at: "2026-11-22T10:00:00.000Z" }, 5, undefined],
    ["waits for credentials", { is_running: true, place: "page-2" }, 4, null],
    ["waits for a request", { is_running: false }, 4, null],
  ])("converts a synchronization that %s", async (_what, state, run, place) => {
    const counts = { sources_created: 3, sources_updated: 0, sources_removed: 0, skipped: 1, failed: 0 };
    const common: JsonObject = { has_retried: true, counts, failures: [], attempts: 1, lease_until: 5, lease: "w" };
    const [pk, org, gsi1pk] = [`${runtime.org}#conn_1`, runtime.org, "due-connections"];
    const former = { pk, sk: "sync", kind: "connection_sync", gsi1pk, gsi1sk: "x", ...common, ...state };
    await upgrade({ ...former, org, connection_id: "conn_1", run: 4, cursor: "since" } as StoredRecord);
    const sync = await findSync(runtime.ports.records, runtime.org, "conn_1");
    const job = await findJob(runtime.ports.records, runtime.org, "job_sync_conn_1", SYNC_CONNECTION_JOB);
    const jobReference = place === null ? {} : { sync_id: "job_sync_conn_1" };
    expect(sync).toEqual({ org, connection_id: "conn_1", run, cursor: "since", ...jobReference });
    if (place === null) return expect(job).toBeUndefined();
    expect(job).toMatchObject({ state: "queued", overdue_at: "2026-11-22T10:00:00.000Z", input: { run } });
    expect(job?.checkpoint.place).toBe(place);
    expect(job?.checkpoint.counts.sources_created).toBe(place === undefined ? 0 : 3);
  });

  it("continues a backup whose worker died, but not a completed one", async () => {
    const settings = { components: ["memories" as const], include_logs: false, compression_enabled: true };
    const { backup } = newBackup(runtime, { ...settings, retention_days: 3 }, created_by);
    await runtime.ports.records.write(insertBackup(backup));
    const pk = `org_operator#${backup.id}`;
    const unfinished = { gsi2pk: "org_operator#backups#unfinished", gsi2sk: backup.id };
    const job = { status: "running", attempts: 1, lease_until: 5, queued_at: at(), started_at: at(), revision: 2 };
    const former = { ...(await stored({ pk, sk: "backup" })), ...unfinished, ...job } as StoredRecord;
    await store(former);
    await upgrade(former);
    expect(await stored(former)).not.toHaveProperty("gsi2pk");
    await processOverdueJobs();
    expect(await findBackup(runtime.ports.records, backup.id)).toMatchObject({ status: "completed" });
    const completed = await stored(former);
    await upgrade({ ...completed, attempts: 2, revision: 4, queued_at: at() });
    expect(await stored(former)).toEqual(completed);
    expect((await findLatest(runtime.ports.records))?.id).toBe(backup.id);
  });
});
