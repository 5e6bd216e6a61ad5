import { findOrganization } from "../../shared/domain/identity/records.ts";
import { findUser, heldPermissions, type User } from "../../shared/domain/identity/users.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Context } from "../../shared/runtime/context.ts";

/** The current record of the requesting user. Throws FORBIDDEN for an API key. */
export async function getOwnUser({ ports, org, principal }: Context): Promise<User> {
  if (principal.kind !== "user") {
    throw new ServiceError("FORBIDDEN", "This requires a user's access token. Sign in; an API key is not enough.");
  }
  const user = await findUser(ports.records, org, principal.id);
  if (!user) throw new ServiceError("UNAUTHORIZED", "The user of this access token no longer exists.");
  return user;
}

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
