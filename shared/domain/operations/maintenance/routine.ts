import { timestamp } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import { toItem } from "../../../ports/item.ts";
import type { JsonObject } from "../../../ports/json.ts";
import type { RecordKey, StoredRecord, Write } from "../../../ports/record-store.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import { audit } from "../../../runtime/audit/audit.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { ended, isOver, type Job, type JobState } from "../../../runtime/jobs/job.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import { findJob, insertJob, listJobs, replaceJob } from "../../../runtime/jobs/records.ts";
import { findLatestSync, newTask, putLatestSync } from "./begin.ts";
import { CLEANUP_JOB, SYNC_JOB } from "./job-kinds.ts";
import { type CleanupOperation, planSync, type SyncOptions } from "./plan.ts";

/** The operations that the pass over blobs serves. */
const OPERATIONS: CleanupOperation[] = ["orphaned_memories", "expired_sessions", "temp_files"];
/** A crash leaves only blobs without a record behind, because everything else is written in transactions. */
const PLAN = ["clean_blobs"];
const REBUILD: SyncOptions = { components: ["search_index"], full_sync: true, force_sync: false };

/** Key of the record that holds the time and the job of the latest routine cleanup. */
const ROUTINE_KEY: RecordKey = { pk: `${OPERATOR_ORG}#maintenance`, sk: "cleanup" };

/**
 * Starts a cleanup of orphaned blobs if the last one started a day ago and none is unfinished. Blobs of the last day
 * are kept, because their records may still be written. Returns the number of started cleanups.
 */
export async function cleanUpIfDue(runtime: Runtime): Promise<number> {
  const last = await runtime.ports.records.get(ROUTINE_KEY);
  const now = runtime.clock();
  if (!last) {
    await tryWrite(runtime, { put: toRoutineRecord({ begun_at: timestamp(now) }), condition: "absent" });
    return 0;
  }
  if (Date.parse(String(last.begun_at)) + DAY_MS > now) return 0;
  return (await hasUnfinishedCleanup(runtime)) ? 0 : begin(runtime, last, now - DAY_MS);
}

/**
 * Starts a cleanup on a local server after a crash, for the blobs of interrupted writes, and cancels a routine cleanup
 * that the crash interrupted. Returns the number of started cleanups.
 */
export async function cleanUpAfterCrash(runtime: Runtime): Promise<number> {
  return begin(runtime, await runtime.ports.records.get(ROUTINE_KEY), runtime.startedAt);
}

async function begin(runtime: Runtime, last: StoredRecord | undefined, beforeMs: number): Promise<number> {
  const begun_at = timestamp(runtime.clock());
  const options = { operations: OPERATIONS, dry_run: false, older_than_days: 0, before: timestamp(beforeMs) };
  const details = { operations: OPERATIONS, before: options.before };
  const job = newTask(runtime, CLEANUP_JOB, { options, plan: PLAN });
  const former = last?.job_id && (await findJob(runtime.ports.records, OPERATOR_ORG, String(last.job_id), CLEANUP_JOB));
  return submit(runtime, job, details, [
    {
      put: toRoutineRecord({ begun_at, job_id: job.id }),
      condition: last ? { begun_at: String(last.begun_at) } : "absent",
    },
    ...(former && !isOver(former) ? [replaceJob(former, ended("cancelled", runtime.clock())).write] : []),
  ]);
}

/**
 * Stores a job in one transaction with other writes and enqueues it. Returns the number of started jobs: 0 if another
 * process changed a record that the writes depend on, otherwise 1.
 */
async function submit(
  runtime: Runtime,
  job: Job<"cleanup" | "sync">,
  details: JsonObject,
  writes: Write[],
): Promise<number> {
  const entry = { action: `admin.${job.kind}`, target: job.id, details, actor: { kind: "system" } } as const;
  const auditWrite = audit({ ...runtime, org: OPERATOR_ORG }, entry);
  const isStored = await tryWrite(runtime, insertJob(job), ...writes, auditWrite);
  if (isStored) await enqueueJob(runtime, job);
  return isStored ? 1 : 0;
}

function toRoutineRecord(value: { begun_at: string; job_id?: string }): StoredRecord {
  return toItem(ROUTINE_KEY, "maintenance_cleanup", value);
}

async function hasUnfinishedCleanup({ ports }: Runtime): Promise<boolean> {
  const page = { limit: 1, offset: 0 };
  const jobsIn = (state: JobState) => listJobs(ports.records, OPERATOR_ORG, [CLEANUP_JOB], { state }, page);
  const found = await Promise.all([jobsIn("queued"), jobsIn("running")]);
  return found.some(({ jobs }) => jobs.length > 0);
}

/**
 * Starts a full sync if the search index must be rebuilt with the current embedder's vectors. None is started during
 * another sync, or within a day of the last full one. Returns the number of started syncs.
 */
export async function rebuildIndexIfDue(runtime: Runtime): Promise<number> {
  const { needsRebuild } = await runtime.ports.search.vectorState([OPERATOR_ORG]);
  if (!needsRebuild) return 0;
  const latest = await findLatestSync(runtime.ports.records);
  const isRecent = latest?.input.options.full_sync && Date.parse(latest.submitted_at) + DAY_MS > runtime.clock();
  if (latest && (!isOver(latest) || isRecent)) return 0;
  const job = newTask(runtime, SYNC_JOB, { options: REBUILD, plan: planSync(REBUILD) });
  return submit(runtime, job, { ...REBUILD }, [putLatestSync(job, latest)]);
}
