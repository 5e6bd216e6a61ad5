import type { RecordKey, StoredRecord } from "./ports.ts";

/** One change of a record, as the table's feed tells it: no `before` when it was made, no `after` when it is gone. */
export interface RecordChange {
  key: RecordKey;
  before?: StoredRecord;
  after?: StoredRecord;
  /** Names the change within its batch, for reporting which one failed. */
  sequence: string;
  /** When it was made, in epoch milliseconds; to the second. */
  at?: number;
}

/** What a worker does with a batch of changes; throws when any of it is to come again. */
export type ChangeConsumer = (changes: RecordChange[]) => Promise<void>;
