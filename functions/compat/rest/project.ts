import { findProject, putProject } from "../../../shared/domain/memory/project.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import { notFound } from "../../../shared/kernel/errors.ts";
import type { Input } from "../../../shared/kernel/schema-input.ts";
import { beingChanged, retryOnConflict } from "../../../shared/ports/conflicts.ts";
import { audit } from "../../../shared/runtime/audit/audit.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** The only project of an organization; memories are separated by users, agents, apps and runs. */
export const PROJECT_ID = "default";

export async function ping({ org }: Context) {
  return { status: "ok" as const, org_id: org, project_id: PROJECT_ID };
}

/** Throws ORGANIZATION_NOT_FOUND or PROJECT_NOT_FOUND for any but the caller's own. */
export function requireOwnProject(
  { org }: Context,
  { org_id = org, project_id }: { org_id?: string; project_id: string },
): void {
  if (org_id !== org) throw notFound("organization", org_id);
  if (project_id !== PROJECT_ID) throw notFound("project", project_id);
}

/** The project with its settings; requested `fields` that are unset are null. */
export async function getProject(
  ctx: Context,
  path: { org_id: string; project_id: string },
  { fields = [] }: Input<typeof schemas.CompatReadProject>,
) {
  requireOwnProject(ctx, path);
  const { settings, created_at, updated_at } = (await findProject(ctx.ports.records, ctx.org)) ?? {};
  const own = { id: PROJECT_ID, project_id: PROJECT_ID, org_id: ctx.org, name: PROJECT_ID };
  const unset = Object.fromEntries(fields.map((name) => [name, null]));
  return { ...unset, ...settings, ...own, ...(created_at && { created_at, updated_at }) };
}

/** Updates the given settings; null removes one. */
export async function changeProject(
  ctx: Context,
  path: { org_id: string; project_id: string },
  change: Input<typeof schemas.CompatChangeProject>,
) {
  requireOwnProject(ctx, path);
  const write = async () => {
    const before = await findProject(ctx.ports.records, ctx.org);
    const entry = audit(ctx, { action: "admin.project_updated", details: { fields: Object.keys(change) } });
    await ctx.ports.records.write(putProject(ctx.org, before, change, timestamp(ctx.clock())), entry);
  };
  await retryOnConflict(write, { exhausted: () => beingChanged("project") });
  return { message: "Updated project settings" };
}
