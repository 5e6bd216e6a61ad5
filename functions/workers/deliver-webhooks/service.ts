import * as z from "zod";
import { timestamp } from "../../../shared/kernel/clock.ts";
import type { Home, OrgHome } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";
import type { QueueMessage } from "../../../shared/platform/ports.ts";
import { REDELIVER_QUEUE } from "../../../shared/platform/queues.ts";
import { beginAttempt, finishAttempt, postponeAttempt } from "../../../shared/webhooks/attempts.ts";
import { announceDeliveries, type DeliveryMessage } from "../../../shared/webhooks/queue.ts";
import { activeWebhooks } from "../../../shared/webhooks/records.ts";
import { nextAttemptAt } from "../../../shared/webhooks/schedule.ts";
import { attemptDelivery } from "../../../shared/webhooks/sending.ts";
import type { Webhook } from "../../../shared/webhooks/webhook.ts";
import { type EndTurn, Turns } from "./turns.ts";

const Message = z.object({
  org: z.string(),
  delivery_id: z.string(),
  webhook_id: z.string(),
  deferrals: z.int().optional(),
});

/** All that come in one batch: most of an attempt is waiting. */
const WIDTH = 10;
/** What an attempt takes besides the receiver's time; whoever is not done by then is taken for gone. */
const LEASE_MARGIN_MS = 10_000;
/** Wait for another try for a turn, which doubles from one to the next, and the longest. */
const DEFERRAL_SECONDS = 10;
const LONGEST_DEFERRAL_SECONDS = 60;

const leaseOf = ({ delivery_config }: Webhook): number => delivery_config.timeout_ms + LEASE_MARGIN_MS;

/** Makes the attempts that messages name. A receiver that keeps others waiting gives way to them, on a way of its own. */
export function createDeliverer(home: Home): MessageConsumer {
  const turns = new Turns();
  const putOff = gathered((messages) => home.ports.queue.send(REDELIVER_QUEUE, messages));
  return {
    width: async () => WIDTH,
    async consume({ body }) {
      const message = Message.parse(body);
      const own = { ...home, org: message.org };
      const end = await takeTurn(own, turns, message);
      if (!end) return defer(own, message, putOff);
      try {
        await attempt(own, message);
      } finally {
        end();
      }
    },
  };
}

async function takeTurn(home: OrgHome, turns: Turns, message: DeliveryMessage): Promise<EndTurn | undefined> {
  const { webhook_id, deferrals } = message;
  if (deferrals !== undefined) return turns.take(webhook_id, { detached: true });
  const active = await activeWebhooks(home);
  const isFailing = active.some(({ id, failing_since }) => id === webhook_id && failing_since !== undefined);
  return isFailing ? undefined : turns.take(webhook_id);
}

async function attempt(home: OrgHome, message: DeliveryMessage): Promise<void> {
  const begun = await beginAttempt(home, message, leaseOf);
  if (!begun) return;
  const { webhook, delivery } = begun;
  const result = await attemptDelivery(home, webhook, delivery);
  const next = nextAttemptAt(webhook, delivery, result, home.clock(), Math.random());
  const after = await finishAttempt(home, begun, result, next);
  if (after?.status === "pending") await announceDeliveries(home, [after]);
}

type Send = (message: QueueMessage) => Promise<void>;

/** Puts an attempt off: to the other way at once and, where it is there already, by longer each time. */
async function defer(home: OrgHome, { deferrals, ...message }: DeliveryMessage, send: Send): Promise<void> {
  if (deferrals === undefined) return send({ body: { ...message, deferrals: 0 } });
  const longest = Math.min(DEFERRAL_SECONDS * 2 ** deferrals, LONGEST_DEFERRAL_SECONDS);
  const delaySeconds = Math.ceil(longest * (1 - Math.random() / 2));
  const until = timestamp(home.clock() + delaySeconds * 1000);
  // Of several messages about one attempt the first puts it off, and the others end here.
  if (!(await postponeAttempt(home, message, until))) return;
  await send({ body: { ...message, deferrals: deferrals + 1 }, delaySeconds });
}

/** Sends what comes within one turn of the event loop together. */
function gathered(send: (messages: QueueMessage[]) => Promise<void>): Send {
  let waiting: { messages: QueueMessage[]; sent: Promise<void> } | undefined;
  const start = () => {
    const messages: QueueMessage[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(() => {
      waiting = undefined;
      resolve(send(messages));
    });
    waiting = { messages, sent: promise };
    return waiting;
  };
  return (message) => {
    const { messages, sent } = waiting ?? start();
    messages.push(message);
    return sent;
  };
}
