import { getOwnUser } from "../../shared/domain/identity/own-user.ts";
import { findOrganization } from "../../shared/domain/identity/records.ts";
import { heldPermissions } from "../../shared/domain/identity/users.ts";
import type { Context } from "../../shared/runtime/context.ts";

/** The requesting user's account, as shown to that user. */
export async function readOwnUser(ctx: Context) {
  const user = await getOwnUser(ctx);
  const { id, role, two_factor, last_login, login_count, must_change_password } = user;
  const organization = user.organization ?? (await findOrganization(ctx.ports.records, user.org))?.label ?? "";
  return {
    ...user,
    user_id: id,
    organization,
    roles: [role],
    permissions: [...heldPermissions(user)],
    security: { two_factor_enabled: two_factor?.enabled === true, last_login, login_count },
    ...(must_change_password && { password_change_required: true as const }),
  };
}
