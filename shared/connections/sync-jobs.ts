import { type Job, newJob } from "../jobs/job.ts";
import { notFound } from "../kernel/errors.ts";
import type { OrgHome } from "../platform/context.ts";
import { type Connection, type ConnectionSync, NO_COUNTS } from "./connection.ts";
import { findConnection, findSync } from "./records.ts";

export type SyncJob = Job<"sync_connection">;

/** Throws CONNECTION_NOT_FOUND. */
export async function getConnection({ ports, org }: OrgHome, id: string): Promise<Connection> {
  const connection = await findConnection(ports.records, org, id);
  if (!connection) throw notFound("connection", id);
  return connection;
}

/** A connection and what outlasts its synchronizations. Throws CONNECTION_NOT_FOUND. */
export async function getWithSync(
  home: OrgHome,
  id: string,
): Promise<{ connection: Connection; sync: ConnectionSync }> {
  const connection = await getConnection(home, id);
  const sync = await findSync(home.ports.records, home.org, id);
  // Both go by one write.
  if (!sync) throw notFound("connection", id);
  return { connection, sync };
}

/** A connection's next synchronization, and what outlasts it then. The sweep announces it when it is due. */
export function nextSync(
  home: OrgHome,
  { created_by }: Pick<Connection, "created_by">,
  before: ConnectionSync,
  { delayMs = 0, failed_runs = 0 } = {},
): { job: SyncJob; sync: ConnectionSync } {
  const run = before.run + 1;
  const job = newJob(home, "sync_connection", {
    input: { connection_id: before.connection_id, run, failed_runs },
    checkpoint: { has_retried: false, counts: NO_COUNTS, failures: [] },
    submitted_by: created_by,
    delayMs,
  });
  const sync = { ...before, run, sync_id: job.id };
  return { job: { ...job, overdue_at: job.queued_at }, sync };
}
