import type { Context as HonoContext } from "hono";
import { ServiceError } from "../../kernel/errors.ts";
import { covers, isPermission } from "../../runtime/access/permissions.ts";
import type { Principal } from "../../runtime/access/principal.ts";
import { resourceOf } from "../../runtime/access/resource.ts";
import { type Context, onBehalfOf, type Runtime } from "../../runtime/context.ts";
import type { Exchange } from "./exchange.ts";

export function contextOf(runtime: Runtime, principal: Principal): Context {
  const { org, agent } = principal;
  const ctx: Context = { ...runtime, org, viewer: undefined, principal };
  return agent === undefined ? ctx : onBehalfOf(ctx, agent);
}

export function notForAgents(): ServiceError {
  return new ServiceError("PERMISSION_DENIED", "An agent's key cannot do this. Use a key of the organization.");
}

/** Authenticates a request. Throws PERMISSION_DENIED for a change that another site may have sent with a cookie. */
export async function authenticate({ authenticator, config }: Runtime, { http, credential, mount }: Exchange) {
  if (credential?.mayBeForged && http.req.method !== "GET") {
    throw new ServiceError("PERMISSION_DENIED", "Send the session's csrf_token of GET /auth/session in X-CSRF-Token.");
  }
  return authenticator.authenticate(credential, resourceOf(config, mount.manifest.resource));
}

/** Authenticates a request to a public route; refuses agents' keys. */
export async function identify(runtime: Runtime, exchange: Exchange): Promise<Principal> {
  const { http } = exchange;
  const principal = await authenticate(runtime, exchange);
  if (principal.agent !== undefined) throw notForAgents();
  return { ...principal, permissions: effectivePermissions(principal, http) };
}

/** Returns the principal's permissions, or only the one that X-Permission names. The header never grants one. */
export function effectivePermissions(principal: Principal, http: HonoContext): Principal["permissions"] {
  const named = http.req.header("x-permission");
  if (named === undefined) return principal.permissions;
  if (!isPermission(named) || !covers(principal.permissions, named)) {
    throw new ServiceError("PERMISSION_DENIED", `The credential does not have '${named}', which X-Permission names.`, {
      required: named,
    });
  }
  return [named];
}
