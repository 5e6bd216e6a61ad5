import type { Json } from "../../../ports/json.ts";
import type { StoredRecord } from "../../../ports/record-store.ts";

/** A numbered step of the item format, the same on both platforms. Idempotent; a released step never changes. */
export type ItemStep = AddingStep | ReplacingStep;

interface Step {
  version: number;
  /** A description of the step. */
  name: string;
  /** Kinds of the records that it processes. */
  kinds: string[];
}

/** Only adds attributes: the previous release, which still runs during a canary, finds every attribute it knows. */
export interface AddingStep extends Step {
  /** Returns the upgraded record, then additional records that must exist; undefined if nothing is missing. */
  upgrade(record: StoredRecord): [StoredRecord, ...StoredRecord[]] | undefined;
}

/**
 * For records that only workers change: once this release's workers replaced them, the previous release's find none.
 */
export interface ReplacingStep extends Step {
  /** Returns the replacements of a record, which is deleted unless one has its key; undefined if the record is kept. */
  replace(record: StoredRecord): StoredRecord[] | undefined;
}

export type Attributes = { [attribute: string]: Json };

/** Returns an upgrade that adds the attributes that a record lacks. */
export function adding(lackingIn: (record: StoredRecord) => Attributes | undefined): AddingStep["upgrade"] {
  return (record) => {
    const lacking = lackingIn(record);
    return lacking && [{ ...record, ...lacking }];
  };
}
