import { ServiceError } from "../../kernel/errors.ts";
import type { Context } from "../../runtime/context.ts";
import { findUser, type User } from "./users.ts";

/** The current record of the requesting user. Throws FORBIDDEN for an API key and for an OAuth client. */
export async function getOwnUser({ ports, org, principal }: Context): Promise<User> {
  if (principal.kind !== "user") {
    throw new ServiceError("FORBIDDEN", "This requires a user's access token. Sign in; an API key is not enough.");
  }
  const user = await findUser(ports.records, org, principal.id);
  if (!user) throw new ServiceError("UNAUTHORIZED", "The user of this access token no longer exists.");
  return user;
}
