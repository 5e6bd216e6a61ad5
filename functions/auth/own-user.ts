import { findOrganization } from "../../shared/identity/records.ts";
import { findUser, heldPermissions, type User } from "../../shared/identity/users.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Context } from "../../shared/platform/context.ts";

/** The user who asks, as stored now. Throws FORBIDDEN for an API key, which is no user. */
export async function getOwnUser({ ports, org, principal }: Context): Promise<User> {
  if (principal.kind !== "user") {
    throw new ServiceError("FORBIDDEN", "This is about a user: send an access token of a sign-in, not an API key.");
  }
  const user = await findUser(ports.records, org, principal.id);
  if (!user) throw new ServiceError("UNAUTHORIZED", "The user of this access token is gone.");
  return user;
}

/** The self view. */
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
