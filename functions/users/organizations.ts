import {
  changePlan,
  findOrganization,
  listOrganizationPage,
  type Organization,
} from "../../shared/domain/identity/records.ts";
import { beginOrganizationErasure } from "../../shared/domain/operations/erasure/begin-organization.ts";
import { existing, notFound } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { writeOrThrow } from "../../shared/ports/conflicts.ts";
import { requireOperator } from "../../shared/runtime/access/operator.ts";
import { audit } from "../../shared/runtime/audit/audit.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

function present({ label: name, ...organization }: Organization) {
  return { ...organization, name };
}

/** Every organization of the deployment; for the operator. */
export async function listOrganizations(ctx: Context, page: Input<typeof schemas.ListOrganizations>) {
  requireOperator(ctx.principal);
  const { items: organizations, total, hasNext } = await listOrganizationPage(ctx.ports.records, page);
  return { organizations: organizations.map(present), pagination: pagination(page, total, hasNext) };
}

/** Sets an organization's plan, effective from its next requests on. Throws ORGANIZATION_NOT_FOUND. */
export async function setPlan(ctx: Context, { organization_id: id, plan }: Input<typeof schemas.SetPlan>) {
  requireOperator(ctx.principal);
  const organization = existing(await findOrganization(ctx.ports.records, id), "organization", id);
  const details = { plan, previous_plan: organization.plan };
  const entry = { action: "organization.plan_changed", target: id, details } as const;
  await writeOrThrow(ctx, [changePlan(id, plan), audit(ctx, entry)], () => notFound("organization", id));
  ctx.authenticator.forget(id);
  return present({ ...organization, plan });
}

/** Deletes an organization at once and its data in the background. Throws ORGANIZATION_NOT_FOUND. */
export async function eraseOrganization(
  ctx: Context,
  { organization_id, reason }: Input<typeof schemas.EraseOrganization>,
) {
  requireOperator(ctx.principal);
  const { id: job_id } = await beginOrganizationErasure(ctx, organization_id, reason);
  return { organization_id, job_id, status: "erasing" as const };
}
