import { ConditionFailed } from "../platform/errors.ts";
import type { Json, RecordKey, RecordStore, StoredRecord } from "../platform/ports.ts";
import { type Frequencies, mergeFrequencies } from "./frequent.ts";

/** How often a write is repeated that met another one; each repetition starts from what the other wrote. */
const MAX_ATTEMPTS = 8;

/** Counts of the most frequent things, to be merged into a record that never names more than `capacity` of them. */
export interface Tally {
  key: RecordKey;
  capacity: number;
  frequencies: Frequencies;
  /** Epoch seconds at which the record goes. */
  ttl: number;
}

/** Merges the counts into the tally's record, together with what other processes counted. */
export async function writeTally(records: RecordStore, { key, capacity, frequencies, ttl }: Tally): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const stored = await records.get(key);
    const merged = mergeFrequencies(frequenciesIn(stored), frequencies, capacity);
    const revision = Number(stored?.revision ?? 0);
    const put = { ...key, kind: "tally", frequencies: [...merged], revision: revision + 1, ttl };
    try {
      return await records.write({ put, condition: stored === undefined ? "absent" : { revision } });
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** What a tally's record holds. */
export function frequenciesIn(record: StoredRecord | undefined): Frequencies {
  return new Map((record?.frequencies ?? []) as Json as [string, number][]);
}
