import type { RecordKey, StoredRecord } from "./ports.ts";

type IndexKeys = Pick<StoredRecord, "gsi1pk" | "gsi1sk" | "gsi2pk" | "gsi2sk" | "gsi3pk" | "gsi3sk" | "ttl">;

/** A domain object as a record. The object must be JSON (the schemas it was parsed by see to that). */
export function toItem(key: RecordKey, kind: string, value: object, index: IndexKeys = {}): StoredRecord {
  return { ...(value as { [attribute: string]: never }), ...index, ...key, kind };
}

/** The domain object that `toItem` stored; the caller names the type that the record's kind stands for. */
export function fromItem<T extends object>(record: StoredRecord): T {
  const { pk, sk, kind, gsi1pk, gsi1sk, gsi2pk, gsi2sk, gsi3pk, gsi3sk, ttl, ...value } = record;
  return value as unknown as T;
}
