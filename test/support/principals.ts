import type { Principal } from "../../shared/runtime/access/principal.ts";
import type { Context, Runtime } from "../../shared/runtime/context.ts";

/** An API key of `org_1` without permissions, changed by `change`. */
export function newPrincipal(change: Partial<Principal> = {}): Principal {
  return { kind: "api_key", id: "ak_1", org: "org_1", operator: false, plan: "enterprise", permissions: [], ...change };
}

/** The context of a request of that key, changed by `change`. */
export function contextOf(runtime: Runtime, change?: Partial<Principal>): Context {
  const principal = newPrincipal(change);
  return { ...runtime, org: principal.org, viewer: undefined, principal };
}
