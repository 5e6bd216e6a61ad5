import type { PageRequest } from "../kernel/pagination.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { type RecordListing, readPage } from "../platform/listing.ts";
import type { AttributeTests, Condition, RecordKey, RecordStore, StoredRecord, Write } from "../platform/ports.ts";
import type { Export, FailedRow, Import, ImportProgress, Transfer } from "./transfer.ts";

const TRANSFER_KIND = "transfer";
const PENDING = "pending-transfers";
const FAILURES = "failed-row#";
/** How long what became of a transfer can be read. */
const KEPT_SECONDS = 30 * 86_400;

const collectionOf = (org: string, id: string): string => `${org}#${id}`;
const transferKey = ({ org, id }: Pick<Transfer, "org" | "id">): RecordKey => ({
  pk: collectionOf(org, id),
  sk: "transfer",
});
const failureKey = ({ org, id }: Import, index: number): RecordKey => ({
  pk: collectionOf(org, id),
  sk: FAILURES + String(index).padStart(9, "0"),
});
const exportsOf = (org: string): string => `${org}#exports`;

/** Exactly the state that was read: nobody got further, began again or ended it in between. */
function asRead(transfer: Transfer): Condition {
  const open: AttributeTests = { attempts: transfer.attempts, ended_at: { absent: true } };
  return transfer.what === "import" ? { ...open, position: transfer.position } : { ...open, written: transfer.written };
}

/** While it has not ended it is listed as pending, by when it was queued; exports of an organization by their beginning. */
export function putTransfer(transfer: Transfer, before: Transfer | "absent"): Write {
  const { org, id, created_at, queued_at, ended_at, what } = transfer;
  const pending = ended_at === undefined ? { gsi2pk: PENDING, gsi2sk: `${queued_at}#${id}` } : {};
  const listed = what === "export" ? { gsi1pk: exportsOf(org), gsi1sk: `${created_at}#${id}` } : {};
  const ttl = ended_at === undefined ? undefined : Math.ceil(Date.parse(ended_at) / 1000) + KEPT_SECONDS;
  return {
    put: toItem(transferKey(transfer), TRANSFER_KIND, transfer, { ...pending, ...listed, ttl }),
    condition: before === "absent" ? before : asRead(before),
  };
}

/** Refused when the import is not where it was: so a row is stored once, whoever stores it and however often they begin. */
export function advanceImport(before: Import, progress: ImportProgress): Write {
  return {
    update: transferKey(before),
    set: { ...progress, attempts: 0 },
    condition: { position: before.position, ended_at: { absent: true } },
  };
}

export async function findTransfer(records: RecordStore, org: string, id: string): Promise<Transfer | undefined> {
  const record = await records.get(transferKey({ org, id }));
  return record && toTransfer(record);
}

/** A record of the kind holds one or the other, as its `what` says. */
function toTransfer(record: StoredRecord): Transfer {
  return fromItem<Transfer>(record);
}

/** Exports of an organization, the latest first. */
export async function listExports(records: RecordStore, org: string, limit: number): Promise<Export[]> {
  const { items } = await records.query({ index: "gsi1", pk: exportsOf(org), descending: true, limit });
  return items.map(fromItem<Export>);
}

/** Transfers of all organizations that were queued before an instant (ISO) and have not ended, the longest waiting first. */
export async function listOverdue(records: RecordStore, before: string, limit: number): Promise<Transfer[]> {
  const { items } = await records.query({ index: "gsi2", pk: PENDING, sk: { atMost: before }, limit });
  return items.map(toTransfer);
}

// ---------------------------------------------------------------- rows that failed

export function putFailure(transfer: Import, failed: FailedRow, now: number): Write {
  const ttl = Math.ceil(now / 1000) + KEPT_SECONDS;
  return { put: toItem(failureKey(transfer, failed.index), "failed_row", failed, { ttl }) };
}

/** By their places. */
export async function listFailures(
  records: RecordStore,
  org: string,
  id: string,
  page: PageRequest,
): Promise<Omit<RecordListing, "items"> & { failures: FailedRow[] }> {
  const listed = { pk: collectionOf(org, id), sk: { beginsWith: FAILURES } };
  const { items, total, hasNext } = await readPage(records, listed, page);
  return { failures: items.map(fromItem<FailedRow>), total, hasNext };
}
