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
  callMcp: "each tool requires its own permission",
  listApiKeys: "with agents:manage, every key; otherwise the credential itself and the keys that it created",
  getApiKey: "a credential can read itself and the keys that it created",
  revokeApiKey: "a key can revoke itself, for example after a leak",
  rotateApiKey: "a key can rotate itself; it gets no additional rights",
  pingCompat: "names the caller's own organization; mem0 clients request it first",
  readStatus: "the state of the service, without data of organizations",
  logout: "about the caller's own sign-in",
  readOwnUser: "about the caller",
  openBrowserSession: "about the caller's own sign-in",
  readBrowserSession: "about the caller's own session",
  endBrowserSession: "about the caller's own session",
  consentToClient: "grants only permissions that the caller has",
  listGrants: "about what the caller granted",
  endGrant: "about what the caller granted",
  readPrincipal: "about the caller's own credential",
  readUsage: "a caller's own use, or all with admin:all",
  changePassword:
    "about the caller, who knows the password; required by users who have no permission until they change it",
  setUpSecondFactor: "about the caller's own account",
  enableSecondFactor: "about the caller's own account, and requires a code",
  disableSecondFactor: "about the caller's own account, and requires password and code",
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
