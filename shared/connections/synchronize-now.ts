import type { JobHandler } from "../jobs/handler.ts";
import { due } from "../jobs/job.ts";
import { messageOf } from "../jobs/queue.ts";
import { findJob, insertJob, replaceJob } from "../jobs/records.ts";
import { runJob } from "../jobs/run.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { OrgHome } from "../platform/context.ts";
import { SYNC_QUEUE } from "../platform/queues.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import type { Connection, ConnectionSync } from "./connection.ts";
import { checkConnection, replaceSync } from "./records.ts";
import { getWithSync, nextSync, type SyncJob } from "./sync-jobs.ts";
import { type SyncOptions, syncConnection } from "./synchronize.ts";

const MAX_ATTEMPTS = 8;

/**
 * Begins a connection's synchronization, or goes on with the one that there is, whatever that waits for, until its turn is
 * over; the worker sees to the rest. Answers what became of it, also where somebody else is at it, and what it failed by.
 * Throws CONNECTION_NOT_FOUND.
 */
export async function synchronizeNow(
  home: OrgHome,
  connection_id: string,
  options: SyncOptions,
): Promise<{ job: SyncJob; fault?: unknown }> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { connection, sync } = await getWithSync(home, connection_id);
    const job = await dueSync(home, connection, sync);
    if (!job) continue;
    const message = messageOf(job);
    let fault: unknown;
    const { step, ...handler } = syncConnection(options);
    const watched: JobHandler<"sync_connection"> = {
      ...handler,
      step: (...given) =>
        step(...given).catch((error: unknown) => {
          fault = error;
          throw error;
        }),
    };
    const run = () => runJob(home, [watched], message, options.turnMs);
    const reached = await home.ports.queue.working(SYNC_QUEUE, message, run);
    if (reached?.kind === "sync_connection") return { job: reached as SyncJob, fault };
  }
  throw new ServiceError("CONFLICT", "Others keep changing this connection. Try again.", { connection_id });
}

/** The synchronization there is, or a new one, due now; undefined where somebody else changed it meanwhile. */
async function dueSync(home: OrgHome, connection: Connection, before: ConnectionSync): Promise<SyncJob | undefined> {
  const { sync_id } = before;
  const known = sync_id && (await findJob(home.ports.records, home.org, sync_id, "sync_connection"));
  if (!known) {
    const { job, sync } = nextSync(home, connection, before);
    const isBegun = await writeUnlessChanged(
      home,
      checkConnection(connection),
      replaceSync(before, sync),
      insertJob(job),
    );
    return isBegun ? job : undefined;
  }
  const now = home.clock();
  if (known.lease_until !== undefined || Date.parse(known.queued_at) <= now) return known;
  const { job, write } = replaceJob(known, due("sync_connection", now));
  return (await writeUnlessChanged(home, write)) ? job : undefined;
}
