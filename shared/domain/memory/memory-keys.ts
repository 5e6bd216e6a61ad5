import type { RecordKey, StoredRecord } from "../../ports/record-store.ts";

export const MEMORY_KIND = "memory";
const MEMORY_SORT_KEY = "memory";

export const memoryKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: MEMORY_SORT_KEY });
export const memoriesOf = (org: string): string => `${org}#memories`;
export const memoriesOfUser = (org: string, user: string): string => `${org}#memories#${user}`;

/** Returns the key of the memory that a record belongs to, or of the memory itself. */
export function memoryOf({ pk }: Pick<StoredRecord, "pk">): RecordKey {
  return { pk, sk: MEMORY_SORT_KEY };
}
