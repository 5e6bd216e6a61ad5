import type * as z from "zod";
import { SCAN_SECRETS_JOB } from "../../shared/domain/memory/job-kinds.ts";
import { ERASE_ORGANIZATION_JOB, ERASE_USER_JOB } from "../../shared/domain/operations/erasure/job-kinds.ts";
import { ORGANIZATION_PASSES, PASSES } from "../../shared/domain/operations/erasure/pass.ts";
import { CLEANUP_JOB, SYNC_JOB } from "../../shared/domain/operations/maintenance/job-kinds.ts";
import { type CleanupOperation, lastPassFor } from "../../shared/domain/operations/maintenance/plan.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import type { QuarantinedWork } from "../../shared/ports/queue.ts";
import type { Job, JobOf, JobState } from "../../shared/runtime/jobs/job.ts";
import type * as schemas from "./schemas.ts";

/** The job kinds of `GET /admin/jobs`. */
export const JOBS = [CLEANUP_JOB, SYNC_JOB, ERASE_ORGANIZATION_JOB, ERASE_USER_JOB, SCAN_SECRETS_JOB];
/** Those of an organization; the others are the operator's. */
export const JOBS_OF_ORGANIZATIONS = [ERASE_USER_JOB, SCAN_SECRETS_JOB];

type MaintenanceKind = "cleanup" | "sync";
type Status = z.infer<typeof schemas.Job>["status"];

/** Returns the stored state of a status in the API: a superseded sync is stored as cancelled. */
export function stateOf(status: Status): JobState {
  return status === "superseded" ? "cancelled" : status;
}

const MEGABYTE = 1024 * 1024;
/** Decimal places of a size in megabytes: enough for a single edge of a few hundred bytes. */
const DIGITS = 6;

/** The report of what a cleanup has done so far, in the API's form. */
export function reportOf(job: Job<"cleanup">) {
  const { operations } = job.input.options;
  const results = operations.map((operation) => ({
    operation,
    items_processed: countOf(job, operation, "items"),
    space_freed_mb: megabytes(countOf(job, operation, "bytes")),
    status: outcomeOf(job, operation),
  }));
  const bytes = operations.reduce((sum, operation) => sum + countOf(job, operation, "bytes"), 0);
  return {
    cleanup_summary: {
      operations_performed: results.filter(({ status }) => status === "completed" || status === "partial").length,
      total_items_processed: results.reduce((sum, { items_processed }) => sum + items_processed, 0),
      space_freed_mb: megabytes(bytes),
      time_taken_ms: job.checkpoint.processing_ms,
    },
    operation_results: results,
  };
}

function outcomeOf(
  job: Job<"cleanup">,
  operation: CleanupOperation,
): z.input<typeof schemas.OperationResult>["status"] {
  if (job.checkpoint.step <= lastPassFor(operation, job.input.plan))
    return job.state === "failed" ? "failed" : "in_progress";
  if (countOf(job, operation, "skipped") > 0) return "skipped";
  return countOf(job, operation, "failed") > 0 ? "partial" : "completed";
}

function countOf({ checkpoint }: Job<MaintenanceKind>, area: string, what: string): number {
  return checkpoint.tallies[area]?.[what] ?? 0;
}

function megabytes(bytes: number): number {
  return Number((bytes / MEGABYTE).toFixed(DIGITS));
}

/** A job in the API's form. */
export function viewJob(job: JobOf<(typeof JOBS)[number]["kind"]>): z.input<typeof schemas.Job> {
  const { id: job_id, kind: type, state, submitted_at, submitted_by } = job;
  return {
    job_id,
    type,
    status: state === "cancelled" ? "superseded" : state,
    ...viewWorkOf(job),
    error: job.error ?? null,
    submitted_at,
    submitted_by,
    started_at: job.started_at ?? null,
    finished_at: job.finished_at ?? null,
  };
}

/** The progress and the counts of a job. */
function viewWorkOf(job: JobOf<(typeof JOBS)[number]["kind"]>) {
  if (job.kind === "erase_user" || job.kind === "erase_organization") return viewErasure(job);
  if (job.kind === "scan_secrets") return viewScan(job);
  const { plan } = job.input;
  const { step, processing_ms: time_taken_ms } = job.checkpoint;
  const progress = { passes: plan.length, passes_done: step, current_pass: plan[step] ?? null };
  if (job.kind === "sync") return { progress, time_taken_ms, ...viewSync(job) };
  return { progress, time_taken_ms, dry_run: job.input.options.dry_run, report: reportOf(job) };
}

/** A scan is one pass over the memories. */
function viewScan({ input, checkpoint, started_at, finished_at }: Job<"scan_secrets">) {
  const { checked, changed, found } = checkpoint;
  const isDone = finished_at !== undefined;
  const progress = { passes: 1, passes_done: isDone ? 1 : 0, current_pass: isDone ? null : "memories" };
  const time_taken_ms = started_at && finished_at ? Date.parse(finished_at) - Date.parse(started_at) : 0;
  return { progress, time_taken_ms, dry_run: input.dry_run, secrets: { checked, changed, found } };
}

function viewErasure(job: JobOf<"erase_user" | "erase_organization">) {
  const { checkpoint, started_at, finished_at, input } = job;
  const passes = job.kind === "erase_user" ? PASSES : ORGANIZATION_PASSES;
  const { pass, erased } = checkpoint;
  const progress = { passes: passes.length, passes_done: pass, current_pass: passes[pass]?.name ?? null };
  const time_taken_ms = started_at && finished_at ? Date.parse(finished_at) - Date.parse(started_at) : 0;
  return { progress, time_taken_ms, ...input, erased };
}

/** A rebuild of the index is reported whether or not it was among the components. */
function viewSync(job: Job<"sync">) {
  const { components, full_sync } = job.input.options;
  const shown = job.checkpoint.tallies.search_index
    ? [...new Set([...components, "search_index" as const])]
    : components;
  return {
    full_sync,
    components: shown.map((component) => ({
      component,
      checked: countOf(job, component, "checked"),
      repaired: countOf(job, component, "repaired"),
      removed: countOf(job, component, "removed"),
      failed: countOf(job, component, "failed"),
    })),
  };
}

export function viewWork({ id, queue, body, startedAt, quarantinedAt }: QuarantinedWork) {
  return { id, queue, work: body, started_at: timestamp(startedAt), quarantined_at: timestamp(quarantinedAt) };
}
