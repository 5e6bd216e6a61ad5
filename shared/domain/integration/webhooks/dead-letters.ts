import { sha256 } from "../../../kernel/digest.ts";
import { DAY_SECONDS } from "../../../kernel/durations.ts";
import { derivedId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/pagination.ts";
import { finderOf, toItem } from "../../../ports/item.ts";
import { type Listing, listObjects } from "../../../ports/listing.ts";
import { queryPages } from "../../../ports/pages.ts";
import type { RecordKey, RecordPage, RecordStore, Write } from "../../../ports/record-store.ts";
import type { DeadLetter, Delivery } from "./webhook.ts";

const KEPT_SECONDS = 90 * DAY_SECONDS;

const deadLetterKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "dead_letter" });
export const deadLettersOf = (org: string): string => `${org}#dead-letters`;

/** The id of a delivery's dead letter: always the same; for a retry, that of the retried one. */
export function deadLetterIdOf({ id, dead_letter }: Pick<Delivery, "id" | "dead_letter">): string {
  return dead_letter?.id ?? derivedId("deadLetter", sha256(id));
}

/** The status of a dead letter in the narrow index, for counts: whether a retry was requested since the failure. */
type EntryStatus = "waiting" | "retried";

/** The write of a dead letter, which replaces the one with its id; it expires after a fixed time. */
export function putDeadLetter(entry: DeadLetter): Write {
  const { org, id, last_failed_at } = entry;
  const ttl = Math.ceil(Date.parse(last_failed_at) / 1000) + KEPT_SECONDS;
  const [list, byFailure] = [deadLettersOf(org), `${last_failed_at}#${id}`];
  const listing = { gsi1pk: list, gsi1sk: byFailure, gsi3pk: list, gsi3sk: byFailure, ttl };
  const status: EntryStatus = "waiting";
  return { put: toItem(deadLetterKey(org, id), "dead_letter", { ...entry, status }, listing) };
}

/** Records the delivery that retries a dead letter; refused if another one was recorded since it was read. */
export function retryDeadLetter({ org, id, retry_delivery_id }: DeadLetter, delivery_id: string): Write {
  const status: EntryStatus = "retried";
  return {
    update: deadLetterKey(org, id),
    set: { retry_delivery_id: delivery_id, status },
    condition: { event_id: { atLeast: "" }, retry_delivery_id: retry_delivery_id ?? { absent: true } },
  };
}

/** Deletes a dead letter; a missing one is ignored. */
export function removeDeadLetter({ org, id }: Pick<DeadLetter, "org" | "id">): Write {
  return { delete: deadLetterKey(org, id) };
}

/** Returns undefined if the id is missing or belongs to another organization. */
export const findDeadLetter = finderOf<DeadLetter>(deadLetterKey);

interface AgeFilter {
  /** ISO 8601; dead letters that last failed before it. */
  olderThan?: string | undefined;
}

function listingOf(org: string, { olderThan }: AgeFilter = {}) {
  // The suffix of a sort key makes entries of the same moment sort after it.
  const sk = olderThan === undefined ? undefined : { atMost: olderThan };
  return { index: "gsi1" as const, pk: deadLettersOf(org), sk };
}

/** The narrow index of the same entries, without their content; for counts. */
const narrowListingOf = (org: string, filter?: AgeFilter) => ({ ...listingOf(org, filter), index: "gsi3" as const });

/** One page of an organization's dead letters, most recently failed first. */
export function listDeadLetters(
  records: RecordStore,
  org: string,
  filter: AgeFilter,
  page: PageRequest,
): Promise<Listing<DeadLetter>> {
  const list = { ...listingOf(org, filter), descending: true };
  return listObjects(records, list, page, narrowListingOf(org, filter));
}

/** The ids of an organization's dead letters that last failed before a time, oldest first, `limit` at a time. */
export async function* listDeadLetterIds(
  records: RecordStore,
  org: string,
  filter: AgeFilter,
  limit: number,
): AsyncGenerator<Pick<DeadLetter, "org" | "id">[]> {
  for await (const items of queryPages(records, { ...narrowListingOf(org, filter), limit })) {
    yield items.map(({ id }) => ({ org, id: String(id) }));
  }
}

/** The numbers of dead letters, each counted up to `upTo`, and the times of the oldest and the newest. */
export async function readQueueStatistics(records: RecordStore, org: string, upTo: number) {
  const list = narrowListingOf(org);
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

/** When the first listed entry last failed. */
function momentOf({ items: [first] }: RecordPage): string | null {
  return first?.gsi3sk?.split("#")[0] ?? null;
}
