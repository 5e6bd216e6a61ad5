import { inParallel } from "../kernel/parallel.ts";
import type { RecordChange } from "../platform/changes.ts";
import type { Home, OrgHome } from "../platform/context.ts";
import { deliveryOf, type Made, makeDeliveries } from "./deliveries.ts";
import { describe } from "./describe.ts";
import { eventIn, type Occurrence } from "./events.ts";
import { factEvents, type Statement, statementIn } from "./facts.ts";
import { announceDeliveries } from "./queue.ts";
import { readWebhooks } from "./records.ts";
import { resourceOf, type Webhook, wants } from "./webhook.ts";

/** Organizations, and events, that are looked into at a time. */
const WIDTH = 16;
/** The feed tells whole seconds, rounded down. */
const PRECISION_MS = 1000;

/**
 * Makes the deliveries of what a batch of changes is about, and has them sent. Of an organization whose webhooks want none
 * of it, that costs the batch one look at these. Repeating it makes no second delivery. Rejects when any of it is to be
 * done again.
 */
export async function emitEvents(home: Home, changes: RecordChange[]): Promise<void> {
  const named = changes.flatMap((change) => eventIn(change) ?? []).map((each) => [each.id, each] as const);
  const occurrences = Map.groupBy(new Map(named).values(), ({ org }) => org);
  const stated = changes.flatMap((change) => statementIn(change) ?? []);
  const statements = Map.groupBy(stated, ({ memory }) => memory.org);
  const organizations = [...new Set([...occurrences.keys(), ...statements.keys()])];
  const wanted = await inParallel(organizations, WIDTH, (org) =>
    wantedIn({ ...home, org }, occurrences.get(org) ?? [], statements.get(org) ?? []),
  );
  const found = await inParallel(wanted.flat(), WIDTH, (each) => deliveriesOf(home, each));
  const made = found.flat();
  const failing = new Set(made.filter(({ isFailing }) => isFailing).map(({ delivery }) => delivery.id));
  const announced = await makeDeliveries(home, made);
  const ways = Map.groupBy(announced, ({ id }) => failing.has(id));
  for (const [detached, deliveries] of ways) await announceDeliveries(home, deliveries, { detached });
}

/** What happened, and the webhooks that may want to be told of it. */
interface Wanted {
  occurrence: Occurrence;
  webhooks: Webhook[];
}

/**
 * Whoever made a webhook, or changed one, and was answered, is told of all that happens from then on: none are gone by that
 * were read before the changes were committed.
 */
async function wantedIn(home: OrgHome, occurrences: Occurrence[], statements: Statement[]): Promise<Wanted[]> {
  const active = await readWebhooks(home.ports.records, home.org, { status: "active" });
  const asksForFacts = active.some(({ events }) => events.some((event) => resourceOf(event) === "fact"));
  const facts = asksForFacts ? await inParallel(statements, WIDTH, (each) => factEvents(home, each)) : [];
  const all = new Map([...occurrences, ...facts.flat()].map((each) => [each.id, each]));
  return [...all.values()]
    .map((occurrence) => ({ occurrence, webhooks: active.filter((webhook) => asksFor(webhook, occurrence)) }))
    .filter(({ webhooks }) => webhooks.length > 0);
}

/** By what is known without a look at the resource: the name, and that it happened while the webhook was active. */
function asksFor(
  { events, created_at, active_since = created_at }: Webhook,
  { event, timestamp, at }: Occurrence,
): boolean {
  const happened = Math.max(at, Date.parse(timestamp));
  return events.includes(event) && happened + PRECISION_MS > Date.parse(active_since);
}

/** A delivery to be made, and whether its receiver has been failing: then it takes the way where it is in nobody's. */
interface Emission extends Made {
  isFailing: boolean;
}

async function deliveriesOf(home: Home, { occurrence, webhooks }: Wanted): Promise<Emission[]> {
  const event = await describe({ ...home, org: occurrence.org }, occurrence);
  if (!event) return [];
  return webhooks
    .filter((webhook) => wants(webhook, event))
    .map((webhook) => ({
      ...deliveryOf(webhook, event, home.clock()),
      isFailing: webhook.failing_since !== undefined,
    }));
}
