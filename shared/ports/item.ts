import type { Json, RecordKey, RecordStore, StoredRecord } from "./ports.ts";

type IndexKeys = Pick<StoredRecord, "gsi1pk" | "gsi1sk" | "gsi2pk" | "gsi2sk" | "gsi3pk" | "gsi3sk" | "ttl">;

/** A domain object as a record. The object must be JSON (ensured by its schema). */
export function toItem(key: RecordKey, kind: string, value: object, index: IndexKeys = {}): StoredRecord {
  return { ...(value as { [attribute: string]: never }), ...index, ...key, kind };
}

/** The domain object that `toItem` stored; the caller names the type of the record's kind. */
export function fromItem<T extends object>(record: StoredRecord): T {
  const { pk, sk, kind, gsi1pk, gsi1sk, gsi2pk, gsi2sk, gsi3pk, gsi3sk, ttl, ...value } = record;
  return value as unknown as T;
}

/** The values of a change in which undefined keeps a field and null removes it: undefined for removed ones. */
export function changedValues(change: object): { [name: string]: unknown } {
  const named = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [name, value ?? undefined]));
}

/** The attributes that an update sets, and those that it removes because they are undefined. */
export function setOrRemove(values: object): { set: { [attribute: string]: Json }; remove: string[] } {
  const set: { [attribute: string]: Json } = JSON.parse(JSON.stringify(values));
  return { set, remove: Object.keys(values).filter((name) => !Object.hasOwn(set, name)) };
}

/** The object under a key; undefined if there is none. */
export async function getObject<T extends object>(
  records: Pick<RecordStore, "get">,
  key: RecordKey,
): Promise<T | undefined> {
  const record = await records.get(key);
  return record && fromItem<T>(record);
}
