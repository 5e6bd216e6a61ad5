import { sha256 } from "../kernel/digest.ts";
import { derivedId } from "../kernel/ids.ts";
import type { PageRequest } from "../kernel/pagination.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { type RecordListing, readPage } from "../platform/listing.ts";
import type { RecordKey, RecordStore, Write } from "../platform/ports.ts";
import type { DeadLetter, Delivery } from "./webhook.ts";

const KEPT_SECONDS = 90 * 86_400;

const deadLetterKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "dead_letter" });
const deadLettersOf = (org: string): string => `${org}#dead-letters`;

/** The entry that a delivery ends in: always the same one, and that of a retry the one that was retried. */
export function deadLetterIdOf({ id, dead_letter }: Pick<Delivery, "id" | "dead_letter">): string {
  return dead_letter?.id ?? derivedId("deadLetter", sha256(id));
}

export function putDeadLetter(entry: DeadLetter): Write {
  const { org, id, last_failed_at } = entry;
  const ttl = Math.ceil(Date.parse(last_failed_at) / 1000) + KEPT_SECONDS;
  const listing = { gsi1pk: deadLettersOf(org), gsi1sk: `${last_failed_at}#${id}`, ttl };
  return { put: toItem(deadLetterKey(org, id), "dead_letter", entry, listing) };
}

/** Notes the delivery that is to be the end of an entry; refused where another one was noted since it was read. */
export function retryDeadLetter({ org, id, retry_delivery_id }: DeadLetter, delivery_id: string): Write {
  return {
    update: deadLetterKey(org, id),
    set: { retry_delivery_id: delivery_id },
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

function listingOf(org: string, { olderThan }: Span) {
  // What follows the moment in a sort key makes those of the very moment sort after it.
  const sk = olderThan === undefined ? undefined : { atMost: olderThan };
  return { index: "gsi1" as const, pk: deadLettersOf(org), sk };
}

/** One page of an organization's entries, those first that failed last. */
export async function listDeadLetters(
  records: RecordStore,
  org: string,
  span: Span,
  page: PageRequest,
): Promise<Omit<RecordListing, "items"> & { entries: DeadLetter[] }> {
  const { items, ...rest } = await readPage(records, { ...listingOf(org, span), descending: true }, page);
  return { entries: items.map((item) => fromItem<DeadLetter>(item)), ...rest };
}

/** The entries of an organization that failed last before a moment, oldest first, at most `limit`. */
export async function readOldest(records: RecordStore, org: string, span: Span, limit: number): Promise<DeadLetter[]> {
  const { items } = await records.query({ ...listingOf(org, span), limit });
  return items.map((item) => fromItem<DeadLetter>(item));
}

/** How many entries there are, counted up to a bound, and since when. */
export async function readQueueStatistics(records: RecordStore, org: string, upTo: number) {
  const list = listingOf(org, {});
  const retried = { ...list, where: { retry_delivery_id: { absent: false } } };
  const [total, retries, [oldest], newest] = await Promise.all([
    records.count(list, upTo),
    records.count(retried, upTo),
    readOldest(records, org, {}, 1),
    records.query({ ...list, descending: true, limit: 1 }),
  ]);
  const [latest] = newest.items.map((item) => fromItem<DeadLetter>(item));
  return {
    total_entries: total,
    retried_entries: retries,
    oldest_entry_at: oldest?.last_failed_at ?? null,
    newest_entry_at: latest?.last_failed_at ?? null,
  };
}
