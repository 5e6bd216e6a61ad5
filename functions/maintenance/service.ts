import { SCAN_SECRETS_JOB } from "../../shared/domain/memory/job-kinds.ts";
import { beginCleanup, beginSync, waitForCleanup } from "../../shared/domain/operations/maintenance/begin.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { requireOperator } from "../../shared/runtime/access/operator.ts";
import { audit } from "../../shared/runtime/audit/audit.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { isOver, newJob } from "../../shared/runtime/jobs/job.ts";
import { enqueueJob } from "../../shared/runtime/jobs/queue.ts";
import { insertJob, listJobs as listRecords } from "../../shared/runtime/jobs/records.ts";
import type * as schemas from "./schemas.ts";
import { JOBS, JOBS_OF_ORGANIZATIONS, reportOf, stateOf, viewJob, viewWork } from "./views.ts";

/** A request on AWS has 29 seconds; a longer cleanup continues and is reported by its job. */
const ANSWER_WITHIN_MS = 20_000;

/** `POST /admin/cleanup`: deletes orphaned data in the background. Throws FORBIDDEN for all but the operator. */
export async function cleanUp(ctx: Context, request: Input<typeof schemas.Cleanup>) {
  requireOperator(ctx.principal);
  const job = await waitForCleanup(ctx, await beginCleanup(ctx, request), ANSWER_WITHIN_MS);
  return { ...reportOf(job), ...(isOver(job) ? {} : { job_id: job.id }) };
}

/** `POST /admin/sync`: reconciles data with the records in the background. Throws FORBIDDEN and CONFLICT. */
export async function sync(ctx: Context, request: Input<typeof schemas.Sync>) {
  requireOperator(ctx.principal);
  return viewJob(await beginSync(ctx, request));
}

/**
 * `GET /admin/jobs`: the caller's organization's erasures and scans and, for the operator, cleanups, syncs and erasures of
 * organizations; or the job with a given id. Throws FORBIDDEN for the operator's kinds.
 */
export async function listJobs(ctx: Context, { job_id, type, status, ...page }: Input<typeof schemas.ListJobs>) {
  if (type && !JOBS_OF_ORGANIZATIONS.some(({ kind }) => kind === type)) requireOperator(ctx.principal);
  const listed = ctx.principal.operator ? JOBS : JOBS_OF_ORGANIZATIONS;
  const definitions = type ? JOBS.filter(({ kind }) => kind === type) : listed;
  const filter = { ...(job_id && { id: job_id }), ...(status && { state: stateOf(status) }) };
  const { jobs, total, hasNext } = await listRecords(ctx.ports.records, ctx.org, definitions, filter, page);
  return { jobs: jobs.map(viewJob), pagination: pagination(page, total, hasNext) };
}

/** `POST /admin/secrets/scan`: applies the policies for secrets to stored memories in the background. */
export async function scanSecrets(ctx: Context, { dry_run }: Input<typeof schemas.SecretScan>) {
  const work = {
    input: { dry_run },
    checkpoint: { checked: 0, changed: 0, found: {} },
    submitted_by: ctx.principal.id,
  };
  const job = newJob(ctx, SCAN_SECRETS_JOB, work);
  const entry = audit(ctx, { action: "admin.secrets_scanned", target: job.id, details: { dry_run } });
  await ctx.ports.records.write(insertJob(job), entry);
  await enqueueJob(ctx, job);
  return viewJob(job);
}

/** `GET /admin/quarantine`: work that was in progress when a process died. Empty on AWS. */
export async function listQuarantine(ctx: Context) {
  requireOperator(ctx.principal);
  const works = await ctx.ports.queue.quarantined();
  return { works: works.map(viewWork) };
}

/** `POST /admin/quarantine/run`: queues the work again. Throws QUARANTINED_WORK_NOT_FOUND. */
export async function runQuarantined(ctx: Context, { id }: Input<typeof schemas.RunQuarantined>) {
  requireOperator(ctx.principal);
  const work = (await ctx.ports.queue.quarantined()).find((item) => item.id === id);
  if (work === undefined) throw notFound("quarantined_work", id);
  await ctx.ports.records.write(
    audit(ctx, { action: "admin.quarantine_run", target: id, details: { queue: work.queue } }),
  );
  await ctx.ports.queue.resume(work);
  return viewWork(work);
}
