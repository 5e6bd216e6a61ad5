import { sha256 } from "../../../kernel/digest.ts";
import { notFound, ServiceError } from "../../../kernel/errors.ts";
import { derivedId } from "../../../kernel/ids.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import { audit } from "../../../runtime/audit/audit.ts";
import type { Context } from "../../../runtime/context.ts";
import { isOver, type Job, newJob } from "../../../runtime/jobs/job.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import { findJob, insertJob } from "../../../runtime/jobs/records.ts";
import { findOrganization, organizationKey } from "../../identity/records.ts";
import { ERASE_ORGANIZATION_JOB } from "./job-kinds.ts";
import { restarted } from "./restart.ts";

/**
 * Deletes an organization, so that its credentials stop working, and starts to erase all its data; returns the job,
 * which is the operator's. Throws FORBIDDEN for the operator's organization, and ORGANIZATION_NOT_FOUND.
 */
export async function beginOrganizationErasure(
  ctx: Context,
  organization_id: string,
  reason: string,
): Promise<Job<"erase_organization">> {
  const { records } = ctx.ports;
  if (organization_id === OPERATOR_ORG) {
    throw new ServiceError("FORBIDDEN", "The operator's organization cannot be erased: its admins run the deployment.");
  }
  const id = derivedId("job", sha256(JSON.stringify(["erase_organization", organization_id])));
  const work = { input: { organization_id }, checkpoint: { pass: 0, erased: 0 }, submitted_by: ctx.principal.id };
  const job = newJob({ ...ctx, org: OPERATOR_ORG }, ERASE_ORGANIZATION_JOB, { id, ...work });
  const find = () => findJob(records, OPERATOR_ORG, id, ERASE_ORGANIZATION_JOB);
  const current = await find();
  if (current && !isOver(current)) return current;
  const exists = (await findOrganization(records, organization_id)) !== undefined;
  if (!exists && current?.state !== "failed") throw notFound("organization", organization_id);
  const entry = audit(ctx, { action: "organization.erased", target: organization_id, details: { reason } });
  const writes = [{ delete: organizationKey(organization_id) }, current ? restarted(current, job) : insertJob(job)];
  if (!(await tryWrite(ctx, ...writes, entry))) return (await find()) ?? job;
  ctx.authenticator.forget(organization_id);
  await enqueueJob(ctx, job);
  return job;
}
