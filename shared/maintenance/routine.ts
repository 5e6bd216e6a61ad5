import { audit } from "../audit/audit.ts";
import { OPERATOR_ORG } from "../identity/bootstrap.ts";
import { ended, isOver, newJob } from "../jobs/job.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { findJob, insertJob, listJobs, replaceJob } from "../jobs/records.ts";
import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { toItem } from "../platform/item.ts";
import type { RecordKey, StoredRecord } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import type { CleanupOperation } from "./operations.ts";
import { BEGINNING } from "./plan.ts";

const DAY_MS = 86_400_000;
/** Whose blobs are looked at. Blobs alone are left by a process that dies: all else is written in transactions. */
const OPERATIONS: CleanupOperation[] = ["orphaned_memories", "expired_sessions", "temp_files"];
const PLAN = ["clean_blobs"];

/** Names the routine clean-up that was begun last, and when. */
const ROUTINE_KEY: RecordKey = { pk: `${OPERATOR_ORG}#maintenance`, sk: "cleanup" };

/**
 * Begins a clean-up of orphaned blobs when the last one was begun a day ago; answers how many it began. Blobs of the last
 * day are left, as what names them may still be written. None is begun beside one that is unfinished.
 */
export async function cleanUpIfDue(home: Home): Promise<number> {
  const last = await home.ports.records.get(ROUTINE_KEY);
  const now = home.clock();
  if (!last) {
    await writeUnlessChanged(home, { put: routine({ begun_at: timestamp(now) }), condition: "absent" });
    return 0;
  }
  if (Date.parse(String(last.begun_at)) + DAY_MS > now) return 0;
  return (await hasUnfinished(home)) ? 0 : begin(home, last, now - DAY_MS);
}

/**
 * Begins one on one machine after the process before this one died: what that was in the middle of writing is named by
 * nothing, and never will be. Takes the place of a routine clean-up that died with it.
 */
export async function cleanUpAfterCrash(home: Home): Promise<number> {
  return begin(home, await home.ports.records.get(ROUTINE_KEY), home.startedAt);
}

async function begin(home: Home, last: StoredRecord | undefined, before: number): Promise<number> {
  const scope = { ...home, org: OPERATOR_ORG };
  const begun_at = timestamp(home.clock());
  const options = { operations: OPERATIONS, dry_run: false, older_than_days: 0, before: timestamp(before) };
  const job = newJob(scope, "cleanup", {
    input: { options, plan: PLAN },
    checkpoint: BEGINNING,
    submitted_by: OPERATOR_ORG,
  });
  const former = last?.job_id && (await findJob(home.ports.records, OPERATOR_ORG, String(last.job_id), "cleanup"));
  const isBegun = await writeUnlessChanged(
    home,
    insertJob(job),
    {
      put: routine({ begun_at, job_id: job.id }),
      condition: last ? { begun_at: String(last.begun_at) } : "absent",
    },
    ...(former && !isOver(former) ? [replaceJob(former, ended("cancelled", home.clock())).write] : []),
    audit(scope, {
      action: "admin.cleanup",
      target: job.id,
      details: { operations: OPERATIONS, before: options.before },
      actor: { kind: "system" },
    }),
  );
  if (isBegun) await enqueueJob(home, job);
  return isBegun ? 1 : 0;
}

function routine(value: { begun_at: string; job_id?: string }): StoredRecord {
  return toItem(ROUTINE_KEY, "maintenance_cleanup", value);
}

async function hasUnfinished({ ports }: Home): Promise<boolean> {
  const page = { limit: 1, offset: 0 };
  const found = await Promise.all(
    (["queued", "running"] as const).map((state) =>
      listJobs(ports.records, OPERATOR_ORG, ["cleanup"], { state }, page),
    ),
  );
  return found.some(({ jobs }) => jobs.length > 0);
}
