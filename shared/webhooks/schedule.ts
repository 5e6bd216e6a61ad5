import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE } from "../platform/queues.ts";
import { listDueDeliveries } from "./deliveries.ts";
import { announceDeliveries, dueAt } from "./queue.ts";
import { type AttemptResult, DELIVERY_DEFAULTS, type Delivery, LONGEST_DELAY_MS, type Webhook } from "./webhook.ts";

/** The usual delay grows so much from attempt to attempt, and is longer or shorter by up to that share of it. */
const GROWTH = 2;
const JITTER = 0.2;

/**
 * When a failed attempt is to be made again (ISO); undefined after the last. A delay that was given is always the same;
 * the usual one grows, and differs from delivery to delivery, so that those that failed together do not come back together.
 * A receiver that asks for more time is given it. `chance` is 0..1.
 */
export function nextAttemptAt(
  { delivery_config: { retry_count, retry_delay_ms } }: Pick<Webhook, "delivery_config">,
  { attempt_number }: Pick<Delivery, "attempt_number">,
  { outcome, retry_after_ms = 0 }: Pick<AttemptResult, "outcome" | "retry_after_ms">,
  now: number,
  chance: number,
): string | undefined {
  if (outcome !== "retryable" || attempt_number > retry_count) return undefined;
  const delay = retry_delay_ms ?? usualDelay(attempt_number, chance);
  return timestamp(now + Math.max(delay, retry_after_ms));
}

function usualDelay(attempt: number, chance: number): number {
  const grown = Math.min(DELIVERY_DEFAULTS.retry_delay_ms * GROWTH ** (attempt - 1), LONGEST_DELAY_MS);
  return Math.round(grown * (1 + JITTER * (2 * chance - 1)));
}

/** How often what is due is looked for, and how far beyond the next look. */
export const ANNOUNCED_EVERY_MINUTES = 1;
const AHEAD_MS = 90_000;
/** So late an attempt's message is lost, unless it is among others that wait. */
const OVERDUE_MS = 60_000;
const MOST_ANNOUNCED = 4_000;
/** Where others wait: few beside what is worked off in a minute. */
const MOST_WHERE_BUSY = 100;

/**
 * Announces deliveries that are due soon, or ought to have been made: those whose delay no queue keeps for so long, those
 * whose worker ended in the middle, and those whose message was lost. One that is announced twice is attempted once.
 */
export async function announceDueDeliveries(home: Home): Promise<number> {
  const { records } = home.ports;
  const now = home.clock();
  const [late, soon] = await Promise.all([
    listDueDeliveries(records, { to: now - OVERDUE_MS }, MOST_ANNOUNCED),
    listDueDeliveries(records, { from: now, to: now + AHEAD_MS }, MOST_ANNOUNCED),
  ]);
  const all = [...(await lostOf(home, late)), ...soon];
  await announceDeliveries(home, all, { detached: true });
  return all.length;
}

/** Where others wait, those that wait longest: what is not lost is worked off, and what is lost becomes one of them. */
async function lostOf(home: Home, late: Delivery[]): Promise<Delivery[]> {
  if (late.length <= MOST_WHERE_BUSY || !(await isBusy(home))) return late;
  return late.toSorted((one, other) => (dueAt(one) < dueAt(other) ? -1 : 1)).slice(0, MOST_WHERE_BUSY);
}

async function isBusy({ ports }: Home): Promise<boolean> {
  const depths = await Promise.all([DELIVER_QUEUE, REDELIVER_QUEUE].map((queue) => ports.queue.depth(queue)));
  return depths.some(({ waiting }) => waiting > 0);
}
