import { timestamp } from "../../kernel/clock.ts";
import { fromItem } from "../../ports/item.ts";
import { audit } from "../../runtime/audit/audit.ts";
import type { OwnedResource } from "./owned-resources.ts";
import { type ApiKey, apiKeysOf, changeApiKey } from "./records.ts";

const REASON = "its owner was deleted";

/** API keys of a user pass to the successor, limited to the successor's permissions, or are revoked without one. */
export const createdApiKeys: OwnedResource = {
  name: "api_keys",
  listing: (org) => ({ index: "gsi1", pk: apiKeysOf(org) }),
  reassign(runtime, record, { from, to }) {
    const key = fromItem<ApiKey>(record);
    if (key.status !== "active" || (key.owner !== from && key.created_by !== from)) return undefined;
    // On AWS, other processes use their cached key for some seconds, as after any change.
    runtime.authenticator.forget(key.id);
    const actor = { kind: "system" as const };
    if (to === undefined) {
      const revoked = { status: "revoked" as const, revoked_at: timestamp(runtime.clock()), revoked_reason: REASON };
      return [
        ...changeApiKey(key, revoked),
        audit(runtime, { action: "api_key.revoked", actor, target: key.id, details: { from } }),
      ];
    }
    const created_by = key.created_by === from ? to : key.created_by;
    return [
      ...changeApiKey(key, { owner: to, created_by }),
      audit(runtime, { action: "api_key.handed_on", actor, target: key.id, details: { from, to } }),
    ];
  },
};
