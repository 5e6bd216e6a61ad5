import type { Home } from "../platform/context.ts";
import { DELIVER_QUEUE } from "../platform/queues.ts";
import type { DeliveryReference } from "./deliveries.ts";
import type { Delivery } from "./webhook.ts";

/** What a message of the queue holds: that there may be an attempt to make, whose record says more. */
export interface DeliveryMessage extends DeliveryReference {
  org: string;
}

/** The queue's own limit; the sweep sees to what is due later. */
const LONGEST_DELAY_SECONDS = 900;

/** Tells the worker of deliveries that await an attempt, each when it is due. What cannot be sent now is sent by the sweep. */
export async function announceDeliveries(
  { ports, clock, logger }: Pick<Home, "ports" | "clock" | "logger">,
  deliveries: Delivery[],
): Promise<void> {
  const messages = deliveries.flatMap(({ org, id, webhook_id, next_attempt_at = "" }) => {
    const delaySeconds = Math.max(0, Math.ceil((Date.parse(next_attempt_at) - clock()) / 1000));
    return delaySeconds <= LONGEST_DELAY_SECONDS ? [{ body: { org, delivery_id: id, webhook_id }, delaySeconds }] : [];
  });
  if (messages.length === 0) return;
  try {
    await ports.queue.send(DELIVER_QUEUE, messages);
  } catch (error) {
    logger.warn("DELIVERIES_NOT_QUEUED", { deliveries: messages.length, error });
  }
}
