import { inParallel } from "../kernel/parallel.ts";
import type { RecordChange } from "../platform/changes.ts";
import type { Home, OrgHome } from "../platform/context.ts";
import { deliveryOf, type Made, makeDeliveries } from "./deliveries.ts";
import { describe } from "./describe.ts";
import { eventIn, type Occurrence } from "./events.ts";
import { announceDeliveries } from "./queue.ts";
import { activeWebhooks, webhooksFor } from "./records.ts";
import type { Webhook, WebhookEvent } from "./webhook.ts";

/** Events that are looked into at a time. */
const WIDTH = 16;
/** The feed tells whole seconds, rounded down. */
const PRECISION_MS = 1000;

/**
 * Makes the deliveries of what a batch of changes is about, and has them sent. Where an organization has no webhook for an
 * event, that costs a look at what is remembered. Repeating it makes no second delivery. Rejects when any of it is to be
 * done again.
 */
export async function emitEvents(home: Home, changes: RecordChange[]): Promise<void> {
  const named = changes.flatMap((change) => eventIn(change) ?? []).map((each) => [each.id, each] as const);
  const occurrences = [...new Map(named).values()];
  const found = await inParallel(occurrences, WIDTH, (each) => deliveriesOf({ ...home, org: each.org }, each));
  const made = found.flat();
  const failing = new Set(made.filter(({ isFailing }) => isFailing).map(({ delivery }) => delivery.id));
  const announced = await makeDeliveries(home, made);
  const ways = Map.groupBy(announced, ({ id }) => failing.has(id));
  for (const [detached, deliveries] of ways) await announceDeliveries(home, deliveries, { detached });
}

/** A delivery to be made, and whether its receiver has been failing: then it takes the way where it is in nobody's. */
interface Emission extends Made {
  isFailing: boolean;
}

async function deliveriesOf(home: OrgHome, occurrence: Occurrence): Promise<Emission[]> {
  const active = await activeWebhooks(home);
  if (!active.some((webhook) => asksFor(webhook, occurrence))) return [];
  const event = await describe(home, occurrence);
  if (!event) return [];
  const wanting = await webhooksFor(home, event);
  return wanting
    .filter((webhook) => asksFor(webhook, event))
    .map((webhook) => ({
      ...deliveryOf(webhook, event, home.clock()),
      isFailing: webhook.failing_since !== undefined,
    }));
}

/** By what is known without a look at the resource: the name, and that it happened since there is the webhook. */
function asksFor({ events, created_at }: Webhook, { event, timestamp }: Pick<WebhookEvent, "event" | "timestamp">) {
  return events.includes(event) && Date.parse(timestamp) + PRECISION_MS > Date.parse(created_at);
}
