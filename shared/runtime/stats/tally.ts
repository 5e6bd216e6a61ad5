import { ConditionFailedError } from "../../ports/errors.ts";
import type { Json, RecordKey, RecordStore, StoredRecord } from "../../ports/ports.ts";
import { type Frequencies, mergeFrequencies } from "./frequent.ts";

/** How often a write is retried after a conflict; each retry starts from the stored state. */
const MAX_ATTEMPTS = 8;

/** Counts of the most frequent things, to merge into a record with at most `capacity` of them. */
export interface Tally {
  key: RecordKey;
  capacity: number;
  frequencies: Frequencies;
  /** Epoch seconds at which the record expires. */
  ttl: number;
}

/** Merges the counts into the tally's record together with those of other processes. */
export async function writeTally(records: RecordStore, { key, capacity, frequencies, ttl }: Tally): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const stored = await records.get(key);
    const merged = mergeFrequencies(frequenciesIn(stored), frequencies, capacity);
    const revision = Number(stored?.revision ?? 0);
    const put = { ...key, kind: "tally", frequencies: [...merged], revision: revision + 1, ttl };
    try {
      return await records.write({ put, condition: stored === undefined ? "absent" : { revision } });
    } catch (error) {
      if (!(error instanceof ConditionFailedError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** The counts of a tally's record. */
export function frequenciesIn(record: StoredRecord | undefined): Frequencies {
  return new Map((record?.frequencies ?? []) as Json as [string, number][]);
}
