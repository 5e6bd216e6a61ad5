import { type Job, newJob } from "../jobs/job.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { findJob, insertJob } from "../jobs/records.ts";
import { sha256 } from "../kernel/digest.ts";
import { ServiceError } from "../kernel/errors.ts";
import { derivedId } from "../kernel/ids.ts";
import type { Context } from "../platform/context.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";

/**
 * Begins to erase everything that is stored of a user; repeated while the job is there, it answers that job. Throws
 * FORBIDDEN for an agent's key, which does not see all of it.
 */
export async function beginErasure(ctx: Context, user_id: string): Promise<Job<"erase_user">> {
  if (ctx.viewer !== undefined) {
    throw new ServiceError("FORBIDDEN", "A key of an agent cannot erase a user. Use a key of the organization.");
  }
  const id = derivedId("job", sha256(JSON.stringify(["erase_user", ctx.org, user_id])));
  const work = { input: { user_id }, checkpoint: { pass: 0, erased: 0 }, submitted_by: ctx.principal.id };
  const job = newJob(ctx, "erase_user", { id, ...work });
  const isNew = await writeUnlessChanged(ctx, insertJob(job));
  if (isNew) await enqueueJob(ctx, job);
  return (isNew ? undefined : await findJob(ctx.ports.records, ctx.org, id, "erase_user")) ?? job;
}
