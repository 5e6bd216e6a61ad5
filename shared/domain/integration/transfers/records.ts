import { DAY_SECONDS } from "../../../kernel/durations.ts";
import type { PageRequest } from "../../../kernel/pagination.ts";
import { toItem } from "../../../ports/item.ts";
import { type Listing, listObjects } from "../../../ports/listing.ts";
import type { RecordKey, RecordStore, Write } from "../../../ports/record-store.ts";
import type { FailedRow, Import, SkippedRow } from "./transfer.ts";

const FAILURES = "failed-row#";
const SKIPPED = "skipped-row#";
/** Maximum skipped rows that are listed. A second import of the same file skips every row. */
export const MAX_LISTED_SKIPPED = 10_000;
/** How long failed and skipped rows can be read. */
const KEPT_SECONDS = 30 * DAY_SECONDS;

const collectionOf = (org: string, id: string): string => `${org}#${id}`;
type Owner = Pick<Import, "org" | "id">;
const rowKey = ({ org, id }: Owner, collection: string, index: number): RecordKey => ({
  pk: collectionOf(org, id),
  sk: collection + String(index).padStart(9, "0"),
});
const expiry = (now: number) => ({ ttl: Math.ceil(now / 1000) + KEPT_SECONDS });

export function putFailure(owner: Owner, failed: FailedRow, now: number): Write {
  return { put: toItem(rowKey(owner, FAILURES, failed.index), "failed_row", failed, expiry(now)) };
}

export function putSkipped(owner: Owner, skipped: SkippedRow, now: number): Write {
  return { put: toItem(rowKey(owner, SKIPPED, skipped.index), "skipped_row", skipped, expiry(now)) };
}

/** The rejected rows of an import in order. */
export function listFailures(
  records: RecordStore,
  org: string,
  id: string,
  page: PageRequest,
): Promise<Listing<FailedRow>> {
  const listed = { pk: collectionOf(org, id), sk: { beginsWith: FAILURES } };
  return listObjects(records, listed, page);
}

/** The first skipped rows of an import in order; `count` may replace the count of all that are listed. */
export function listSkipped(
  records: RecordStore,
  org: string,
  id: string,
  page: PageRequest,
  count?: () => Promise<number>,
): Promise<Listing<SkippedRow>> {
  const listed = { pk: collectionOf(org, id), sk: { beginsWith: SKIPPED } };
  return listObjects(records, listed, page, count);
}
