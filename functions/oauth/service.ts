import { getOwnUser } from "../../shared/domain/identity/own-user.ts";
import { endSignIn, findSignIn, type Grant, listGrants } from "../../shared/domain/identity/sign-ins.ts";
import { existing } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { recordAudit } from "../../shared/runtime/audit/audit.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** The clients that act for the requesting user. */
export async function listOwnGrants(ctx: Context, page: Input<typeof schemas.ListGrants>) {
  const user = await getOwnUser(ctx);
  const { items, total, hasNext } = await listGrants(ctx.ports.records, user, page);
  return { grants: items.map(present), pagination: pagination(page, total, hasNext) };
}

function present({ id, client, created_at, renewed_at }: Grant) {
  const { id: clientId, name, ...limits } = client;
  return { id, client: { id: clientId, name }, ...limits, created_at, renewed_at };
}

/** Ends a grant of the requesting user. Throws GRANT_NOT_FOUND. */
export async function endOwnGrant(ctx: Context, id: string) {
  const user = await getOwnUser(ctx);
  const found = await findSignIn(ctx.ports.records, id);
  const isOwn = found?.client !== undefined && found.org === user.org && found.user_id === user.id;
  const { client } = existing(isOwn ? found : undefined, "grant", id);
  await endSignIn(ctx, { id, org: user.org, user_id: user.id });
  const details = { client: client?.id ?? "", name: client?.name ?? "" };
  await recordAudit(ctx, { action: "oauth.revoked", target: user.id, details });
  return { id, ended: true as const };
}
