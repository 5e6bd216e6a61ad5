import type { RouteGroup } from "../shared/http/group.ts";
import { covers, type Permission, ROLE_PERMISSIONS, ROLES, type Role } from "../shared/identity/permissions.ts";
import type { LimitedOperation } from "../shared/identity/plans.ts";

/** What guards one route: who passes, and how often. */
export interface RouteRow {
  /** Operation id. */
  name: string;
  method: string;
  path: string;
  group: string;
  permission: Permission | "any" | "public";
  /** Row of the plans' limits; none where no credential is counted. */
  limit: LimitedOperation | "general" | "none";
  /** Roles whose permissions let them pass; all of them where no permission is asked for. */
  roles: Role[];
  /** Whether keys that were made for an agent pass, too. */
  admitsAgents: boolean;
}

/** Why a route asks for no permission, only for a valid credential: the verb decides, or there is nothing to decide. */
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

/** Every route of the groups with what guards it; what `npm run routes` prints and test/routes expects. */
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
        admitsAgents: isPublic || (manifest.admitsAgents === true && definition.admitsAgents !== false),
      };
    }),
  );
}

function passes(role: Role, permission: RouteRow["permission"]): boolean {
  return permission === "any" || permission === "public" || covers(ROLE_PERMISSIONS[role], permission);
}
