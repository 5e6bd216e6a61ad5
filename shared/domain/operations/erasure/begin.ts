import { sha256 } from "../../../kernel/digest.ts";
import { ServiceError } from "../../../kernel/errors.ts";
import { derivedId } from "../../../kernel/ids.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import type { Context } from "../../../runtime/context.ts";
import { type Job, newJob } from "../../../runtime/jobs/job.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import { findJob, insertJob } from "../../../runtime/jobs/records.ts";

/** Starts to erase all data of a user, unless a job exists; returns the job. Throws FORBIDDEN for an agent's key. */
export async function beginErasure(ctx: Context, user_id: string): Promise<Job<"erase_user">> {
  if (ctx.viewer !== undefined) {
    throw new ServiceError("FORBIDDEN", "An agent's key cannot erase a user. Use a key of the organization.");
  }
  const id = derivedId("job", sha256(JSON.stringify(["erase_user", ctx.org, user_id])));
  const work = { input: { user_id }, checkpoint: { pass: 0, erased: 0 }, submitted_by: ctx.principal.id };
  const job = newJob(ctx, "erase_user", { id, ...work });
  const isNew = await tryWrite(ctx, insertJob(job));
  if (isNew) await enqueueJob(ctx, job);
  return (isNew ? undefined : await findJob(ctx.ports.records, ctx.org, id, "erase_user")) ?? job;
}
