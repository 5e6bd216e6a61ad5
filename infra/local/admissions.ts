import { LRUCache } from "lru-cache";
import type { LastOrganizations } from "../../shared/domain/identity/authenticate.ts";
import { networkOf } from "../../shared/domain/identity/sign-in-limits.ts";
import type { Admission } from "../../shared/entry/http/exchange.ts";
import type { FairScheduler } from "../../shared/kernel/fair-scheduler.ts";

const RATE_LIMITED = 429;
/** Pause between two refusals of one credential, which bounds their cost whatever the number of connections. */
const PAUSE_MS = 10;
/** Maximum number of credentials known to exceed their limit. */
const MAX_REFUSED = 10_000;

/**
 * Admits requests in turn by organization. Unauthenticated ones share a queue per network. A credential over its limits
 * waits in its own queue until one of its requests passes, so that it costs others only an occasional refusal.
 */
export function admitInTurn(
  scheduler: Pick<FairScheduler, "take">,
  lastOrganizations: Pick<LastOrganizations, "get" | "has">,
): Admission {
  const refused = new LRUCache<string, true>({ max: MAX_REFUSED });
  return async (credential, address) => {
    const name = credential?.name;
    const org = name === undefined ? undefined : lastOrganizations.get(name);
    if (name !== undefined && refused.has(name)) await scheduler.take(`over its limit: ${name}`, PAUSE_MS);
    else await scheduler.take(org ?? `from ${address && networkOf(address)}`);
    return (status) => {
      if (name === undefined) return;
      if (status !== RATE_LIMITED) refused.delete(name);
      else if (lastOrganizations.has(name)) refused.set(name, true);
    };
  };
}
