import { timestamp } from "../../kernel/clock.ts";
import { ServiceError } from "../../kernel/errors.ts";
import { covers, type Permission } from "../../runtime/access/permissions.ts";
import type { Principal } from "../../runtime/access/principal.ts";
import type { Runtime } from "../../runtime/context.ts";
import { findApiKey } from "./records.ts";
import { findUser, heldPermissions, statusAt } from "./users.ts";

/** A principal can grant only its own permissions. Throws FORBIDDEN that names the missing ones. */
export function requireHeld(held: Principal["permissions"], granted: readonly Permission[]): void {
  const unheld = granted.filter((permission) => !covers(held, permission));
  if (unheld.length === 0) return;
  throw new ServiceError("FORBIDDEN", "You can grant only permissions that you have.", { permissions: unheld });
}

/** The current permissions of a user or an API key; none if it is inactive or does not exist. */
export async function heldNow(
  { ports, clock }: Pick<Runtime, "ports" | "clock">,
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
