import * as z from "zod";
import { beginAttempt, finishAttempt, postponeAttempt } from "../../../shared/domain/integration/webhooks/attempts.ts";
import { type DeliveryMessage, enqueueDeliveries } from "../../../shared/domain/integration/webhooks/queue.ts";
import { activeWebhooks } from "../../../shared/domain/integration/webhooks/records.ts";
import { nextAttemptAt } from "../../../shared/domain/integration/webhooks/schedule.ts";
import { attemptDelivery } from "../../../shared/domain/integration/webhooks/sending.ts";
import { DELIVERY_BOUNDS, type Webhook } from "../../../shared/domain/integration/webhooks/webhook.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import { takeTurn } from "../../../shared/kernel/turns.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import type { QueueMessage } from "../../../shared/ports/queue.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE, sendsTo } from "../../../shared/ports/queues.ts";
import type { OrgRuntime, Runtime } from "../../../shared/runtime/context.ts";
import { ReceiverConcurrencyLimiter, type ReleaseSlot } from "./receiver-concurrency.ts";

const [, MAX_ATTEMPT_MS] = DELIVERY_BOUNDS.timeout_ms;

export const worker: WorkerManifest = {
  name: "deliver-webhooks",
  source: {
    queues: {
      names: [DELIVER_QUEUE, REDELIVER_QUEUE],
      batchSize: 10,
      maxReceives: 5,
      maxConcurrency: 20,
      concurrency: 20,
      redeliverAfterCrash: true,
    },
  },
  capabilities: ["records", ...sendsTo(DELIVER_QUEUE, REDELIVER_QUEUE), "secrets:sealing"],
  memoryMb: 512,
  // Time for the attempts of a batch, which run concurrently, for waiting for slots and for storing the results.
  timeoutSeconds: MAX_ATTEMPT_MS / 1000 + 30,
};

const Message = z.object({
  org: z.string(),
  delivery_id: z.string(),
  webhook_id: z.string(),
  deferrals: z.int().optional(),
});

/** A whole batch, because an attempt mostly waits for the receiver. */
const CONCURRENCY = 10;
/** A lease lasts this much longer than the receiver's timeout; when it has expired, the worker counts as crashed. */
const LEASE_MARGIN_MS = 10_000;
/** First and maximum delay of a deferred attempt; each further deferral doubles the delay. */
const DEFERRAL_SECONDS = 10;
const MAX_DEFERRAL_SECONDS = 60;

const leaseMsOf = ({ delivery_config }: Webhook): number => delivery_config.timeout_ms + LEASE_MARGIN_MS;

/** Attempts the delivery of each message. Attempts at a slow or failing receiver move to the separate queue. */
export function createMessageConsumer(runtime: Runtime): MessageConsumer {
  const limiter = new ReceiverConcurrencyLimiter();
  const sendDeferred = batchSends((messages) => runtime.ports.queue.send(REDELIVER_QUEUE, messages));
  return {
    width: async () => CONCURRENCY,
    async consume({ body }) {
      const message = Message.parse(body);
      await takeTurn(message.org);
      const orgRuntime = { ...runtime, org: message.org };
      const releaseSlot = await takeSlot(orgRuntime, limiter, message);
      if (!releaseSlot) return defer(orgRuntime, message, sendDeferred);
      try {
        await attempt(orgRuntime, message);
      } finally {
        releaseSlot();
      }
    },
  };
}

/** Returns the function that releases the slot for an attempt; undefined if the receiver is slow or failing. */
async function takeSlot(
  runtime: OrgRuntime,
  limiter: ReceiverConcurrencyLimiter,
  message: DeliveryMessage,
): Promise<ReleaseSlot | undefined> {
  const { webhook_id, deferrals } = message;
  if (deferrals !== undefined) return limiter.take(webhook_id, { detached: true });
  const active = await activeWebhooks(runtime);
  const isFailing = active.some(({ id, failing_since }) => id === webhook_id && failing_since !== undefined);
  return isFailing ? undefined : limiter.take(webhook_id);
}

async function attempt(runtime: OrgRuntime, message: DeliveryMessage): Promise<void> {
  const begun = await beginAttempt(runtime, message, leaseMsOf);
  if (!begun) return;
  const { webhook, delivery } = begun;
  const result = await attemptDelivery(runtime, webhook, delivery);
  await takeTurn(runtime.org);
  const next = nextAttemptAt(webhook, delivery, result, runtime.clock(), Math.random());
  const updated = await finishAttempt(runtime, begun, result, next);
  if (updated?.status === "pending") await enqueueDeliveries(runtime, [updated]);
}

type Send = (message: QueueMessage) => Promise<void>;

/** Defers an attempt: to the separate queue at once or, if it is already there, with growing delays. */
async function defer(runtime: OrgRuntime, { deferrals, ...message }: DeliveryMessage, send: Send): Promise<void> {
  if (deferrals === undefined) return send({ body: { ...message, deferrals: 0 } });
  const maxDelaySeconds = Math.min(DEFERRAL_SECONDS * 2 ** deferrals, MAX_DEFERRAL_SECONDS);
  const delaySeconds = Math.ceil(maxDelaySeconds * (1 - Math.random() / 2));
  const until = timestamp(runtime.clock() + delaySeconds * 1000);
  // Of several messages about one attempt, the first defers it and the others end here.
  if (!(await postponeAttempt(runtime, message, until))) return;
  await send({ body: { ...message, deferrals: deferrals + 1 }, delaySeconds });
}

/** Returns a function that collects the messages of one event loop iteration and sends them together. */
function batchSends(send: (messages: QueueMessage[]) => Promise<void>): Send {
  let batch: { messages: QueueMessage[]; sent: Promise<void> } | undefined;
  const start = () => {
    const messages: QueueMessage[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(() => {
      batch = undefined;
      resolve(send(messages));
    });
    batch = { messages, sent: promise };
    return batch;
  };
  return (message) => {
    const { messages, sent } = batch ?? start();
    messages.push(message);
    return sent;
  };
}
