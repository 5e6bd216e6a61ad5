import { existing } from "../../../kernel/errors.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { type Job, newJob } from "../../../runtime/jobs/job.ts";
import { type Connection, type ConnectionSync, NO_COUNTS } from "./connection.ts";
import { SYNC_CONNECTION_JOB } from "./job-kinds.ts";
import { findConnection, findSync } from "./records.ts";

export type SyncJob = Job<"sync_connection">;

/** Throws CONNECTION_NOT_FOUND. */
export async function getConnection({ ports, org }: OrgRuntime, id: string): Promise<Connection> {
  return existing(await findConnection(ports.records, org, id), "connection", id);
}

/** A connection with its sync state. Throws CONNECTION_NOT_FOUND. */
export async function getWithSync(runtime: OrgRuntime, id: string) {
  const connection = await getConnection(runtime, id);
  // Both are deleted in one write.
  const sync = existing(await findSync(runtime.ports.records, runtime.org, id), "connection", id);
  return { connection, sync };
}

/** A connection's next sync and its new sync state. The sweep enqueues it when it is due. */
export function nextSync(
  runtime: OrgRuntime,
  { created_by }: Pick<Connection, "created_by">,
  before: ConnectionSync,
  { delayMs = 0, failed_runs = 0 } = {},
): { job: SyncJob; sync: ConnectionSync } {
  const run = before.run + 1;
  const job = newJob(runtime, SYNC_CONNECTION_JOB, {
    input: { connection_id: before.connection_id, run, failed_runs },
    checkpoint: { has_retried: false, counts: NO_COUNTS, failures: [] },
    submitted_by: created_by,
    delayMs,
  });
  const sync = { ...before, run, sync_id: job.id };
  return { job: { ...job, overdue_at: job.queued_at }, sync };
}
