import type { Admission } from "../../shared/http/app.ts";
import type { LastOrganizations } from "../../shared/identity/authenticate.ts";
import { networkOf } from "../../shared/identity/sign-in-limits.ts";
import { BoundedSet } from "../../shared/kernel/bounded.ts";
import type { FairTurns } from "./fair-turns.ts";

const RATE_LIMITED = 429;
/** Between two refusals of one credential: what refusing costs stays small, however many connections ask for it. */
const REST_MS = 10;
/** Of so many credentials it is known that they are over their limit. */
const MOST_REFUSED = 10_000;

/**
 * Lets requests begin by organization in turn. Who was not let in yet waits with others of the same network, whatever
 * they show. A credential that is over its limits waits in a line of its own until something of it passes, so that it
 * costs neither others nor the rest of its own organization more than a refusal now and then.
 */
export function admitInTurn(
  turns: Pick<FairTurns, "take">,
  lastOrganizations: Pick<LastOrganizations, "get" | "has">,
): Admission {
  const refused = new BoundedSet<string>(MOST_REFUSED);
  return async (credential, address) => {
    const name = credential?.name;
    const org = name === undefined ? undefined : lastOrganizations.get(name);
    if (name !== undefined && refused.has(name)) await turns.take(`over its limit: ${name}`, REST_MS);
    else await turns.take(org ?? `from ${address && networkOf(address)}`);
    return (status) => {
      if (name === undefined) return;
      if (status !== RATE_LIMITED) refused.delete(name);
      else if (lastOrganizations.has(name)) refused.add(name);
    };
  };
}
