import {
  findDeadLetter,
  listDeadLetterIds,
  listDeadLetters,
  readQueueStatistics,
  removeDeadLetter,
  retryDeadLetter,
} from "../../shared/domain/integration/webhooks/dead-letters.ts";
import {
  deliveryOfDeadLetter,
  findDeliveries,
  findDelivery,
  insertDelivery,
} from "../../shared/domain/integration/webhooks/deliveries.ts";
import { readPayload } from "../../shared/domain/integration/webhooks/payloads.ts";
import { enqueueDeliveries } from "../../shared/domain/integration/webhooks/queue.ts";
import type { DeadLetter, Delivery } from "../../shared/domain/integration/webhooks/webhook.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { existing, invalid, notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { writeOrThrow } from "../../shared/ports/conflicts.ts";
import { COUNT_CEILING } from "../../shared/ports/listing.ts";
import { audit } from "../../shared/runtime/audit/audit.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { payloadsOf } from "./payloads.ts";
import type * as schemas from "./schemas.ts";
import { findOwn } from "./service.ts";

/** Entries deleted per transaction. */
const ENTRIES_PER_WRITE = 100;
/** Time limit of a request, after which it reports that more entries remain. */
const PURGE_MS = 10_000;

async function getEntry(ctx: Context, id: string): Promise<DeadLetter> {
  return existing(await findDeadLetter(ctx.ports.records, ctx.org, id), "dead_letter", id);
}

export async function listEntries(ctx: Context, { older_than, ...page }: Input<typeof schemas.ListDeadLetters>) {
  const { records } = ctx.ports;
  const [{ items: entries, total, hasNext }, queue_stats] = await Promise.all([
    listDeadLetters(records, ctx.org, { olderThan: older_than }, page),
    readQueueStatistics(records, ctx.org, COUNT_CEILING),
  ]);
  const [payloads, dueAt] = await Promise.all([payloadsOf(ctx, entries, () => 0), retriesOf(ctx, entries)]);
  return {
    dead_letter_entries: entries.map((entry, index) => ({
      ...entry,
      original_payload: payloads[index]?.payload ?? null,
      next_retry_at: dueAt.get(entry.retry_delivery_id ?? "") ?? null,
    })),
    queue_stats,
    pagination: pagination(page, total, hasNext),
  };
}

/** When the requested retries are due (ISO 8601), by delivery id. */
async function retriesOf(ctx: Context, entries: DeadLetter[]): Promise<Map<string, string>> {
  const ids = entries.flatMap(({ retry_delivery_id }) => retry_delivery_id ?? []);
  const deliveries = await findDeliveries(ctx.ports.records, ctx.org, ids);
  return new Map(deliveries.flatMap(({ id, next_attempt_at }) => (next_attempt_at ? [[id, next_attempt_at]] : [])));
}

/** Sends a dead letter as a new delivery. If that fails, it becomes this dead letter again. */
export async function retryEntry(ctx: Context, id: string) {
  const entry = await getEntry(ctx, id);
  await refuseSecondRetry(ctx, entry);
  const webhook = await findOwn(ctx, entry.webhook_id);
  if (webhook.status !== "active") {
    throw new ServiceError("CONFLICT", `The webhook is ${webhook.status}. Make it active, then retry.`, {
      webhook_id: webhook.id,
      status: webhook.status,
    });
  }
  const payload = existing(await readPayload(ctx.ports.records, entry), "dead_letter", id);
  const delivery = deliveryOfDeadLetter(ctx, entry);
  await storeRetry(ctx, entry, delivery, payload);
  await enqueueDeliveries(ctx, [delivery]);
  return {
    dlq_id: id,
    retry_status: "queued" as const,
    estimated_retry_time: delivery.next_attempt_at ?? delivery.created_at,
    webhook_id: entry.webhook_id,
    event: entry.event,
    delivery_id: delivery.id,
  };
}

/** Maximum number of dead letters that one request looks at. */
const MAX_RETRIED = 500;

/**
 * Retries the dead letters that match, most recently failed first, so that those that fail again while it runs are not
 * met twice. An entry that cannot be retried is skipped.
 */
export async function retryMatching(ctx: Context, filter: Input<typeof schemas.RetryDeadLetters>) {
  const { webhook_id, event, older_than } = filter;
  const before = older_than ?? timestamp(ctx.clock() + 1);
  const page = { limit: MAX_RETRIED, offset: 0 };
  const { items, hasNext } = await listDeadLetters(ctx.ports.records, ctx.org, { olderThan: before }, page);
  const counts = { retried_count: 0, skipped_count: 0 };
  const until = ctx.clock() + PURGE_MS;
  let last: DeadLetter | undefined;
  for (const entry of items) {
    if (ctx.clock() >= until) break;
    last = entry;
    if ((webhook_id ?? entry.webhook_id) !== entry.webhook_id || (event ?? entry.event) !== entry.event) continue;
    counts[(await wasRetried(ctx, entry.id)) ? "retried_count" : "skipped_count"]++;
  }
  const has_more = hasNext || last?.id !== items.at(-1)?.id;
  return { ...counts, has_more, continue_before: (has_more && last?.last_failed_at) || null };
}

async function wasRetried(ctx: Context, id: string): Promise<boolean> {
  try {
    await retryEntry(ctx, id);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

async function refuseSecondRetry({ ports, org }: Context, { id, retry_delivery_id }: DeadLetter): Promise<void> {
  if (retry_delivery_id === undefined) return;
  const earlier = await findDelivery(ports.records, org, retry_delivery_id);
  if (earlier?.status === "pending") throw retryInProgress(id, earlier);
}

function retryInProgress(dead_letter_id: string, delivery?: Delivery): ServiceError {
  return new ServiceError("CONFLICT", "A retry of this entry is in progress. Wait for its result.", {
    dead_letter_id,
    ...(delivery && { delivery_id: delivery.id, next_retry_at: delivery.next_attempt_at }),
  });
}

async function storeRetry(ctx: Context, entry: DeadLetter, delivery: Delivery, payload: string): Promise<void> {
  const writes = [retryDeadLetter(entry, delivery.id), ...insertDelivery(delivery, payload, ctx.clock())];
  await writeOrThrow(ctx, writes, ({ existing }) =>
    existing ? retryInProgress(entry.id) : notFound("dead_letter", entry.id),
  );
}

export async function deleteEntry(ctx: Context, id: string) {
  const entry = await getEntry(ctx, id);
  const deletion = audit(ctx, { action: "webhook.dead_letter_deleted", target: id, details: { event: entry.event } });
  await ctx.ports.records.write(removeDeadLetter(entry), deletion);
  return { id, deleted_at: timestamp(ctx.clock()) };
}

/** Deletes dead letters, oldest first, within a request's time; `has_more` says whether some remain. */
export async function purge(ctx: Context, { confirm, older_than }: Input<typeof schemas.PurgeBody>) {
  if (confirm !== true) {
    throw invalid({ field: "confirm", problem: "must be true: this permanently deletes dead letters" });
  }
  const { records } = ctx.ports;
  const now = ctx.clock();
  const filter = { olderThan: older_than ?? timestamp(now + 1) };
  let purged_count = 0;
  let has_more = false;
  for await (const entries of listDeadLetterIds(records, ctx.org, filter, ENTRIES_PER_WRITE)) {
    has_more = ctx.clock() >= now + PURGE_MS;
    if (has_more) break;
    await records.write(...entries.map(removeDeadLetter));
    purged_count += entries.length;
  }
  const details = { entries: purged_count, ...(older_than !== undefined && { older_than }) };
  await records.write(audit(ctx, { action: "webhook.dead_letters_purged", details }));
  return { purged_count, has_more, purged_at: timestamp(ctx.clock()) };
}
