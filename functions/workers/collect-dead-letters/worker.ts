import * as z from "zod";
import { dropDelivery, giveUp } from "../../../shared/domain/integration/webhooks/attempts.ts";
import { findDelivery } from "../../../shared/domain/integration/webhooks/deliveries.ts";
import type { DeliveryMessage } from "../../../shared/domain/integration/webhooks/queue.ts";
import { findWebhook } from "../../../shared/domain/integration/webhooks/records.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE } from "../../../shared/ports/queues.ts";
import type { OrgRuntime, Runtime } from "../../../shared/runtime/context.ts";

export const worker: WorkerManifest = {
  name: "collect-dead-letters",
  source: { deadLetters: { of: [DELIVER_QUEUE, REDELIVER_QUEUE], batchSize: 10 } },
  capabilities: ["records"],
  memoryMb: 256,
  timeoutSeconds: 30,
};

const Message = z.object({ org: z.string(), delivery_id: z.string(), webhook_id: z.string() });

const CONCURRENCY = 10;

/**
 * Creates the consumer of dead-letter messages: a delivery that a worker started and never finished becomes a dead
 * letter; one that no worker started was only in the same batch, and stays pending.
 */
export function createMessageConsumer(runtime: Runtime): MessageConsumer {
  return {
    width: async () => CONCURRENCY,
    async consume({ body }) {
      const message = Message.parse(body);
      await collect({ ...runtime, org: message.org }, message);
    },
  };
}

async function collect(runtime: OrgRuntime, { org, delivery_id, webhook_id }: DeliveryMessage): Promise<void> {
  const { records } = runtime.ports;
  const [delivery, webhook] = await Promise.all([
    findDelivery(records, org, delivery_id),
    findWebhook(records, org, webhook_id),
  ]);
  const { status, next_attempt_at = "" } = delivery ?? {};
  // A later attempt has its own message.
  if (!delivery || status !== "pending" || next_attempt_at > timestamp(runtime.clock())) return;
  if (!webhook) return dropDelivery(runtime, delivery);
  if (delivery.claims === 0) {
    // Another message of the batch crashed the worker; the schedule enqueues this one again.
    runtime.logger.warn("DELIVERY_NOT_BEGUN", { org, delivery: delivery_id, webhook: webhook_id });
    return;
  }
  const isEnded = await giveUp(runtime, delivery);
  if (!isEnded) throw new Error(`the delivery '${delivery_id}' is being attempted; try again when the attempt ends`);
}
