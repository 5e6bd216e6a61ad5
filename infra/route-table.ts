import { covers, type Permission, ROLE_PERMISSIONS, ROLES, type Role } from "../shared/runtime/access/permissions.ts";
import type { LimitedOperation } from "../shared/runtime/access/plans.ts";
import type { RouteGroup } from "../shared/runtime/http/group.ts";

/** The guards of a route. */
export interface RouteRow {
  /** Operation id. */
  name: string;
  method: string;
  path: string;
  group: string;
  permission: Permission | "any" | "public";
  /** Row of the plans' limits; none if no credential is counted. */
  limit: LimitedOperation | "general" | "none";
  /** Roles whose permissions suffice; all if no permission is required. */
  roles: Role[];
  /** Whether agents' keys are accepted. */
  allowsAgentKeys: boolean;
}

/** Why a route requires only a valid credential: the verb decides, or there is nothing to decide. */
export const ANY_CREDENTIAL: Record<string, string> = {
  callMcp: "each tool asks for a permission of its own",
  listApiKeys: "agents:manage sees every key; anyone else itself and what it made",
  getApiKey: "a credential may read itself and what it made",
  revokeApiKey: "whoever holds a key may end it, as after a leak",
  rotateApiKey: "whoever holds a key may renew it; it gets no more rights than it had",
  pingCompat: "names the caller's own organization, as a client of mem0 asks before anything else",
  readStatus: "how the service is doing, and nothing of anyone's data",
  logout: "about the caller's own sign-in",
  readOwnUser: "about the caller",
  changePassword: "about the caller, who knows the password; needed by users who hold nothing until they change it",
  setUpSecondFactor: "about the caller's own account",
  enableSecondFactor: "about the caller's own account, and takes a code",
  disableSecondFactor: "about the caller's own account, and takes password and code",
};

/** Every route with its guards; printed by `npm run routes` and expected by test/routes. */
export function routeTable(groups: RouteGroup[]): RouteRow[] {
  return groups.flatMap(({ manifest, routes }) =>
    routes.map(({ isPublic, definition }) => {
      const permission = isPublic ? "public" : definition.permission;
      const { name, path, limit = isPublic ? "none" : "general" } = definition;
      return {
        name,
        method: definition.method.toUpperCase(),
        path,
        group: manifest.name,
        permission,
        limit,
        roles: ROLES.filter((role) => passes(role, permission)),
        allowsAgentKeys: isPublic || (manifest.allowsAgentKeys === true && definition.allowsAgentKeys !== false),
      };
    }),
  );
}

function passes(role: Role, permission: RouteRow["permission"]): boolean {
  return permission === "any" || permission === "public" || covers(ROLE_PERMISSIONS[role], permission);
}
