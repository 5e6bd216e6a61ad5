import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import { cleanBlobs } from "./clean-blobs.ts";
import { cleanDocuments, cleanLogs } from "./clean-documents.ts";
import { cleanMentions } from "./clean-mentions.ts";
import { cleanRecords } from "./clean-records.ts";
import { announce, findJob, isOver, type Job, replaceJob } from "./job.ts";
import { type Pass, type PassPage, sumOf } from "./pass.ts";
import { putOff } from "./put-off.ts";
import { buildIndex, pruneIndex, useIndex } from "./rebuild-index.ts";
import { syncChores } from "./sync-chores.ts";
import { syncDocuments } from "./sync-documents.ts";
import { syncRecords } from "./sync-records.ts";
import { upgradeRecords } from "./upgrade-records.ts";

type CleanupPass = Pass<Extract<Job, { type: "cleanup" }>>;
type SyncPass = Pass<Extract<Job, { type: "sync" }>>;

const CLEANUP_PASSES: { [name: string]: CleanupPass } = {
  clean_records: cleanRecords,
  clean_mentions: cleanMentions,
  clean_documents: cleanDocuments,
  clean_blobs: cleanBlobs,
  clean_logs: cleanLogs,
};

const SYNC_PASSES: { [name: string]: SyncPass } = {
  upgrade_records: upgradeRecords,
  build_index: buildIndex,
  catch_up_index: buildIndex,
  prune_index: pruneIndex,
  use_index: useIndex,
  sync_records: syncRecords,
  sync_documents: syncDocuments,
  sync_chores: syncChores,
};

/**
 * Works on a job for a turn, then leaves the rest to its next message, so that others have their turn too. Messages may
 * come twice, late, or when the job is over.
 */
export async function workOn(home: Home, job_id: string, turnMs: number): Promise<void> {
  const found = await findJob(home.ports.records, job_id);
  if (!found || isOver(found)) return;
  const deadline = performance.now() + turnMs;
  let job = found;
  try {
    while (job.step < job.plan.length) {
      if (performance.now() > deadline) return await announce(home, job);
      job = await advance(home, job);
    }
    await save(home, job, { state: "completed", finished_at: timestamp(home.clock()) });
    home.logger.info("MAINTENANCE_DONE", { job: job.id, type: job.type, tallies: job.tallies, ms: job.processing_ms });
  } catch (error) {
    // Another worker goes on with it, or another sync took its place.
    if (error instanceof ConditionFailed) return;
    await putOff(home, job, error);
  }
}

async function advance(home: Home, job: Job): Promise<Job> {
  const begun = performance.now();
  const { tallies, cursor } = await doPage(home, job);
  const now = timestamp(home.clock());
  return save(home, job, {
    state: "running",
    started_at: job.started_at ?? now,
    queued_at: now,
    step: cursor === undefined ? job.step + 1 : job.step,
    cursor,
    tallies: sumOf(job.tallies, tallies),
    processing_ms: job.processing_ms + Math.ceil(performance.now() - begun),
    attempts: 0,
    error: undefined,
  });
}

/** Passes see everybody's records, on behalf of the operator. */
function doPage(home: Home, job: Job): Promise<PassPage> {
  const name = job.plan[job.step] ?? "";
  if (job.type === "cleanup") {
    const pass = CLEANUP_PASSES[name];
    if (pass) return pass(home, job, job.cursor);
  } else {
    const pass = SYNC_PASSES[name];
    if (pass) return pass(home, job, job.cursor);
  }
  throw new Error(`there is no pass '${name}' of a ${job.type}`);
}

async function save(home: Home, before: Job, change: Partial<Job>): Promise<Job> {
  const { job, write } = replaceJob(before, change);
  await home.ports.records.write(write);
  return job;
}
