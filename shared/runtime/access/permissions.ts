import { ServiceError } from "../../kernel/errors.ts";
import type { Principal } from "./principal.ts";

/** Every permission a credential can hold. `admin:all` implies the others. */
export const PERMISSIONS = [
  "memory:read",
  "memory:write",
  "memory:delete",
  "search:read",
  "search:write",
  "skills:read",
  "skills:execute",
  "skills:manage",
  "agents:read",
  "agents:write",
  "agents:manage",
  "compression:benchmark",
  "admin:all",
] as const;

export type Permission = (typeof PERMISSIONS)[number];

export function isPermission(name: string): name is Permission {
  return (PERMISSIONS as readonly string[]).includes(name);
}

/** Whether the held permissions include the required one. */
export function covers(held: readonly Permission[], needed: Permission): boolean {
  return held.includes("admin:all") || held.includes(needed);
}

/** Throws PASSWORD_CHANGE_REQUIRED if the principal's password is temporary. */
export function requireOwnPassword({ mustChangePassword }: Pick<Principal, "mustChangePassword">): void {
  if (!mustChangePassword) return;
  throw new ServiceError(
    "PASSWORD_CHANGE_REQUIRED",
    "The password is temporary. Choose another one with POST /auth/change-password; then you have your permissions.",
    { route: "POST /auth/change-password" },
  );
}

/**
 * Throws PERMISSION_DENIED if the principal does not hold the required permission, or PASSWORD_CHANGE_REQUIRED if it
 * holds none because its password is temporary.
 */
export function requirePermission(
  { permissions, mustChangePassword }: Pick<Principal, "permissions" | "mustChangePassword">,
  needed: Permission,
): void {
  requireOwnPassword({ mustChangePassword });
  if (covers(permissions, needed)) return;
  throw new ServiceError("PERMISSION_DENIED", `This requires the permission '${needed}'.`, { required: needed });
}

export const ROLES = ["admin", "editor", "viewer", "agent", "user"] as const;

export type Role = (typeof ROLES)[number];

/** The permissions of each role. */
export const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  admin: ["admin:all"],
  editor: PERMISSIONS.filter((name) => /^(memory|search|skills|agents):/.test(name)),
  viewer: PERMISSIONS.filter((name) => name.endsWith(":read")),
  agent: ["memory:read", "memory:write", "search:read", "skills:read", "skills:execute", "agents:read"],
  user: PERMISSIONS.filter((name) => /^memory:|:read$|^skills:execute$|^agents:write$/.test(name)),
};
