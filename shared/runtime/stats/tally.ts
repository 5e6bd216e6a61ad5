import { retryOnConflict } from "../../ports/conflicts.ts";
import type { Json } from "../../ports/json.ts";
import type { RecordKey, RecordStore, StoredRecord } from "../../ports/record-store.ts";
import { type Frequencies, mergeFrequencies } from "./frequent.ts";

/** Counts of the most frequent things, to be merged into a record of at most `capacity` things. */
export interface Tally {
  key: RecordKey;
  capacity: number;
  frequencies: Frequencies;
  /** Epoch seconds at which the record expires. */
  ttl: number;
}

/** Merges the counts into the tally's record together with those of other processes. */
export async function writeTally(records: RecordStore, { key, capacity, frequencies, ttl }: Tally): Promise<void> {
  await retryOnConflict(async () => {
    const stored = await records.get(key);
    const merged = mergeFrequencies(frequenciesIn(stored), frequencies, capacity);
    const revision = Number(stored?.revision ?? 0);
    const put = { ...key, kind: "tally", frequencies: [...merged], revision: revision + 1, ttl };
    await records.write({ put, condition: stored === undefined ? "absent" : { revision } });
  });
}

/** Returns the counts in a tally's record. */
export function frequenciesIn(record: StoredRecord | undefined): Frequencies {
  return new Map((record?.frequencies ?? []) as Json as [string, number][]);
}
