import type { Home } from "../platform/context.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE } from "../platform/queues.ts";
import type { DeliveryReference } from "./deliveries.ts";
import type { Delivery } from "./webhook.ts";

/** What a message of the queues holds: that there may be an attempt to make, whose record says more. */
export interface DeliveryMessage extends DeliveryReference {
  org: string;
  /** On the way of those that nobody waits behind: times that it was put off there. */
  deferrals?: number;
}

/** The queue's own limit; what is due later is announced when its time comes near. */
const LONGEST_DELAY_SECONDS = 900;

/**
 * Tells the workers of deliveries that await an attempt, each when it is due; `detached` ones, and those that failed before,
 * on the way of their own. What cannot be sent now, or is not due soon, is announced again by the schedule.
 */
export async function announceDeliveries(
  { ports, clock, logger }: Pick<Home, "ports" | "clock" | "logger">,
  deliveries: Delivery[],
  { detached = false } = {},
): Promise<void> {
  const queues = Map.groupBy(deliveries, ({ attempt_number }) =>
    detached || attempt_number > 1 ? REDELIVER_QUEUE : DELIVER_QUEUE,
  );
  for (const [queue, own] of queues) {
    const way = queue === REDELIVER_QUEUE ? { deferrals: 0 } : {};
    const messages = own.flatMap((delivery) => messageOf(delivery, way, clock()) ?? []);
    if (messages.length === 0) continue;
    try {
      await ports.queue.send(queue, messages);
    } catch (error) {
      logger.warn("DELIVERIES_NOT_QUEUED", { deliveries: messages.length, error });
    }
  }
}

/** When anybody may begin the attempt that a delivery awaits (ISO): when it is due, and whoever is at it must be done. */
export function dueAt({ next_attempt_at = "", lease_until = "" }: Delivery): string {
  return next_attempt_at > lease_until ? next_attempt_at : lease_until;
}

/** Undefined for what is due so late that no queue would keep it for so long. */
function messageOf(delivery: Delivery, way: Pick<DeliveryMessage, "deferrals">, now: number) {
  const { org, id, webhook_id } = delivery;
  const delaySeconds = Math.max(0, Math.ceil((Date.parse(dueAt(delivery)) - now) / 1000));
  if (delaySeconds > LONGEST_DELAY_SECONDS) return undefined;
  return { body: { org, delivery_id: id, webhook_id, ...way }, delaySeconds };
}
