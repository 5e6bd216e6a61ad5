import { inBatches } from "../../../kernel/parallel.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE } from "../../../ports/queues.ts";
import type { Runtime } from "../../../runtime/context.ts";
import type { DeliveryReference } from "./deliveries.ts";
import type { Delivery } from "./webhook.ts";

/** A queue message: an attempt may be due; the record has the details. */
export interface DeliveryMessage extends DeliveryReference {
  org: string;
  /** In the separate queue, how often it was deferred. */
  deferrals?: number;
}

/** The longest delay of a queue message; the schedule enqueues deliveries that are due later. */
const MAX_DELAY_SECONDS = 900;
/** Messages that are sent together: on one machine, in one transaction. */
const MAX_PER_SEND = 100;

/**
 * Enqueues deliveries for their due time; `detached` ones, and those that failed before, go to the separate queue. The
 * schedule enqueues those that cannot be sent now or are due later.
 */
export async function enqueueDeliveries(
  { ports, clock, logger }: Pick<Runtime, "ports" | "clock" | "logger">,
  deliveries: Delivery[],
  { detached = false } = {},
): Promise<void> {
  const queues = Map.groupBy(deliveries, ({ attempt_number }) =>
    detached || attempt_number > 1 ? REDELIVER_QUEUE : DELIVER_QUEUE,
  );
  for (const [queue, batch] of queues) {
    const options = queue === REDELIVER_QUEUE ? { deferrals: 0 } : {};
    const all = batch.flatMap((delivery) => messageOf(delivery, options, clock()) ?? []);
    for (const messages of inBatches(all, MAX_PER_SEND)) {
      try {
        await ports.queue.send(queue, messages);
      } catch (error) {
        logger.warn("DELIVERIES_NOT_QUEUED", { deliveries: messages.length, error });
      }
    }
  }
}

/** When a delivery's attempt may start (ISO 8601): when it is due and any current lease has expired. */
export function dueAt({ next_attempt_at = "", lease_until = "" }: Delivery): string {
  return next_attempt_at > lease_until ? next_attempt_at : lease_until;
}

/** The queue message of a delivery; undefined if it is due later than a queue can delay. */
function messageOf(delivery: Delivery, options: Pick<DeliveryMessage, "deferrals">, now: number) {
  const { org, id, webhook_id } = delivery;
  const delaySeconds = Math.max(0, Math.ceil((Date.parse(dueAt(delivery)) - now) / 1000));
  if (delaySeconds > MAX_DELAY_SECONDS) return undefined;
  return { body: { org, delivery_id: id, webhook_id, ...options }, delaySeconds };
}
