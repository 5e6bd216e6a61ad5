import type { StoredRecord } from "../../../ports/record-store.ts";
import { type AddingStep, type Attributes, adding } from "./step.ts";

export const step: AddingStep = {
  version: 2,
  name: "store the organization of entities and people, so that a cleanup finds those that no memory mentions",
  kinds: ["entity", "person"],
  upgrade: adding((record) => (record.org === undefined ? belonging(record) : undefined)),
};

/** Earlier than the day of any memory. */
const LONG_AGO = "0001-01-01";

/**
 * Returns the organization, derived from the key. Whether an entity was stored explicitly is unknown, so it is kept.
 */
function belonging({ kind, pk, sk }: StoredRecord): Attributes | undefined {
  const [org = ""] = pk.split("#", 1);
  if (kind === "entity") return { org, is_kept: true };
  const users = `${org}#people#`;
  if (pk.startsWith(users)) return { org, user_id: pk.slice(users.length), mentioned_on: LONG_AGO };
  const ofAgent = /^(?<user>\["(?:[^"\\]|\\.)*"\])/s.exec(sk)?.groups?.user;
  if (ofAgent === undefined || !pk.endsWith("#people")) return undefined;
  const [user_id = ""] = JSON.parse(ofAgent) as string[];
  return { org, agent_id: pk.slice(org.length + 1, -"#people".length), user_id, mentioned_on: LONG_AGO };
}
