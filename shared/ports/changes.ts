import type { RecordKey, StoredRecord } from "./record-store.ts";

/** One change of a record in the feed: no `before` for a new record, no `after` for a deleted one. */
export interface RecordChange {
  key: RecordKey;
  before?: StoredRecord;
  after?: StoredRecord;
  /** Identifies the change within its batch, for partial failures. */
  sequence: string;
  /** When it was made, in epoch milliseconds with a precision of one second. */
  at?: number;
}

/** Processes a batch of changes; throws if any of them must be delivered again. */
export type ChangeConsumer = (changes: RecordChange[]) => Promise<void>;
