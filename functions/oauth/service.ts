import { getOwnUser } from "../../shared/domain/identity/own-user.ts";
import { endSignIn, findSignIn, type Grant, listGrants } from "../../shared/domain/identity/sign-ins.ts";
import { findUser } from "../../shared/domain/identity/users.ts";
import { existing } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { covers, requirePermission } from "../../shared/runtime/access/permissions.ts";
import { recordAudit } from "../../shared/runtime/audit/audit.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** The clients that act for the requesting user, or for the named one. Throws PERMISSION_DENIED without admin:all. */
export async function listUserGrants(ctx: Context, { user_id, ...page }: Input<typeof schemas.ListGrants>) {
  const user = await (user_id === undefined ? getOwnUser(ctx) : getUserAsAdmin(ctx, user_id));
  const { items, total, hasNext } = await listGrants(ctx.ports.records, user, page);
  return { grants: items.map(present), pagination: pagination(page, total, hasNext) };
}

async function getUserAsAdmin(ctx: Context, id: string) {
  requirePermission(ctx.principal, "admin:all");
  return existing(await findUser(ctx.ports.records, ctx.org, id), "user", id);
}

function present({ id, client, created_at, renewed_at }: Grant) {
  const { id: clientId, name, ...limits } = client;
  return { id, client: { id: clientId, name }, ...limits, created_at, renewed_at };
}

/** Ends a grant of the requesting user, or with admin:all of any user of the organization. Throws GRANT_NOT_FOUND. */
export async function endUserGrant(ctx: Context, id: string) {
  const isAdmin = covers(ctx.principal.permissions, "admin:all");
  const own = isAdmin ? undefined : await getOwnUser(ctx);
  const found = await findSignIn(ctx.ports.records, id);
  const mayEnd = found?.client !== undefined && found.org === ctx.org && (isAdmin || found.user_id === own?.id);
  const { client, org, user_id } = existing(mayEnd ? found : undefined, "grant", id);
  await endSignIn(ctx, { id, org, user_id });
  const details = { client: client?.id ?? "", name: client?.name ?? "" };
  await recordAudit(ctx, { action: "oauth.revoked", target: user_id, details });
  return { id, ended: true as const };
}
