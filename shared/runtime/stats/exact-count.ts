import { createHash } from "node:crypto";
import type { RecordStore, Write } from "../../ports/record-store.ts";

/** Number of records per count: concurrent writers rarely use the same one, and one short query reads them all. */
const SHARDS = 16;

/**
 * Returns the write that changes an exact count of resources of a kind, for long lists that show their total. It
 * belongs in the transaction that creates or deletes the resource. `subject` names the kind: "org_1#skills".
 */
export function changeCount(subject: string, id: string, by: 1 | -1): Write {
  const shard = (createHash("sha256").update(id).digest()[0] ?? 0) % SHARDS;
  const key = { pk: `${subject}#count`, sk: String(shard).padStart(2, "0") };
  return { update: key, add: { count: by }, set: { kind: "count" } };
}

/** Returns the exact count of a subject. */
export async function readCount(records: RecordStore, subject: string): Promise<number> {
  const { items } = await records.query({ pk: `${subject}#count`, limit: SHARDS });
  return items.reduce((sum, { count }) => sum + Number(count), 0);
}
