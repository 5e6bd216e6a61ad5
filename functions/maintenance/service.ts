import type * as z from "zod";
import { audit } from "../../shared/audit/audit.ts";
import { OPERATOR_ORG } from "../../shared/identity/bootstrap.ts";
import { requireOperator } from "../../shared/identity/operator.ts";
import { isOver } from "../../shared/jobs/job.ts";
import { listJobs as listRecords } from "../../shared/jobs/records.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import { beginCleanup, beginSync, waitForCleanup } from "../../shared/maintenance/begin.ts";
import type { Context } from "../../shared/platform/context.ts";
import type * as schemas from "./schemas.ts";
import { KINDS, reportOf, stateOf, viewJob, viewWork } from "./views.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

/** A request on AWS has 29 seconds; a clean-up that takes longer goes on, and is told of by its job. */
const ANSWER_WITHIN_MS = 20_000;

/** `POST /admin/cleanup`: removes, by the workers, what nothing leads to any more. Throws FORBIDDEN for all but the operator. */
export async function cleanUp(ctx: Context, wanted: Input<typeof schemas.Cleanup>) {
  requireOperator(ctx.principal);
  const job = await waitForCleanup(ctx, await beginCleanup(ctx, wanted), ANSWER_WITHIN_MS);
  return { ...reportOf(job), ...(isOver(job) ? {} : { job_id: job.id }) };
}

/** `POST /admin/sync`: has the workers bring things into line with the records. Throws FORBIDDEN, CONFLICT. */
export async function sync(ctx: Context, wanted: Input<typeof schemas.Sync>) {
  requireOperator(ctx.principal);
  return viewJob(await beginSync(ctx, wanted));
}

/** `GET /admin/jobs`: clean-ups and syncs, or the one that is named. */
export async function listJobs(ctx: Context, { job_id, type, status, ...page }: Input<typeof schemas.ListJobs>) {
  requireOperator(ctx.principal);
  const kinds = type ? ([type] as const) : KINDS;
  const filter = { ...(job_id && { id: job_id }), ...(status && { state: stateOf(status) }) };
  const { jobs, total, hasNext } = await listRecords(ctx.ports.records, OPERATOR_ORG, kinds, filter, page);
  return { jobs: jobs.map(viewJob), pagination: pagination(page, total, hasNext) };
}

/** `GET /admin/quarantine`: what was under way when the process died. Empty on AWS. */
export async function listQuarantine(ctx: Context) {
  requireOperator(ctx.principal);
  const works = await ctx.ports.queue.quarantined();
  return { works: works.map(viewWork) };
}

/** `POST /admin/quarantine/run`: queues the work again. Throws QUARANTINED_WORK_NOT_FOUND. */
export async function runQuarantined(ctx: Context, { id }: Input<typeof schemas.RunQuarantined>) {
  requireOperator(ctx.principal);
  const work = (await ctx.ports.queue.quarantined()).find((each) => each.id === id);
  if (work === undefined) throw notFound("quarantined_work", id);
  await ctx.ports.records.write(
    audit(ctx, { action: "admin.quarantine_run", target: id, details: { queue: work.queue } }),
  );
  await ctx.ports.queue.send(work.queue, [{ body: work.body }]);
  return viewWork(work);
}
