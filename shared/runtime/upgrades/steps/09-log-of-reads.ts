import type { StoredRecord } from "../../../ports/record-store.ts";
import type { ReplacingStep } from "./step.ts";

export const step: ReplacingStep = {
  version: 5,
  name: "count the reads of all memories of an organization in one log",
  kinds: ["access"],
  replace: loggedReads,
};

/** Days that the log of reads is kept. */
const LOGGED_DAYS = 35;

/** Returns the entry of the log for the reads of a memory, which had a record of its own. */
function loggedReads({
  kind,
  pk,
  memory_id,
  access_count,
  last_accessed_at,
}: StoredRecord): StoredRecord[] | undefined {
  if (kind !== "access") return undefined;
  const [org = ""] = pk.split("#", 1);
  const read_at = String(last_accessed_at);
  const ttl = Math.ceil(Date.parse(read_at) / 1000) + LOGGED_DAYS * 86_400;
  const sk = `${read_at}#${memory_id}`;
  return [{ pk: `${org}#accesses`, sk, kind: "access_log", [String(memory_id)]: Number(access_count), read_at, ttl }];
}
