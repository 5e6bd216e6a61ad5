import * as z from "zod";
import { timestamp } from "../../../shared/kernel/clock.ts";
import type { Home, OrgHome } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";
import { dropDelivery, giveUp } from "../../../shared/webhooks/attempts.ts";
import { findDelivery } from "../../../shared/webhooks/deliveries.ts";
import type { DeliveryMessage } from "../../../shared/webhooks/queue.ts";
import { findWebhook } from "../../../shared/webhooks/records.ts";

const Message = z.object({ org: z.string(), delivery_id: z.string(), webhook_id: z.string() });

const WIDTH = 10;

/**
 * Makes dead letters of deliveries whose messages the queue gave up on: whoever began them never came to an end. Those that
 * nobody began only shared the fate of others.
 */
export function createCollector(home: Home): MessageConsumer {
  return {
    width: async () => WIDTH,
    async consume({ body }) {
      const message = Message.parse(body);
      await collect({ ...home, org: message.org }, message);
    },
  };
}

async function collect(home: OrgHome, { org, delivery_id, webhook_id }: DeliveryMessage): Promise<void> {
  const { records } = home.ports;
  const [delivery, webhook] = await Promise.all([
    findDelivery(records, org, delivery_id),
    findWebhook(records, org, webhook_id),
  ]);
  const { status, next_attempt_at = "" } = delivery ?? {};
  // A later attempt has a message of its own.
  if (!delivery || status !== "pending" || next_attempt_at > timestamp(home.clock())) return;
  if (!webhook) return dropDelivery(home, delivery);
  if (delivery.claims === 0) {
    // What broke the workers was another message beside it; the schedule announces it again.
    home.logger.warn("DELIVERY_NOT_BEGUN", { org, delivery: delivery_id, webhook: webhook_id });
    return;
  }
  const isEnded = await giveUp(home, delivery);
  if (!isEnded) throw new Error(`the delivery '${delivery_id}' is being attempted; its end is awaited`);
}
