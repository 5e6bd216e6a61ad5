import { expect } from "vitest";
import { REMOVE_CONNECTION_JOB } from "../../../shared/domain/knowledge/connections/job-kinds.ts";
import { findConnection, findSync, replaceSync } from "../../../shared/domain/knowledge/connections/records.ts";
import { connectionRemoval } from "../../../shared/domain/knowledge/connections/remove.ts";
import { nextSync } from "../../../shared/domain/knowledge/connections/sync-jobs.ts";
import { syncConnection } from "../../../shared/domain/knowledge/connections/synchronize.ts";
import { ingest } from "../../../shared/domain/knowledge/sources/ingest.ts";
import { listSourcesOfConnection } from "../../../shared/domain/knowledge/sources/records.ts";
import type { OpenBucket } from "../../../shared/ports/foreign-bucket.ts";
import { newJob } from "../../../shared/runtime/jobs/job.ts";
import { insertJob } from "../../../shared/runtime/jobs/records.ts";
import type { JobScenario, Stage } from "../scenario.ts";

const FILES = 3;
const keys = Array.from({ length: FILES }, (_, index) => `file-${index}.txt`);

/** A bucket of a page a file. */
const openBucket: OpenBucket = async () => ({
  async list({ after }) {
    const index = after === undefined ? 0 : Number(after);
    const objects = keys.slice(index, index + 1).map((key) => ({ key, etag: key, bytes: key.length }));
    return index + 1 < FILES ? { objects, next: String(index + 1) } : { objects };
  },
  get: async (key) => ({ bytes: Buffer.from(`Text of ${key}.`), contentType: "text/plain" }),
});

const created_by = "ak_test";

async function connect({ request, key }: Stage): Promise<string> {
  const config = { bucket: "documents", region: "eu-central-1", sync_interval_minutes: 60 };
  return (await request("POST", "/connections/object_store", { key, body: { config } })).body.id;
}

async function connectionOf({ runtime, org }: Stage, id: string) {
  const connection = await findConnection(runtime.ports.records, org, id);
  if (!connection) throw new Error("the connection is gone");
  return connection;
}

async function syncOf({ runtime, org }: Stage, id: string) {
  const sync = await findSync(runtime.ports.records, org, id);
  if (!sync) throw new Error("the connection is gone");
  return sync;
}

async function sourcesOf({ runtime, org }: Stage, id: string): Promise<number> {
  let count = 0;
  for await (const _ of listSourcesOfConnection(runtime.ports.records, org, id)) count++;
  return count;
}

export const sync_connection: JobScenario<"sync_connection"> = {
  handlers: [syncConnection({ openBucket, turnMs: 60_000 })],
  async begin(stage) {
    const { runtime, org } = stage;
    const connection = await connectionOf(stage, await connect(stage));
    const before = await syncOf(stage, connection.id);
    const { job, sync } = nextSync({ ...runtime, org }, connection, before);
    await runtime.ports.records.write(insertJob(job), replaceSync(before, sync));
    return job;
  },
  async expectDone(stage, { id, input: { connection_id, run } }) {
    expect(await sourcesOf(stage, connection_id)).toBe(FILES);
    const { last_sync } = await connectionOf(stage, connection_id);
    expect(last_sync).toMatchObject({ status: "completed", failed: 0, sources_removed: 0 });
    // The next one, of an hour later.
    const { run: last, sync_id } = await syncOf(stage, connection_id);
    expect(last).toBe(run + 1);
    expect(sync_id).not.toBe(id);
  },
  async expectFailed(stage, { id, input: { connection_id, run } }) {
    const { last_sync } = await connectionOf(stage, connection_id);
    expect(last_sync).toMatchObject({ status: "failed", error: expect.stringContaining("see its log") });
    const { run: last, sync_id } = await syncOf(stage, connection_id);
    expect(last).toBe(run + 1);
    expect(sync_id).not.toBe(id);
  },
};

export const remove_connection: JobScenario<"remove_connection"> = {
  handlers: [connectionRemoval],
  async begin(stage) {
    const runtime = { ...stage.runtime, org: stage.org };
    const connection_id = runtime.ids("connection");
    for (const text of keys) {
      const labels = { connection_id, external_id: text, provider: "object_store" };
      await ingest(runtime, { type: "text", content: { text }, created_by, ...labels });
    }
    const job = newJob(runtime, REMOVE_CONNECTION_JOB, {
      input: { connection_id, delete_documents: true },
      checkpoint: { sources_deleted: 0, looks: 0 },
      submitted_by: created_by,
    });
    await runtime.ports.records.write(insertJob(job));
    return job;
  },
  async expectDone(stage, { input: { connection_id } }) {
    expect(await sourcesOf(stage, connection_id)).toBe(0);
  },
};
