import { audit } from "../audit/audit.ts";
import { timestamp } from "../kernel/clock.ts";
import { fromItem } from "../platform/item.ts";
import type { Belongings } from "./belongings.ts";
import { type ApiKey, apiKeysOf, changeApiKey } from "./records.ts";

const REASON = "its owner was deleted";

/** API keys for which a user answers: the heir's from now on, within what the heir may do; revoked where there is none. */
export const apiKeysMade: Belongings = {
  name: "api_keys",
  listing: (org) => ({ index: "gsi1", pk: apiKeysOf(org) }),
  handOn(home, record, { from, to }) {
    const key = fromItem<ApiKey>(record);
    if (key.status !== "active" || (key.owner !== from && key.created_by !== from)) return undefined;
    // On AWS other processes go by what they know of the key for some seconds, as after any change of it.
    home.authenticator.forget(key.id);
    const actor = { kind: "system" as const };
    if (to === undefined) {
      const revoked = { status: "revoked" as const, revoked_at: timestamp(home.clock()), revoked_reason: REASON };
      return [
        ...changeApiKey(key, revoked),
        audit(home, { action: "api_key.revoked", actor, target: key.id, details: { from } }),
      ];
    }
    const created_by = key.created_by === from ? to : key.created_by;
    return [
      ...changeApiKey(key, { owner: to, created_by }),
      audit(home, { action: "api_key.handed_on", actor, target: key.id, details: { from, to } }),
    ];
  },
};
