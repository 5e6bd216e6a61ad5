import { queryPages } from "../platform/pages.ts";
import type { RecordStore, StoredRecord } from "../platform/ports.ts";
import { FORMER_EVENT_WORK } from "./former-events.ts";
import { FORMER_JOBS } from "./former-records.ts";
import { FORMER_SOURCE_WORK } from "./former-sources.ts";

/** What takes a record's place, by its kind; undefined where it is not of a former form. */
export type Conversions = { [kind: string]: (record: StoredRecord) => StoredRecord[] | undefined };

const CONVERSIONS: Conversions = { ...FORMER_JOBS, ...FORMER_EVENT_WORK, ...FORMER_SOURCE_WORK };

/** Kinds of the records that work was stored in before there was one engine. */
export const FORMER_KINDS = Object.keys(CONVERSIONS);

/**
 * The records that take the place of one of a release before there was one engine: jobs, and what is kept beside them.
 * Undefined for any other. Where none of them has its key, it is to be removed.
 */
export function convertFormer(record: StoredRecord): StoredRecord[] | undefined {
  return CONVERSIONS[record.kind]?.(record);
}

const PAGE = 100;

/** Records of a collection that are of a former form, and what takes the place of each. */
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
