import { timestamp } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Home } from "../platform/context.ts";
import { covers, type Permission } from "./permissions.ts";
import type { Principal } from "./principal.ts";
import { findApiKey } from "./records.ts";
import { findUser, heldPermissions, statusAt } from "./users.ts";

/** Nobody gives what they do not hold. Throws FORBIDDEN that names what is not held. */
export function requireHeld(held: Principal["permissions"], granted: readonly Permission[]): void {
  const unheld = granted.filter((permission) => !covers(held, permission));
  if (unheld.length === 0) return;
  throw new ServiceError("FORBIDDEN", "Permissions can be given only by whoever holds them.", { permissions: unheld });
}

/** What a user or an API key may do now; nothing at all once it is not active, or is not there. */
export async function heldNow(
  { ports, clock }: Pick<Home, "ports" | "clock">,
  org: string,
  principalId: string,
): Promise<readonly Permission[]> {
  const now = clock();
  const user = await findUser(ports.records, org, principalId);
  if (user) return statusAt(user, now) === "active" ? heldPermissions(user) : [];
  const key = await findApiKey(ports.records, org, principalId);
  const isValid = key?.status === "active" && (key.expires_at ?? timestamp(now + 1)) > timestamp(now);
  if (!isValid) return [];
  if (key.owner === undefined) return key.permissions;
  const owned = await heldNow({ ports, clock }, org, key.owner);
  return key.permissions.filter((permission) => covers(owned, permission));
}
