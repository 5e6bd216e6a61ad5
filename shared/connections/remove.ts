import type { JobHandler, JobTurn } from "../jobs/handler.ts";
import { type Job, newJob } from "../jobs/job.ts";
import { messageOf } from "../jobs/queue.ts";
import { dropJob, insertJob } from "../jobs/records.ts";
import { runJob } from "../jobs/run.ts";
import { ServiceError } from "../kernel/errors.ts";
import { inParallel } from "../kernel/parallel.ts";
import type { OrgHome } from "../platform/context.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { listSourcesBroughtBy } from "../sources/records.ts";
import type { RemovalCheckpoint } from "./connection.ts";
import { forgetSync, listDocuments, removeConnection, removeDocument } from "./records.ts";
import { getWithSync } from "./sync-jobs.ts";
import { deleteIfThere } from "./synchronize.ts";

/** Sources deleted at a time, and between two notes of how many that were. */
const WIDTH = 4;
const BATCH = 20;
const WRITES = 100;
const MAX_ATTEMPTS = 8;
/** Lists may lag, and what was being brought when the connection went is stored a little later. */
const SECOND_LOOK_MS = 15_000;
const LOOKS = 2;

/**
 * Takes a connection away, its secrets and its synchronization at once; and with `delete_documents` every source that it
 * brought, by the request for `turnMs` and by the worker from then on. Throws CONNECTION_NOT_FOUND.
 */
export async function removeNow(
  home: OrgHome,
  id: string,
  delete_documents: boolean,
  turnMs: number,
): Promise<RemovalCheckpoint> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { connection, sync } = await getWithSync(home, id);
    const { sync_id } = sync;
    const job = newJob(home, "remove_connection", {
      input: { connection_id: id, delete_documents },
      checkpoint: { sources_deleted: 0, looks: 0 },
      submitted_by: connection.created_by,
    });
    const stopped = sync_id === undefined ? [] : [dropJob({ org: home.org, id: sync_id })];
    if (!(await writeUnlessChanged(home, ...removeConnection(connection, sync), ...stopped, insertJob(job)))) continue;
    const reached = await runJob(home, [connectionRemoval], messageOf(job), turnMs);
    return ((reached ?? job) as Job<"remove_connection">).checkpoint;
  }
  throw new ServiceError("CONFLICT", "Others keep changing this connection. Try again.", { connection_id: id });
}

/** Removes what a connection brought, if that is to go, and what is known of it. */
export const connectionRemoval: JobHandler<"remove_connection"> = {
  kind: "remove_connection",
  async step(home, turn) {
    if (turn.job.input.delete_documents && !(await deleteSources(home, turn))) {
      return { checkpoint: turn.job.checkpoint };
    }
    await forgetDocuments(home, turn);
    const { sources_deleted, looks } = turn.job.checkpoint;
    const checkpoint = { sources_deleted, looks: looks + 1 };
    if (checkpoint.looks < LOOKS) return { checkpoint, delayMs: SECOND_LOOK_MS };
    return { end: "completed", checkpoint, writes: [forgetSync(home.org, turn.job.input.connection_id)] };
  },
  onEnded({ logger, org }, { input, checkpoint: { sources_deleted } }) {
    logger.info("CONNECTION_REMOVED", { org, connection: input.connection_id, sources_deleted });
  },
};

/** False where the turn was over before the end. */
async function deleteSources(home: OrgHome, turn: JobTurn<"remove_connection">): Promise<boolean> {
  const { connection_id } = turn.job.input;
  let batch: string[] = [];
  const work = async () => {
    const deleted = await inParallel(batch, WIDTH, (source_id) => deleteIfThere(home, source_id));
    const { sources_deleted, looks } = turn.job.checkpoint;
    await turn.save({ checkpoint: { sources_deleted: sources_deleted + deleted.filter(Boolean).length, looks } });
    batch = [];
  };
  for await (const source_id of listSourcesBroughtBy(home.ports.records, home.org, connection_id)) {
    batch.push(source_id);
    if (batch.length < BATCH) continue;
    await work();
    if (turn.isOver()) return false;
  }
  if (batch.length > 0) await work();
  return true;
}

async function forgetDocuments(home: OrgHome, turn: JobTurn<"remove_connection">): Promise<void> {
  const { records } = home.ports;
  for await (const documents of listDocuments(records, { org: home.org, id: turn.job.input.connection_id })) {
    const writes = documents.map(removeDocument);
    for (let first = 0; first < writes.length; first += WRITES) {
      await records.write(...writes.slice(first, first + WRITES));
    }
    await turn.renew();
  }
}
