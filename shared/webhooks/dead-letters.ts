import { sha256 } from "../kernel/digest.ts";
import { derivedId } from "../kernel/ids.ts";
import type { PageRequest } from "../kernel/pagination.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { type RecordListing, readPage } from "../platform/listing.ts";
import { queryPages } from "../platform/pages.ts";
import type { RecordKey, RecordPage, RecordStore, Write } from "../platform/ports.ts";
import type { DeadLetter, Delivery } from "./webhook.ts";

const KEPT_SECONDS = 90 * 86_400;

const deadLetterKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "dead_letter" });
export const deadLettersOf = (org: string): string => `${org}#dead-letters`;

/** The entry that a delivery ends in: always the same one, and that of a retry the one that was retried. */
export function deadLetterIdOf({ id, dead_letter }: Pick<Delivery, "id" | "dead_letter">): string {
  return dead_letter?.id ?? derivedId("deadLetter", sha256(id));
}

/** What counts look at, on the narrow index: whether a retry was asked for since it failed. */
type EntryStatus = "waiting" | "retried";

export function putDeadLetter(entry: DeadLetter): Write {
  const { org, id, last_failed_at } = entry;
  const ttl = Math.ceil(Date.parse(last_failed_at) / 1000) + KEPT_SECONDS;
  const [list, place] = [deadLettersOf(org), `${last_failed_at}#${id}`];
  const listing = { gsi1pk: list, gsi1sk: place, gsi3pk: list, gsi3sk: place, ttl };
  const status: EntryStatus = "waiting";
  return { put: toItem(deadLetterKey(org, id), "dead_letter", { ...entry, status }, listing) };
}

/** Notes the delivery that is to be the end of an entry; refused where another one was noted since it was read. */
export function retryDeadLetter({ org, id, retry_delivery_id }: DeadLetter, delivery_id: string): Write {
  const status: EntryStatus = "retried";
  return {
    update: deadLetterKey(org, id),
    set: { retry_delivery_id: delivery_id, status },
    condition: {
      event_id: { atLeast: "" },
      retry_delivery_id: retry_delivery_id ?? { absent: true },
    },
  };
}

/** Removes an entry, whether it is there or not. */
export function removeDeadLetter({ org, id }: Pick<DeadLetter, "org" | "id">): Write {
  return { delete: deadLetterKey(org, id) };
}

/** Undefined for an absent and a foreign id alike. */
export async function findDeadLetter(records: RecordStore, org: string, id: string): Promise<DeadLetter | undefined> {
  const record = await records.get(deadLetterKey(org, id));
  return record && fromItem<DeadLetter>(record);
}

interface Span {
  /** ISO; entries that failed last before it. */
  olderThan?: string | undefined;
}

function listingOf(org: string, { olderThan }: Span = {}) {
  // What follows the moment in a sort key makes those of the very moment sort after it.
  const sk = olderThan === undefined ? undefined : { atMost: olderThan };
  return { index: "gsi1" as const, pk: deadLettersOf(org), sk };
}

/** The same members, without all that they hold. */
const counted = (org: string, span?: Span) => ({ ...listingOf(org, span), index: "gsi3" as const });

/** One page of an organization's entries, those first that failed last. */
export async function listDeadLetters(
  records: RecordStore,
  org: string,
  span: Span,
  page: PageRequest,
): Promise<Omit<RecordListing, "items"> & { entries: DeadLetter[] }> {
  const list = { ...listingOf(org, span), descending: true };
  const { items, ...rest } = await readPage(records, list, page, counted(org, span));
  return { entries: items.map((item) => fromItem<DeadLetter>(item)), ...rest };
}

/** Names the entries of an organization that failed last before a moment, oldest first, `limit` at a time. */
export async function* nameDeadLetters(
  records: RecordStore,
  org: string,
  span: Span,
  limit: number,
): AsyncGenerator<Pick<DeadLetter, "org" | "id">[]> {
  for await (const items of queryPages(records, { ...counted(org, span), limit })) {
    yield items.map(({ id }) => ({ org, id: String(id) }));
  }
}

/** How many entries there are, counted up to a bound, and since when. */
export async function readQueueStatistics(records: RecordStore, org: string, upTo: number) {
  const list = counted(org);
  const [total, retried, oldest, newest] = await Promise.all([
    records.count(list, upTo),
    records.count({ ...list, where: { status: "retried" satisfies EntryStatus } }, upTo),
    records.query({ ...list, limit: 1 }),
    records.query({ ...list, descending: true, limit: 1 }),
  ]);
  return {
    total_entries: total,
    retried_entries: retried,
    oldest_entry_at: momentOf(oldest),
    newest_entry_at: momentOf(newest),
  };
}

/** When the first of what is listed failed last. */
function momentOf({ items: [first] }: RecordPage): string | null {
  return first?.gsi3sk?.split("#")[0] ?? null;
}
