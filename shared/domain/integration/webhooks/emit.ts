import { timestamp } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/digest.ts";
import { SECOND_MS } from "../../../kernel/durations.ts";
import { derivedId } from "../../../kernel/ids.ts";
import { inParallel } from "../../../kernel/parallel.ts";
import { takeTurn } from "../../../kernel/turns.ts";
import type { RecordChange } from "../../../ports/changes.ts";
import { fromItem } from "../../../ports/item.ts";
import type { OrgRuntime, Runtime } from "../../../runtime/context.ts";
import { factsOfSlots, type PlacedFact, statesValue } from "../../memory/fact-reader.ts";
import { putFact } from "../../memory/facts/records.ts";
import type { FactReference, Memory } from "../../memory/memory.ts";
import { MEMORY_KIND } from "../../memory/memory-keys.ts";
import { deliveryOf, makeDeliveries } from "./deliveries.ts";
import { describe } from "./describe.ts";
import { eventIn, latestOf, type PendingEvent } from "./events.ts";
import { enqueueDeliveries } from "./queue.ts";
import { readWebhooks } from "./records.ts";
import { type Delivery, resourceOf, type Webhook, type WebhookEventName, wants } from "./webhook.ts";

/** Organizations, and events, processed concurrently. */
const CONCURRENCY = 16;
/** Deliveries of an organization's changes in one batch that are due at once, and how fast further ones follow. */
const DUE_AT_ONCE = 500;
const FURTHER_PER_SECOND = 100;
/** The feed's times are whole seconds, rounded down. */
const PRECISION_MS = 1000;

/** Creates and enqueues deliveries of changes; safe to repeat. An organization without webhooks costs one lookup. */
export async function emitEvents(runtime: Runtime, changes: RecordChange[]): Promise<void> {
  const named = changes.flatMap((change) => eventIn(change) ?? []).map((each) => [each.id, each] as const);
  const pendingEvents = Map.groupBy(new Map(named).values(), ({ org }) => org);
  const stated = changes.flatMap((change) => statementIn(change) ?? []);
  const statements = Map.groupBy(stated, ({ memory }) => memory.org);
  const organizations = [...new Set([...pendingEvents.keys(), ...statements.keys()])];
  const wanted = await inParallel(organizations, CONCURRENCY, (org) =>
    wantedIn({ ...runtime, org }, pendingEvents.get(org) ?? [], statements.get(org) ?? []),
  );
  const found = await inParallel(wanted.flat(), CONCURRENCY, (pending) => deliveriesOf(runtime, pending));
  const emissions = [...Map.groupBy(found.flat(), ({ delivery }) => delivery.org).values()].flatMap(spread);
  const failing = new Set(emissions.filter(({ isFailing }) => isFailing).map(({ delivery }) => delivery.id));
  const created = await makeDeliveries(runtime, emissions);
  for (const [detached, deliveries] of Map.groupBy(created, ({ id }) => failing.has(id))) {
    await enqueueDeliveries(runtime, deliveries, { detached });
  }
}

/** Delays deliveries beyond the first ones, so that those of other organizations do not wait for all of them. */
function spread<Emission extends { delivery: Delivery }>(emissions: Emission[]): Emission[] {
  return emissions.map((emission, index) => {
    if (index < DUE_AT_ONCE) return emission;
    const { delivery } = emission;
    const delayMs = Math.ceil(((index - DUE_AT_ONCE) * SECOND_MS) / FURTHER_PER_SECOND);
    const next_attempt_at = timestamp(Date.parse(delivery.created_at) + delayMs);
    return { ...emission, delivery: { ...delivery, next_attempt_at } };
  });
}

/** An event and the webhooks that may receive it. */
interface Wanted {
  pending: PendingEvent;
  webhooks: Webhook[];
}

/** Reads the webhooks without a cache: one that was created just before a change must receive its event. */
async function wantedIn(
  runtime: OrgRuntime,
  pendingEvents: PendingEvent[],
  statements: Statement[],
): Promise<Wanted[]> {
  const active = await readWebhooks(runtime.ports.records, runtime.org, { status: "active" });
  const hasFactSubscription = active.some(({ events }) => events.some((event) => resourceOf(event) === "fact"));
  const facts = hasFactSubscription
    ? await inParallel(statements, CONCURRENCY, (statement) => factEvents(runtime, statement))
    : [];
  const all = new Map([...pendingEvents, ...facts.flat()].map((pending) => [pending.id, pending]));
  return [...all.values()]
    .map((pending) => ({ pending, webhooks: active.filter((webhook) => isSubscribed(webhook, pending)) }))
    .filter(({ webhooks }) => webhooks.length > 0);
}

/** Checks the conditions that need no read of the resource: the event's name, and that the webhook was active. */
function isSubscribed(
  { events, created_at, active_since = created_at }: Webhook,
  { event, timestamp, at }: PendingEvent,
): boolean {
  const happenedAt = Math.max(at, Date.parse(timestamp));
  return events.includes(event) && happenedAt + PRECISION_MS > Date.parse(active_since);
}

/** Deliveries to create, and whether their receivers have been failing, which selects the separate queue. */
async function deliveriesOf(runtime: Runtime, { pending, webhooks }: Wanted) {
  await takeTurn(pending.org);
  const event = await describe({ ...runtime, org: pending.org }, pending);
  if (!event) return [];
  return webhooks
    .filter((webhook) => wants(webhook, event))
    .map((webhook) => ({
      ...deliveryOf(webhook, event, runtime.clock()),
      isFailing: webhook.failing_since !== undefined,
    }));
}

/** A memory with new statements. */
interface Statement {
  memory: Pick<Memory, "org" | "id" | "user_id" | "agent_id" | "category">;
  facts: FactReference[];
  /** ISO 8601. */
  timestamp: string;
  /** Epoch milliseconds of the commit. */
  at: number;
}

/** The new statements of a memory change. Facts that are read later from the same revision are not new. */
function statementIn({ before, after, at = 0 }: RecordChange): Statement | undefined {
  if (after?.kind !== MEMORY_KIND || before?.revision === after.revision) return undefined;
  const memory = fromItem<Memory>(after);
  const earlier = new Set((before?.observations as FactReference[] | undefined)?.map(({ id }) => id));
  const facts = (memory.observations ?? []).filter(({ id }) => !earlier.has(id));
  return facts.length === 0 ? undefined : { memory, facts, timestamp: latestOf(at, after), at };
}

/**
 * Returns the events of a memory's statements: each new fact, and each fact that is closed by another one if either of
 * them is new, as far as the memory's author may read them. The same pair always makes the same event.
 */
async function factEvents(runtime: OrgRuntime, { memory, facts, timestamp, at }: Statement): Promise<PendingEvent[]> {
  const slots = [...new Set(facts.map(({ slot }) => slot))];
  const placed = await factsOfSlots({ ...runtime, viewer: memory.agent_id }, memory.user_id, slots);
  const ids = new Set(facts.map(({ id }) => id));
  const { org, user_id, category } = memory;
  const toPendingEvent = (event: WebhookEventName, fact: PlacedFact, by: string): PendingEvent => ({
    id: derivedId("event", sha256(JSON.stringify([org, event, fact.id, by]))),
    ...{ event, timestamp, org, user_id, category, at },
    record: putFact(fact).put,
  });
  const isNew = (id: string | undefined) => id !== undefined && ids.has(id);
  return placed.flatMap((fact) => [
    ...(isNew(fact.id) && statesValue(fact) ? [toPendingEvent("fact.created", fact, "")] : []),
    ...(fact.superseded_by !== undefined && (isNew(fact.id) || isNew(fact.superseded_by))
      ? [toPendingEvent("fact.superseded", fact, fact.superseded_by)]
      : []),
  ]);
}
