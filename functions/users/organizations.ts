import type * as z from "zod";
import { audit } from "../../shared/audit/audit.ts";
import { requireOperator } from "../../shared/identity/operator.ts";
import {
  changePlan,
  findOrganization,
  listOrganizationPage,
  type Organization,
} from "../../shared/identity/records.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Context } from "../../shared/platform/context.ts";
import { ConditionFailed } from "../../shared/platform/errors.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

function present({ label: name, ...organization }: Organization) {
  return { ...organization, name };
}

/** Every organization of the deployment; for its operator. */
export async function listOrganizations(ctx: Context, page: Input<typeof schemas.ListOrganizations>) {
  requireOperator(ctx.principal);
  const { organizations, total, hasNext } = await listOrganizationPage(ctx.ports.records, page);
  return { organizations: organizations.map(present), pagination: pagination(page, total, hasNext) };
}

/** Puts an organization on another plan, whose limits hold from its next requests on. Throws ORGANIZATION_NOT_FOUND. */
export async function setPlan(ctx: Context, { organization_id: id, plan }: Input<typeof schemas.SetPlan>) {
  requireOperator(ctx.principal);
  const { records } = ctx.ports;
  const organization = await findOrganization(records, id);
  if (!organization) throw notFound("organization", id);
  const details = { plan, previous_plan: organization.plan };
  const entry = { action: "organization.plan_changed", target: id, details } as const;
  try {
    await records.write(changePlan(id, plan), audit(ctx, entry));
  } catch (error) {
    throw error instanceof ConditionFailed ? notFound("organization", id) : error;
  }
  ctx.authenticator.forget(id);
  return present({ ...organization, plan });
}
