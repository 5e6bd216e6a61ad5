import { queryPages } from "../../ports/pages.ts";
import type { RecordStore, StoredRecord } from "../../ports/record-store.ts";
import { FORMER_EVENT_WORK } from "./former-events.ts";
import { FORMER_JOBS } from "./former-records.ts";
import { FORMER_SOURCE_WORK } from "./former-sources.ts";

/** Converts a record by its kind; undefined if the record is not in a former form. */
export type Conversions = { [kind: string]: (record: StoredRecord) => StoredRecord[] | undefined };

const CONVERSIONS: Conversions = { ...FORMER_JOBS, ...FORMER_EVENT_WORK, ...FORMER_SOURCE_WORK };

/** Kinds of records in which work was stored before the job engine. */
export const FORMER_KINDS = Object.keys(CONVERSIONS);

/**
 * Returns the records that replace a record of a release before the job engine: jobs, and other records of the work.
 * Undefined for any other record. If none of them has the old key, the old record must be deleted.
 */
export function convertFormer(record: StoredRecord): StoredRecord[] | undefined {
  return CONVERSIONS[record.kind]?.(record);
}

const PAGE = 100;

/** Yields the records of a collection that are in a former form, each with its replacement. */
export async function* listFormer(
  records: RecordStore,
  pk: string,
): AsyncGenerator<{ former: StoredRecord; replacement: StoredRecord[] }> {
  const where = { kind: { oneOf: FORMER_KINDS } };
  for await (const items of queryPages(records, { pk, where, limit: PAGE })) {
    for (const former of items) {
      const replacement = convertFormer(former);
      if (replacement) yield { former, replacement };
    }
  }
}
