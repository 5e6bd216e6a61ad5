import { sha256 } from "../../../kernel/digest.ts";
import { invalid, ServiceError } from "../../../kernel/errors.ts";
import { derivedId } from "../../../kernel/ids.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import type { Context } from "../../../runtime/context.ts";
import { isOver, type Job, newJob } from "../../../runtime/jobs/job.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import { findJob, insertJob } from "../../../runtime/jobs/records.ts";
import { ALL } from "../../../runtime/schemas/fields.ts";
import { ERASE_USER_JOB } from "./job-kinds.ts";
import { restarted } from "./restart.ts";

/** Starts to erase all data of a user, unless its job is in progress; returns the job. Throws FORBIDDEN for an agent's key. */
export async function beginErasure(ctx: Context, user_id: string): Promise<Job<"erase_user">> {
  if (ctx.viewer !== undefined) {
    throw new ServiceError("FORBIDDEN", "An agent's key cannot erase a user. Use a key of the organization.");
  }
  if (user_id === ALL) throw invalid({ field: "user_id", problem: "must name one user; * means all of them" });
  const id = derivedId("job", sha256(JSON.stringify(["erase_user", ctx.org, user_id])));
  const work = { input: { user_id }, checkpoint: { pass: 0, erased: 0 }, submitted_by: ctx.principal.id };
  const job = newJob(ctx, ERASE_USER_JOB, { id, ...work });
  const current = await findJob(ctx.ports.records, ctx.org, id, ERASE_USER_JOB);
  if (current && !isOver(current)) return current;
  const write = current ? restarted(current, job) : insertJob(job);
  if (await tryWrite(ctx, write)) {
    await enqueueJob(ctx, job);
    return job;
  }
  return (await findJob(ctx.ports.records, ctx.org, id, ERASE_USER_JOB)) ?? job;
}
