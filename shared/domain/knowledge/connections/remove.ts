import { inBatches, inParallel } from "../../../kernel/parallel.ts";
import { beingChanged, retryOnConflict } from "../../../ports/conflicts.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { JobHandler, JobTurn } from "../../../runtime/jobs/handler.ts";
import { type Job, newJob } from "../../../runtime/jobs/job.ts";
import { messageOf } from "../../../runtime/jobs/queue.ts";
import { dropJob, insertJob } from "../../../runtime/jobs/records.ts";
import { runJob } from "../../../runtime/jobs/run.ts";
import { deleteSourceIfExists } from "../sources/delete.ts";
import { listSourcesOfConnection } from "../sources/records.ts";
import type { RemovalCheckpoint } from "./connection.ts";
import { REMOVE_CONNECTION_JOB } from "./job-kinds.ts";
import { deleteSync, listDocuments, removeConnection, removeDocument } from "./records.ts";
import { getWithSync } from "./sync-jobs.ts";

/** Sources deleted concurrently, and between two checkpoints. */
const CONCURRENCY = 4;
const BATCH = 20;
/** Known documents deleted per transaction. */
const WRITES = 100;
/** A second pass follows, because lists may lag and a sync in progress may still store documents. */
const SECOND_PASS_MS = 15_000;
const PASSES = 2;

/**
 * Deletes a connection with its secrets and its sync at once; with `delete_documents` also all its sources, within the
 * request for `turnMs` and then by the worker. Throws CONNECTION_NOT_FOUND.
 */
export async function removeNow(
  runtime: OrgRuntime,
  id: string,
  delete_documents: boolean,
  turnMs: number,
): Promise<RemovalCheckpoint> {
  const remove = async () => {
    const { connection, sync } = await getWithSync(runtime, id);
    const { sync_id } = sync;
    const job = newJob(runtime, REMOVE_CONNECTION_JOB, {
      input: { connection_id: id, delete_documents },
      checkpoint: { sources_deleted: 0, looks: 0 },
      submitted_by: connection.created_by,
    });
    const stopped = sync_id === undefined ? [] : [dropJob({ org: runtime.org, id: sync_id })];
    await runtime.ports.records.write(...removeConnection(connection, sync), ...stopped, insertJob(job));
    return job;
  };
  const job = await retryOnConflict(remove, { exhausted: () => beingChanged("connection", id) });
  const updated = await runJob(runtime, [connectionRemoval], messageOf(job), turnMs);
  return ((updated ?? job) as Job<"remove_connection">).checkpoint;
}

/** Deletes a connection's sources, if requested, and its known documents. */
export const connectionRemoval: JobHandler<"remove_connection"> = {
  job: REMOVE_CONNECTION_JOB,
  async step(runtime, turn) {
    if (turn.job.input.delete_documents && !(await deleteSources(runtime, turn))) {
      return { checkpoint: turn.job.checkpoint };
    }
    await deleteDocuments(runtime, turn);
    const { sources_deleted, looks } = turn.job.checkpoint;
    const checkpoint = { sources_deleted, looks: looks + 1 };
    if (checkpoint.looks < PASSES) return { checkpoint, delayMs: SECOND_PASS_MS };
    return { end: "completed", checkpoint, writes: [deleteSync(runtime.org, turn.job.input.connection_id)] };
  },
  onEnded({ logger, org }, { input, checkpoint: { sources_deleted } }) {
    logger.info("CONNECTION_REMOVED", { org, connection: input.connection_id, sources_deleted });
  },
};

/** Returns false if the turn ended before everything was deleted. */
async function deleteSources(runtime: OrgRuntime, turn: JobTurn<"remove_connection">): Promise<boolean> {
  const { connection_id } = turn.job.input;
  let batch: string[] = [];
  const deleteBatch = async () => {
    const deleted = await inParallel(batch, CONCURRENCY, (source_id) => deleteSourceIfExists(runtime, source_id));
    const { sources_deleted, looks } = turn.job.checkpoint;
    await turn.save({ checkpoint: { sources_deleted: sources_deleted + deleted.filter(Boolean).length, looks } });
    batch = [];
  };
  for await (const source_id of listSourcesOfConnection(runtime.ports.records, runtime.org, connection_id)) {
    batch.push(source_id);
    if (batch.length < BATCH) continue;
    await deleteBatch();
    if (turn.isOver()) return false;
  }
  if (batch.length > 0) await deleteBatch();
  return true;
}

async function deleteDocuments(runtime: OrgRuntime, turn: JobTurn<"remove_connection">): Promise<void> {
  const { records } = runtime.ports;
  for await (const documents of listDocuments(records, { org: runtime.org, id: turn.job.input.connection_id })) {
    for (const batch of inBatches(documents.map(removeDocument), WRITES)) await records.write(...batch);
    await turn.renew();
  }
}
