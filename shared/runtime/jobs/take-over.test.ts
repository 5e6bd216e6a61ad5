import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { JOBS } from "../../../functions/workers/sweep/jobs.ts";
import { movableClock } from "../../../test/contract/movable-clock.ts";
import { openIdleRuntime } from "../../../test/support/idle-runtime.ts";
import { toRecord } from "../../adapters/aws/item-format.ts";
import type { LocalQueue } from "../../adapters/local/queue.ts";
import { timestamp } from "../../kernel/clock.ts";
import type { JsonObject } from "../../ports/json.ts";
import {
  BACKUP_QUEUE,
  COMPRESS_QUEUES,
  deadLettersOf,
  INGEST_QUEUE,
  MAINTENANCE_QUEUE,
  OWNERSHIP_QUEUE,
  REMEMBER_QUEUE,
  SYNC_QUEUE,
  TRANSFER_QUEUE,
} from "../../ports/queues.ts";
import type { StoredRecord } from "../../ports/record-store.ts";
import type { Runtime } from "../context.ts";
import { replaceItem } from "../upgrades/item-upgrade.ts";
import { WORK_STEPS } from "../upgrades/steps/item-steps.ts";
import { jobConsumer } from "./consumer.ts";
import { messageOf } from "./queue.ts";
import { findJob } from "./records.ts";
import { sweepJobs } from "./sweep.ts";

const clock = movableClock();
const at = timestamp(clock.now() - 60_000);
const QUEUES = [
  ...[BACKUP_QUEUE, OWNERSHIP_QUEUE, INGEST_QUEUE, MAINTENANCE_QUEUE, REMEMBER_QUEUE, SYNC_QUEUE, TRANSFER_QUEUE],
  ...COMPRESS_QUEUES,
];

const EVENT = `evt_${"0".repeat(26)}`;
const waiting = { attempts: 1, queued_at: at, submitted_at: at };
const counts = { sources_created: 0, sources_updated: 0, sources_removed: 0, skipped: 0, failed: 0 };
const content = { reading: null, written: 1, rest: "", tokens: 3, entity_count: 0 };

interface Case {
  queue: string;
  message: JsonObject;
  /** As the last release without this engine stored it. */
  record: JsonObject & Pick<StoredRecord, "pk" | "sk" | "kind">;
  /** The job that replaces it. */
  job: { org: string; id: string; kind: string };
}

/** Unfinished work of every kind as the previous release stored it, with its message. */
const CASES: Case[] = [
  {
    queue: MAINTENANCE_QUEUE,
    message: { job_id: "job_1" },
    record: {
      ...{ pk: "org_operator#job_1", sk: "maintenance_job", kind: "maintenance_job", id: "job_1", type: "sync" },
      ...{ ...waiting, state: "running", options: {}, plan: ["memories"], step: 0, tallies: {}, processing_ms: 0 },
      ...{ submitted_by: "ak_1", revision: 3 },
    },
    job: { org: "org_operator", id: "job_1", kind: "sync" },
  },
  {
    queue: COMPRESS_QUEUES[1],
    message: { org: "org_1", job_id: "job_2" },
    record: {
      ...{ pk: "org_1#job_2", sk: "job", kind: "job", id: "job_2", org: "org_1", ...waiting, state: "queued" },
      ...{ memory_id: "mem_1", priority: 1, options: {}, revision: 1 },
    },
    job: { org: "org_1", id: "job_2", kind: "memory_processing" },
  },
  {
    queue: OWNERSHIP_QUEUE,
    message: { org: "org_1", job_id: "job_3" },
    record: {
      ...{ pk: "org_1#job_3", sk: "hand_over", kind: "hand_over", id: "job_3", org: "org_1", state: "running" },
      ...{ from: "user_1", look: 0, place: 0, handed_on: 0, due_at: at, begun_at: at, revision: 2 },
    },
    job: { org: "org_1", id: "job_3", kind: "ownership_transfer" },
  },
  {
    queue: TRANSFER_QUEUE,
    message: { org: "org_1", id: EVENT },
    record: {
      ...{ pk: `org_1#${EVENT}`, sk: "transfer", kind: "transfer", id: EVENT, org: "org_1", what: "import" },
      ...{ created_by: "ak_1", created_at: at, queued_at: at, attempts: 1, blob: "b" },
      ...{ total: 2, position: 1, imported: 1, skipped: 0, failed: 0 },
    },
    job: { org: "org_1", id: EVENT, kind: "import" },
  },
  {
    queue: REMEMBER_QUEUE,
    message: { org: "org_1", event_id: EVENT },
    record: {
      ...{ pk: `org_1#${EVENT}`, sk: "request", kind: "compat_request", id: EVENT, org: "org_1" },
      ...{ content: JSON.stringify({ remember: {} }), place: { part: 1, found: null, stored: 0 } },
    },
    job: { org: "org_1", id: EVENT, kind: "remember" },
  },
  {
    queue: INGEST_QUEUE,
    message: { org: "org_1", source_id: "src_1" },
    record: {
      ...{ pk: "org_1#source#src_1", sk: "chore#ingestion", kind: "source_ingestion", org: "org_1", queued_at: at },
      ...{ source_id: "src_1", generation: 1, type: "text", labels: {}, content: {}, content_hash: "h" },
      ...{ created_by: "user_1", attempts: 1, ...content },
    },
    job: { org: "org_1", id: "job_ingestion_src_1", kind: "ingest_source" },
  },
  {
    queue: INGEST_QUEUE,
    message: { org: "org_1", source_id: "src_2" },
    record: {
      ...{ pk: "org_1#source#src_2", sk: "chore#removal#1", kind: "source_removal", org: "org_1", queued_at: at },
      ...{ source_id: "src_2", generation: 1, chunks: 1, blobs: [] },
    },
    job: { org: "org_1", id: "job_removal_src_2_1", kind: "remove_source" },
  },
  {
    queue: INGEST_QUEUE,
    message: { org: "org_1", source_id: "src_3" },
    record: {
      ...{ pk: "org_1#source#src_3", sk: "chore#upload", kind: "source_upload", org: "org_1", source_id: "src_3" },
      ...{ generation: 1, labels: {}, name: "a.txt", blob: "b", created_by: "user_1", expires_at: at },
    },
    job: { org: "org_1", id: "job_upload_src_3", kind: "expire_upload" },
  },
  {
    queue: SYNC_QUEUE,
    message: { org: "org_1", connection_id: "conn_1" },
    record: {
      ...{ pk: "org_1#conn_1", sk: "sync", kind: "connection_sync", org: "org_1", connection_id: "conn_1", run: 4 },
      ...{ is_running: true, due_at: at, has_retried: false, counts, failures: [], attempts: 1, lease_until: 5 },
    },
    job: { org: "org_1", id: "job_sync_conn_1", kind: "sync_connection" },
  },
  {
    queue: SYNC_QUEUE,
    message: { org: "org_1", connection_id: "conn_2" },
    record: {
      ...{ pk: "org_1#conn_2", sk: "connection", kind: "connection", org: "org_1", id: "conn_2", created_by: "u" },
      ...{ removal: { delete_documents: true, looks: 0, next_at: at } },
    },
    job: { org: "org_1", id: "job_removal_conn_2", kind: "remove_connection" },
  },
  {
    queue: BACKUP_QUEUE,
    message: { backup_id: "bak_1" },
    record: {
      ...{ pk: "org_operator#bak_1", sk: "backup", kind: "backup", id: "bak_1", status: "running", components: [] },
      ...{ include_logs: false, compression_enabled: true, retention_days: 3, created_at: at, created_by: "ak_1" },
      ...{ progress: { records: 1, blobs: 0, bytes: 0 }, expires_at: "2027-01-01", ...waiting, revision: 2 },
    },
    job: { org: "org_operator", id: "bak_1", kind: "backup" },
  },
];

/** Schemas of the messages that workers of the previous release accepted. */
const FORMER_MESSAGES = [
  z.object({ job_id: z.string() }),
  z.object({ org: z.string(), job_id: z.string() }),
  z.object({ org: z.string(), id: z.string() }),
  z.object({ org: z.string(), event_id: z.string() }),
  z.object({ org: z.string(), source_id: z.string() }),
  z.object({ org: z.string(), connection_id: z.string() }),
  z.object({ backup_id: z.string() }),
];

let runtime: Runtime;
let queue: LocalQueue;

beforeEach(async () => {
  ({ runtime, queue } = await openIdleRuntime({ clock: clock.now, queues: QUEUES }));
});

const consume = (message: JsonObject, by = runtime) =>
  jobConsumer([], { turnMs: 0 })(by).consume({ body: message, receiveCount: 1 });

const sent = (name: string) => queue.receive(name, 10).map(({ body }) => JSON.parse(body));

it("the cases cover every kind of former work", () => {
  expect([...new Set(CASES.map(({ record }) => record.kind))].sort()).toEqual(
    WORK_STEPS.flatMap(({ kinds }) => kinds).sort(),
  );
});

describe.each(CASES)("$record.kind of an earlier release", ({ queue: name, message, record, job }) => {
  it("is converted by the worker that gets its message, and can be read as a job afterwards", async () => {
    await runtime.ports.records.write({ put: record });
    await consume(message);
    expect(await findJob(runtime.ports.records, job.org, job.id)).toMatchObject({
      ...job,
      attempts: expect.any(Number),
    });
    expect(sent(name)).toEqual([messageOf(job)]);
    const left = await runtime.ports.records.get(record);
    expect(left && replaceItem(left, WORK_STEPS)).toBeUndefined();
  });

  it("is replaced once: the replacement stays", () => {
    const replacement: StoredRecord[] = JSON.parse(JSON.stringify(replaceItem(record, WORK_STEPS)));
    expect(replacement.flatMap((each) => replaceItem(each) ?? [])).toEqual([]);
  });

  it("is enqueued again but not changed again by a repeated message", async () => {
    await runtime.ports.records.write({ put: record });
    await consume(message);
    const key = { pk: `${job.org}#${job.id}`, sk: "job" };
    const once = await runtime.ports.records.get(key);
    await consume(message);
    expect(await runtime.ports.records.get(key)).toEqual(once);
  });

  it("is not lost if its worker dies before it enqueues the job", async () => {
    await runtime.ports.records.write({ put: record });
    const isDown = { ...runtime.ports.queue, send: () => Promise.reject(new Error("the queue is down")) };
    await consume(message, { ...runtime, ports: { ...runtime.ports, queue: isDown as never } });
    expect(await sweepJobs(runtime, JOBS)).toBe(1);
    expect(sent(name)).toEqual([messageOf(job)]);
  });

  it("is a job after an archive of that release is restored", async () => {
    await runtime.ports.inventory.fill([record as StoredRecord]);
    expect(await findJob(runtime.ports.records, job.org, job.id)).toMatchObject(job);
    expect(await sweepJobs(runtime, JOBS)).toBe(1);
  });
});

it.each(CASES.filter(({ record, job }) => record.pk === `${job.org}#${job.id}`))(
  "$record.kind can be read as a job before a worker converts it",
  async ({ record, job }) => {
    await runtime.ports.records.write({ put: toRecord(record) });
    expect(await findJob(runtime.ports.records, job.org, job.id)).toMatchObject(job);
  },
);

it("restarts a job whose dead letter of an earlier release is redriven", async () => {
  const { record, message, job, queue: name } = CASES[1] as Case;
  await runtime.ports.records.write({ put: { ...record, state: "failed", finished_at: at } });
  await consume(message);
  expect(sent(name)).toEqual([{ ...messageOf(job), retry: true }]);
});

it.each(CASES.map(({ message }) => message))("a message of deleted work is acknowledged: %j", async (message) => {
  await consume(message);
  for (const name of QUEUES) expect([...sent(name), ...sent(deadLettersOf(name))]).toEqual([]);
});

it("sends messages that workers of an earlier release refuse, so that they are delivered again", () => {
  for (const former of FORMER_MESSAGES)
    expect(former.safeParse(messageOf({ org: "org_1", id: "job_1" })).success).toBe(false);
});
