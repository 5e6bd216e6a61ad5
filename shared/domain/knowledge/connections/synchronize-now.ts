import { beingChanged, tryWrite } from "../../../ports/conflicts.ts";
import { SYNC_QUEUE } from "../../../ports/queues.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { due } from "../../../runtime/jobs/job.ts";
import { messageOf } from "../../../runtime/jobs/queue.ts";
import { findJob, insertJob, replaceJob } from "../../../runtime/jobs/records.ts";
import { runJob } from "../../../runtime/jobs/run.ts";
import type { Connection, ConnectionSync } from "./connection.ts";
import { SYNC_CONNECTION_JOB } from "./job-kinds.ts";
import { checkConnection, replaceSync } from "./records.ts";
import { getWithSync, nextSync, type SyncJob } from "./sync-jobs.ts";
import { type SyncOptions, syncConnection } from "./synchronize.ts";

const MAX_ATTEMPTS = 8;

/**
 * Starts a connection's sync, or continues the existing one even if it is scheduled, until the turn is over; the worker
 * does the rest. Returns the result, also if another process runs it, and its error. Throws CONNECTION_NOT_FOUND.
 */
export async function synchronizeNow(
  runtime: OrgRuntime,
  connection_id: string,
  options: SyncOptions,
): Promise<{ job: SyncJob; fault?: unknown }> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { connection, sync } = await getWithSync(runtime, connection_id);
    const job = await dueSync(runtime, connection, sync);
    if (!job) continue;
    const message = messageOf(job);
    let fault: unknown;
    const { step, ...handler } = syncConnection(options);
    const watched: JobHandler<"sync_connection"> = {
      ...handler,
      step: (...parameters) =>
        step(...parameters).catch((error: unknown) => {
          fault = error;
          throw error;
        }),
    };
    const run = () => runJob(runtime, [watched], message, options.turnMs);
    const processed = await runtime.ports.queue.working(SYNC_QUEUE, message, run);
    if (processed?.kind === "sync_connection") return { job: processed as SyncJob, fault };
  }
  throw beingChanged("connection", connection_id);
}

/** The existing sync or a new one, due now; undefined after a concurrent change. */
async function dueSync(
  runtime: OrgRuntime,
  connection: Connection,
  before: ConnectionSync,
): Promise<SyncJob | undefined> {
  const { sync_id } = before;
  const existing = sync_id && (await findJob(runtime.ports.records, runtime.org, sync_id, SYNC_CONNECTION_JOB));
  if (!existing) {
    const { job, sync } = nextSync(runtime, connection, before);
    const isCreated = await tryWrite(runtime, checkConnection(connection), replaceSync(before, sync), insertJob(job));
    return isCreated ? job : undefined;
  }
  const now = runtime.clock();
  if (existing.lease_until !== undefined || Date.parse(existing.queued_at) <= now) return existing;
  const { job, write } = replaceJob(existing, due(SYNC_CONNECTION_JOB.kind, now));
  return (await tryWrite(runtime, write)) ? job : undefined;
}
