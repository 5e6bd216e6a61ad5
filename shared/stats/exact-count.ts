import { createHash } from "node:crypto";
import type { RecordStore, Write } from "../platform/ports.ts";

/** Records that hold a count together: two writers seldom meet in one, and reading all of them is one short query. */
const SHARDS = 16;

/**
 * How many things of a kind there are, for lists of thousands that are to tell so at once. Changed in the transaction
 * that makes or removes a thing, so it is exact. `subject` names the kind within its organization: "org_1#skills".
 */
export function changeCount(subject: string, id: string, by: 1 | -1): Write {
  const shard = (createHash("sha256").update(id).digest()[0] ?? 0) % SHARDS;
  const key = { pk: `${subject}#count`, sk: String(shard).padStart(2, "0") };
  return { update: key, add: { count: by }, set: { kind: "count" } };
}

export async function readCount(records: RecordStore, subject: string): Promise<number> {
  const { items } = await records.query({ pk: `${subject}#count`, limit: SHARDS });
  return items.reduce((sum, { count }) => sum + Number(count), 0);
}
