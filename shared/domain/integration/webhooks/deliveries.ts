import { timestamp } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/digest.ts";
import { DAY_SECONDS } from "../../../kernel/durations.ts";
import { derivedId } from "../../../kernel/ids.ts";
import { inBatches } from "../../../kernel/parallel.ts";
import { takeTurn } from "../../../kernel/turns.ts";
import { ConditionFailedError } from "../../../ports/errors.ts";
import { finderOf, fromItem, toItem } from "../../../ports/item.ts";
import { AFTER_ANY_ID } from "../../../ports/listing.ts";
import type { RecordKey, RecordStore, StoredRecord, Write } from "../../../ports/record-store.ts";
import { shardOf } from "../../../ports/shards.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { listedInLog, logIdOf } from "./delivery-log.ts";
import { keepPayload } from "./payloads.ts";
import { bodyOf, type DeadLetter, type Delivery, type Webhook, type WebhookEvent } from "./webhook.ts";

/** A finished delivery is kept longer than the change feed may redeliver its event. */
const KEPT_SECONDS = 7 * DAY_SECONDS;
/** Shards of the list of due deliveries, because one list would put all writes into one partition. */
const DUE_SHARDS = 8;
/** Deliveries created per transaction: some milliseconds. */
const BATCH = 20;

/** Identifies a delivery in a message. */
export interface DeliveryReference {
  delivery_id: string;
  webhook_id: string;
}

export const deliveryKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "delivery" });
const dueIn = (shard: number): string => `due-deliveries#${shard}`;

/** A pending delivery is in the log and in the list of due deliveries; a settled one is only kept. */
export function toDeliveryItem(delivery: Delivery): StoredRecord {
  const { org, id, status, next_attempt_at, updated_at } = delivery;
  const key = deliveryKey(org, id);
  if (status !== "pending" || next_attempt_at === undefined) {
    return toItem(key, "delivery", delivery, { ttl: Math.ceil(Date.parse(updated_at) / 1000) + KEPT_SECONDS });
  }
  const due = { gsi3pk: dueIn(shardOf(id, DUE_SHARDS)), gsi3sk: `${next_attempt_at}#${id}` };
  return toItem(key, "delivery", delivery, { ...listedInLog(delivery, `${updated_at}#${logIdOf(delivery)}`), ...due });
}

/** A delivery to create, with its payload. */
export interface NewDelivery {
  delivery: Delivery;
  payload: string;
}

/** The delivery of an event to a webhook with its payload. The same pair always makes the same delivery. */
export function deliveryOf(webhook: Webhook, event: WebhookEvent, now: number): NewDelivery {
  const id = derivedId("delivery", sha256(`${event.id}#${webhook.id}`));
  const names = { org: event.org, webhook_id: webhook.id, event_id: event.id, event: event.event };
  return { delivery: newDelivery(id, names, now), payload: bodyOf(event, webhook.delivery_config) };
}

function newDelivery(
  id: string,
  names: Pick<Delivery, "org" | "webhook_id" | "event_id" | "event" | "dead_letter">,
  now: number,
): Delivery {
  const at = timestamp(now);
  return {
    ...names,
    id,
    status: "pending",
    attempt_number: 1,
    next_attempt_at: at,
    claims: 0,
    created_at: at,
    updated_at: at,
  };
}

/** The new delivery of a retried dead letter. */
export function deliveryOfDeadLetter(runtime: Pick<OrgRuntime, "ids" | "clock">, entry: DeadLetter): Delivery {
  const { org, webhook_id, event_id, event, id, attempts, first_failed_at } = entry;
  const dead_letter = { id, attempts, first_failed_at };
  return newDelivery(runtime.ids("delivery"), { org, webhook_id, event_id, event, dead_letter }, runtime.clock());
}

/** The writes that create a delivery; the first one is refused if it exists. */
export function insertDelivery(delivery: Delivery, payload: string, now: number): Write[] {
  const { kept, writes } = keepPayload(delivery, payload, now);
  return [{ put: toDeliveryItem({ ...delivery, ...kept }), condition: "absent" }, ...writes];
}

/** Creates missing deliveries. Returns those to enqueue: new ones, and unstarted ones, whose message may be lost. */
export async function makeDeliveries(
  { ports: { records }, clock }: Pick<OrgRuntime, "ports" | "clock">,
  all: NewDelivery[],
): Promise<Delivery[]> {
  const inserts = all.map(({ delivery, payload }) => ({
    delivery,
    writes: insertDelivery(delivery, payload, clock()),
  }));
  const short = inserts.filter(({ writes }) => writes.length === 1);
  const long = inserts.filter(({ writes }) => writes.length > 1);
  const created: Delivery[] = [];
  for (const batch of [...inBatches(short, BATCH), ...inBatches(long, 1)]) {
    const [first] = batch;
    if (first) await takeTurn(first.delivery.org);
    created.push(...(await createBatch(records, batch)));
  }
  return created;
}

async function createBatch(
  records: RecordStore,
  batch: { delivery: Delivery; writes: Write[] }[],
): Promise<Delivery[]> {
  const deliveries = batch.map(({ delivery }) => delivery);
  try {
    await records.write(...batch.flatMap(({ writes }) => writes));
    return deliveries;
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    const found = await records.getMany(deliveries.map(({ org, id }) => deliveryKey(org, id)));
    if (found.length === 0) throw error;
    const known = new Map(found.map((record) => [String(record.id), fromItem<Delivery>(record)]));
    const missing = batch.filter(({ delivery }) => !known.has(delivery.id));
    const rest = missing.length > 0 ? await createBatch(records, missing) : [];
    const isUnstarted = ({ status, attempt_number: number, claims }: Delivery) =>
      status === "pending" && number === 1 && claims === 0;
    return [...[...known.values()].filter(isUnstarted), ...rest];
  }
}

/** The pending deliveries whose attempt is due or overdue in a range (epoch milliseconds); about the `limit` oldest. */
export async function listDueDeliveries(
  records: RecordStore,
  { from = 0, to }: { from?: number; to: number },
  limit: number,
): Promise<Delivery[]> {
  const sk = { atLeast: timestamp(from), atMost: timestamp(to) + AFTER_ANY_ID };
  const limitPerShard = Math.ceil(limit / DUE_SHARDS);
  const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => dueIn(shard));
  const pages = await Promise.all(shards.map((pk) => records.query({ index: "gsi3", pk, sk, limit: limitPerShard })));
  const keys = pages.flatMap(({ items }) => items.map((item) => ({ pk: item.pk, sk: item.sk })));
  const found = keys.length > 0 ? await records.getMany(keys) : [];
  return found.map(fromItem<Delivery>).filter(({ status }) => status === "pending");
}

export const findDelivery = finderOf<Delivery>(deliveryKey);

/** The deliveries with these ids, in any order; deleted ones are left out. */
export async function findDeliveries(records: RecordStore, org: string, ids: string[]): Promise<Delivery[]> {
  if (ids.length === 0) return [];
  const found = await records.getMany([...new Set(ids)].map((id) => deliveryKey(org, id)));
  return found.map(fromItem<Delivery>);
}
