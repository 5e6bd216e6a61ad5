import { inParallel } from "../../../kernel/parallel.ts";
import type { RecordChange } from "../../../ports/changes.ts";
import type { OrgRuntime, Runtime } from "../../../runtime/context.ts";
import { deliveryOf, type Made, makeDeliveries } from "./deliveries.ts";
import { describe } from "./describe.ts";
import { eventIn, type Occurrence } from "./events.ts";
import { factEvents, type Statement, statementIn } from "./facts.ts";
import { enqueueDeliveries } from "./queue.ts";
import { readWebhooks } from "./records.ts";
import { resourceOf, type Webhook, wants } from "./webhook.ts";

/** Organizations, and events, processed concurrently. */
const CONCURRENCY = 16;
/** The feed's times are whole seconds, rounded down. */
const PRECISION_MS = 1000;

/**
 * Creates and enqueues the deliveries of a batch of changes. An organization without matching webhooks costs one
 * lookup. Repeating it creates no duplicates. Rejects if any of it must be repeated.
 */
export async function emitEvents(runtime: Runtime, changes: RecordChange[]): Promise<void> {
  const named = changes.flatMap((change) => eventIn(change) ?? []).map((each) => [each.id, each] as const);
  const occurrences = Map.groupBy(new Map(named).values(), ({ org }) => org);
  const stated = changes.flatMap((change) => statementIn(change) ?? []);
  const statements = Map.groupBy(stated, ({ memory }) => memory.org);
  const organizations = [...new Set([...occurrences.keys(), ...statements.keys()])];
  const wanted = await inParallel(organizations, CONCURRENCY, (org) =>
    wantedIn({ ...runtime, org }, occurrences.get(org) ?? [], statements.get(org) ?? []),
  );
  const found = await inParallel(wanted.flat(), CONCURRENCY, (each) => deliveriesOf(runtime, each));
  const made = found.flat();
  const failing = new Set(made.filter(({ isFailing }) => isFailing).map(({ delivery }) => delivery.id));
  const created = await makeDeliveries(runtime, made);
  const ways = Map.groupBy(created, ({ id }) => failing.has(id));
  for (const [detached, deliveries] of ways) await enqueueDeliveries(runtime, deliveries, { detached });
}

/** An event and the webhooks that may receive it. */
interface Wanted {
  occurrence: Occurrence;
  webhooks: Webhook[];
}

/**
 * A webhook receives all events after its creation or change was answered, so webhooks read before the changes were
 * committed are not used.
 */
async function wantedIn(runtime: OrgRuntime, occurrences: Occurrence[], statements: Statement[]): Promise<Wanted[]> {
  const active = await readWebhooks(runtime.ports.records, runtime.org, { status: "active" });
  const asksForFacts = active.some(({ events }) => events.some((event) => resourceOf(event) === "fact"));
  const facts = asksForFacts ? await inParallel(statements, CONCURRENCY, (each) => factEvents(runtime, each)) : [];
  const all = new Map([...occurrences, ...facts.flat()].map((each) => [each.id, each]));
  return [...all.values()]
    .map((occurrence) => ({ occurrence, webhooks: active.filter((webhook) => asksFor(webhook, occurrence)) }))
    .filter(({ webhooks }) => webhooks.length > 0);
}

/** Checks the conditions that need no read of the resource: the event's name, and that the webhook was active. */
function asksFor(
  { events, created_at, active_since = created_at }: Webhook,
  { event, timestamp, at }: Occurrence,
): boolean {
  const happened = Math.max(at, Date.parse(timestamp));
  return events.includes(event) && happened + PRECISION_MS > Date.parse(active_since);
}

/** A delivery to create, and whether its receiver has been failing, which selects the separate queue. */
interface Emission extends Made {
  isFailing: boolean;
}

async function deliveriesOf(runtime: Runtime, { occurrence, webhooks }: Wanted): Promise<Emission[]> {
  const event = await describe({ ...runtime, org: occurrence.org }, occurrence);
  if (!event) return [];
  return webhooks
    .filter((webhook) => wants(webhook, event))
    .map((webhook) => ({
      ...deliveryOf(webhook, event, runtime.clock()),
      isFailing: webhook.failing_since !== undefined,
    }));
}
