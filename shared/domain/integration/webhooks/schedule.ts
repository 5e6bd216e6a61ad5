import { timestamp } from "../../../kernel/clock.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE } from "../../../ports/queues.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { listDueDeliveries } from "./deliveries.ts";
import { dueAt, enqueueDeliveries } from "./queue.ts";
import { type AttemptResult, DELIVERY_DEFAULTS, type Delivery, MAX_DELAY_MS, type Webhook } from "./webhook.ts";

/** Growth factor of the default delay per attempt, and its maximum random deviation. */
const GROWTH = 2;
const JITTER = 0.2;

/**
 * The time of a failed attempt's retry (ISO 8601); undefined after the last attempt. A given delay is fixed; the
 * default grows and varies between deliveries, so that those that failed together do not retry together. A receiver's
 * longer Retry-After is respected. `chance` is a random number from 0 to 1.
 */
export function nextAttemptAt(
  { delivery_config: { retry_count, retry_delay_ms } }: Pick<Webhook, "delivery_config">,
  { attempt_number }: Pick<Delivery, "attempt_number">,
  { outcome, retry_after_ms = 0 }: Pick<AttemptResult, "outcome" | "retry_after_ms">,
  now: number,
  chance: number,
): string | undefined {
  if (outcome !== "retryable" || attempt_number > retry_count) return undefined;
  const delay = retry_delay_ms ?? defaultDelay(attempt_number, chance);
  return timestamp(now + Math.max(delay, retry_after_ms));
}

function defaultDelay(attempt: number, chance: number): number {
  const grown = Math.min(DELIVERY_DEFAULTS.retry_delay_ms * GROWTH ** (attempt - 1), MAX_DELAY_MS);
  return Math.round(grown * (1 + JITTER * (2 * chance - 1)));
}

/** Interval at which due deliveries are looked for, and how far ahead. */
export const ENQUEUE_EVERY_MINUTES = 1;
const AHEAD_MS = 90_000;
/** After this delay an attempt's message counts as lost, unless others are waiting in the queue. */
const OVERDUE_MS = 60_000;
/** Maximum deliveries per read. */
const MAX_ENQUEUED = 4_000;
/** Limit while others wait: few compared with the throughput per minute. */
const MAX_PER_BUSY_QUEUE = 100;

/**
 * Enqueues deliveries that are due soon or overdue: those whose delay exceeds the queue's limit, those whose worker
 * died, and those whose message was lost. A delivery enqueued twice is attempted once. Returns their number.
 */
export async function enqueueDueDeliveries(runtime: Runtime): Promise<number> {
  const { records } = runtime.ports;
  const now = runtime.clock();
  const [late, soon] = await Promise.all([
    listDueDeliveries(records, { to: now - OVERDUE_MS }, MAX_ENQUEUED),
    listDueDeliveries(records, { from: now, to: now + AHEAD_MS }, MAX_ENQUEUED),
  ]);
  const all = [...(await lostOf(runtime, late)), ...soon];
  await enqueueDeliveries(runtime, all, { detached: true });
  return all.length;
}

/**
 * Returns the overdue deliveries to enqueue again. While messages wait in the queue, these are only those that have
 * waited longest: deliveries with a message are processed, so the lost ones remain and become the oldest.
 */
async function lostOf(runtime: Runtime, late: Delivery[]): Promise<Delivery[]> {
  if (late.length <= MAX_PER_BUSY_QUEUE || !(await isBusy(runtime))) return late;
  return late.toSorted((a, b) => (dueAt(a) < dueAt(b) ? -1 : 1)).slice(0, MAX_PER_BUSY_QUEUE);
}

async function isBusy({ ports }: Runtime): Promise<boolean> {
  const depths = await Promise.all([DELIVER_QUEUE, REDELIVER_QUEUE].map((queue) => ports.queue.depth(queue)));
  return depths.some(({ waiting }) => waiting > 0);
}
