import { timestamp } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/digest.ts";
import { DAY_MS, DAY_SECONDS } from "../../../kernel/durations.ts";
import { derivedId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/pagination.ts";
import { fromItem, toItem } from "../../../ports/item.ts";
import { AFTER_ANY_ID, COUNT_CEILING, filterBy, type Listing, readPage } from "../../../ports/listing.ts";
import type { RecordKey, RecordQuery, RecordStore, StoredRecord, Write } from "../../../ports/record-store.ts";
import type { KeptPayload } from "./payloads.ts";
import {
  type AttemptResult,
  type Delivery,
  type DeliveryLogEntry,
  type DeliveryNames,
  type DeliveryState,
  MAX_DELAY_MS,
} from "./webhook.ts";

const KEPT_SECONDS = 30 * DAY_SECONDS;
/** The longest delay between attempts, during which a pending delivery may not change, plus a day of slack. */
const MAX_PENDING_MS = MAX_DELAY_MS + DAY_MS;
const ATTEMPT_DIGITS = 4;

const entryKey = ({ org, delivery_id, attempt_number }: DeliveryLogEntry): RecordKey => ({
  pk: `${org}#${delivery_id}`,
  sk: `attempt#${String(attempt_number).padStart(ATTEMPT_DIGITS, "0")}`,
});
/** Every made or due attempt, under `gsi1`. */
export const logOf = (org: string): string => `${org}#delivery-log`;
const logOfWebhook = (org: string, webhook: string): string => `${org}#delivery-log#webhook#${webhook}`;
const logOfState = (org: string, status: DeliveryState): string => `${org}#delivery-log#state#${status}`;

/** The index keys that list an attempt in the logs of its organization and its webhook. */
export function listedInLog({ org, webhook_id }: { org: string; webhook_id: string }, position: string) {
  return { gsi1pk: logOf(org), gsi1sk: position, gsi2pk: logOfWebhook(org, webhook_id), gsi2sk: position };
}

/** The id of a delivery's current attempt: the same while it is pending and after it was made. */
export function logIdOf({ id, attempt_number }: Pick<Delivery, "id" | "attempt_number">): string {
  return derivedId("deliveryLog", sha256(`${id}#${attempt_number}`));
}

/** The write of a log entry, which replaces that of the same attempt; it expires after a fixed time. */
export function putLogEntry(entry: DeliveryLogEntry): Write {
  const position = `${entry.timestamp}#${entry.id}`;
  const ttl = Math.ceil(Date.parse(entry.timestamp) / 1000) + KEPT_SECONDS;
  const ofState = { gsi3pk: logOfState(entry.org, entry.status), gsi3sk: position };
  const listing = { ...listedInLog(entry, position), ...ofState, ttl };
  return { put: toItem(entryKey(entry), "delivery_log", entry, listing) };
}

/** The parts of a delivery that its log entries and its dead letter repeat. */
export type Attempted = Pick<Delivery, "id" | "attempt_number" | keyof DeliveryNames | keyof KeptPayload>;

/** The fields of a delivery that its log entries and its dead letter repeat. */
export function referenceTo({ id, org, webhook_id, event_id, event, payload, payload_parts }: Attempted) {
  return { delivery_id: id, org, webhook_id, event_id, event, payload, payload_parts };
}

/** The log entry of a delivery's current attempt; `at` is its position in the log (ISO 8601). */
function entryOfAttempt(delivery: Attempted, status: DeliveryState, at: string): DeliveryLogEntry {
  const { attempt_number } = delivery;
  return { ...referenceTo(delivery), id: logIdOf(delivery), status, attempt_number, timestamp: at };
}

/** The log entry of a made attempt. */
export function logEntryOf(delivery: Attempted, result: AttemptResult): DeliveryLogEntry {
  const { outcome, at, delivery_time_ms, response, signature, failure } = result;
  const status = outcome === "success" ? "success" : "failed";
  return { ...entryOfAttempt(delivery, status, at), delivery_time_ms, response, signature, failure };
}

function toEntry(record: StoredRecord): DeliveryLogEntry {
  if (record.kind === "delivery_log") return fromItem<DeliveryLogEntry>(record);
  const delivery = fromItem<Delivery>(record);
  return entryOfAttempt(delivery, "pending", delivery.updated_at);
}

export interface LogFilter {
  webhook_id?: string | undefined;
  status?: DeliveryState | undefined;
  event?: string | undefined;
  /** ISO 8601, inclusive. */
  start_time?: string | undefined;
  end_time?: string | undefined;
}

/** One page of made and pending attempts, newest first. */
export async function listLog(
  records: RecordStore,
  org: string,
  filter: LogFilter,
  now: number,
  page: PageRequest,
): Promise<Omit<Listing, "items"> & { entries: DeliveryLogEntry[] }> {
  const { webhook_id, status, event, end_time } = filter;
  const from = status === "pending" ? pendingSince(filter, now) : filter.start_time;
  const sk = from || end_time ? { atLeast: from, atMost: end_time && end_time + AFTER_ANY_ID } : undefined;
  if (status !== undefined && status !== "pending" && webhook_id === undefined && event === undefined) {
    const narrow = { index: "gsi3" as const, pk: logOfState(org, status), sk, descending: true };
    const { items, ...rest } = await readPage(records, narrow, page);
    return { entries: await readWhole(records, items), ...rest };
  }
  const list =
    webhook_id === undefined
      ? { index: "gsi1" as const, pk: logOf(org) }
      : { index: "gsi2" as const, pk: logOfWebhook(org, webhook_id) };
  const where = filterBy(status && { status }, event === undefined ? undefined : { event });
  const query = { ...list, sk, where };
  const isWhole = where === undefined && webhook_id === undefined;
  const countOn = isWhole ? () => countWhole(records, org, sk, now) : query;
  const { items, ...rest } = await readPage(records, { ...query, descending: true }, page, countOn);
  return { entries: items.map(toEntry), ...rest };
}

/** The size of an organization's log, counted up to a bound that is cheap: made attempts by state, and pending ones. */
async function countWhole(records: RecordStore, org: string, sk: RecordQuery["sk"], now: number): Promise<number> {
  const from = pendingSince({ start_time: sk && "atLeast" in sk ? sk.atLeast : undefined }, now);
  const pending = {
    index: "gsi1" as const,
    pk: logOf(org),
    sk: { ...sk, atLeast: from },
    where: { status: "pending" },
  };
  const counts = await Promise.all([
    records.count({ index: "gsi3", pk: logOfState(org, "success"), sk }, COUNT_CEILING),
    records.count({ index: "gsi3", pk: logOfState(org, "failed"), sk }, COUNT_CEILING),
    records.count(pending, COUNT_CEILING),
  ]);
  return Math.min(
    COUNT_CEILING,
    counts.reduce((sum, count) => sum + count, 0),
  );
}

function pendingSince({ start_time = "" }: LogFilter, now: number): string {
  const earliest = timestamp(now - MAX_PENDING_MS);
  return start_time > earliest ? start_time : earliest;
}

/** The records that a narrow index listed, in its order. */
async function readWhole(records: RecordStore, items: StoredRecord[]): Promise<DeliveryLogEntry[]> {
  const found = await records.getMany(items.map(({ pk, sk }) => ({ pk, sk })));
  const byKey = new Map(found.map((record) => [`${record.pk} ${record.sk}`, toEntry(record)]));
  return items.flatMap(({ pk, sk }) => byKey.get(`${pk} ${sk}`) ?? []);
}
