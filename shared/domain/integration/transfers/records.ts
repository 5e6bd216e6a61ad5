import { DAY_SECONDS } from "../../../kernel/durations.ts";
import type { PageRequest } from "../../../kernel/pagination.ts";
import { toItem } from "../../../ports/item.ts";
import { type Listing, listObjects } from "../../../ports/listing.ts";
import type { RecordKey, RecordStore, Write } from "../../../ports/record-store.ts";
import type { FailedRow, Import } from "./transfer.ts";

const FAILURES = "failed-row#";
/** How long failed rows can be read. */
const KEPT_SECONDS = 30 * DAY_SECONDS;

const collectionOf = (org: string, id: string): string => `${org}#${id}`;
const failureKey = ({ org, id }: Pick<Import, "org" | "id">, index: number): RecordKey => ({
  pk: collectionOf(org, id),
  sk: FAILURES + String(index).padStart(9, "0"),
});

export function putFailure(owner: Pick<Import, "org" | "id">, failed: FailedRow, now: number): Write {
  const ttl = Math.ceil(now / 1000) + KEPT_SECONDS;
  return { put: toItem(failureKey(owner, failed.index), "failed_row", failed, { ttl }) };
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
