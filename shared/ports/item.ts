import type { Json } from "./json.ts";
import type { RecordKey, RecordStore, StoredRecord } from "./record-store.ts";

type IndexKeys = Pick<StoredRecord, "gsi1pk" | "gsi1sk" | "gsi2pk" | "gsi2sk" | "gsi3pk" | "gsi3sk" | "ttl">;

/** Returns a domain object as a record. The object must be JSON (ensured by its schema). */
export function toItem(key: RecordKey, kind: string, value: object, index: IndexKeys = {}): StoredRecord {
  return { ...(value as { [attribute: string]: never }), ...index, ...key, kind };
}

/** Returns the domain object that `toItem` stored; the caller names the type of the record's kind. */
export function fromItem<T extends object>(record: StoredRecord): T {
  const { pk, sk, kind, gsi1pk, gsi1sk, gsi2pk, gsi2sk, gsi3pk, gsi3sk, ttl, ...value } = record;
  return value as unknown as T;
}

/**
 * Returns the changed values: a field that is undefined in the change is left out, null becomes undefined (removed).
 */
export function changedValues(change: object): { [name: string]: unknown } {
  const named = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [name, value ?? undefined]));
}

/** Returns the attributes that an update sets, and the names of those that it removes because they are undefined. */
export function setOrRemove(values: object): { set: { [attribute: string]: Json }; remove: string[] } {
  const set: { [attribute: string]: Json } = JSON.parse(JSON.stringify(values));
  return { set, remove: Object.keys(values).filter((name) => !Object.hasOwn(set, name)) };
}

/** Returns the object under a key; undefined if there is none. */
export async function getObject<T extends object>(
  records: Pick<RecordStore, "get">,
  key: RecordKey,
): Promise<T | undefined> {
  const record = await records.get(key);
  return record && fromItem<T>(record);
}

/** Returns a function that finds the object with an id in an organization; the function resolves to undefined without it. */
export function finderOf<T extends object>(keyOf: (org: string, id: string) => RecordKey) {
  return (records: Pick<RecordStore, "get">, org: string, id: string): Promise<T | undefined> =>
    getObject(records, keyOf(org, id));
}
