import { randomUUID } from "node:crypto";
import { audit } from "../audit/audit.ts";
import { timestamp } from "../kernel/clock.ts";
import type { OrgHome } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import type { Write } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { deadLetterIdOf, putDeadLetter, removeDeadLetter } from "./dead-letters.ts";
import { type DeliveryReference, deliveryKey, toDelivery, toDeliveryItem } from "./deliveries.ts";
import { entryOfAttempt, putLogEntry } from "./delivery-log.ts";
import { countDelivery } from "./figures.ts";
import { findWebhook, forgetWebhooks, pauseWebhook, tellWebhook, toWebhook, webhookKey } from "./records.ts";
import type {
  AttemptResult,
  DeadLetter,
  Delivery,
  DeliveryLogEntry,
  FailureReason,
  PauseReason,
  Webhook,
} from "./webhook.ts";

/** A webhook of which nothing but failures come for so long is paused. */
const PAUSED_AFTER_MS = 5 * 86_400_000;
/** So often is an attempt begun that nobody comes to the end of. */
const MOST_CLAIMS = 5;
/** How often the end of an attempt is written that met a change of its webhook. */
const MAX_WRITES = 5;

/** An attempt that is the caller's to make: nobody else begins it before its lease has run out. */
export interface BegunAttempt {
  webhook: Webhook;
  delivery: Delivery & { lease: string };
}

/**
 * Begins the attempt that a delivery awaits. Undefined where there is nothing to do: it is settled, not due yet, or
 * somebody else is at it. What was for a deleted webhook is dropped; what was for one that wants nothing now is a dead
 * letter, and so is what broke whoever began it time and again.
 */
export async function beginAttempt(
  home: OrgHome,
  { delivery_id, webhook_id }: DeliveryReference,
  leaseMs: (webhook: Webhook) => number,
): Promise<BegunAttempt | undefined> {
  const { org, ports, clock } = home;
  const found = await ports.records.getMany([deliveryKey(org, delivery_id), webhookKey(org, webhook_id)]);
  const [delivery] = found.filter(({ kind }) => kind === "delivery").map(toDelivery);
  const [webhook] = found.filter(({ kind }) => kind === "webhook").map(toWebhook);
  const now = timestamp(clock());
  if (!delivery || !isFree(delivery, now)) return undefined;
  if (!webhook) {
    await dropDelivery(home, delivery);
    return undefined;
  }
  if (webhook.status !== "active") {
    await failUnsent(home, delivery, { reason: "webhook_inactive", message: `The webhook is ${webhook.status}.` });
    return undefined;
  }
  if (delivery.claims >= MOST_CLAIMS) {
    await giveUp(home, delivery);
    return undefined;
  }
  const claimed = await claim(home, delivery, now, leaseMs(webhook));
  return claimed && { webhook, delivery: claimed };
}

function isFree({ status, next_attempt_at = "", lease_until = "" }: Delivery, now: string): boolean {
  return status === "pending" && next_attempt_at <= now && lease_until <= now;
}

async function claim(home: OrgHome, delivery: Delivery, now: string, leaseMs: number) {
  const { org, id, attempt_number, claims } = delivery;
  const lease = randomUUID();
  const lease_until = timestamp(home.clock() + leaseMs);
  const own: Write = {
    update: deliveryKey(org, id),
    set: { lease, lease_until, gsi3sk: `${lease_until}#${id}` },
    add: { claims: 1 },
    condition: { status: "pending", attempt_number, lease_until: { atMost: now, orAbsent: true } },
  };
  return (await writeUnlessChanged(home, own)) ? { ...delivery, lease, lease_until, claims: claims + 1 } : undefined;
}

/** Has an attempt that is due wait until a moment (ISO). False where it is not due any more, or somebody is at it. */
export async function postponeAttempt(
  home: OrgHome,
  { delivery_id }: Pick<DeliveryReference, "delivery_id">,
  until: string,
): Promise<boolean> {
  const now = timestamp(home.clock());
  return writeUnlessChanged(home, {
    update: deliveryKey(home.org, delivery_id),
    set: { next_attempt_at: until, gsi3sk: `${until}#${delivery_id}` },
    condition: {
      status: "pending",
      next_attempt_at: { atMost: now },
      lease_until: { atMost: now, orAbsent: true },
    },
  });
}

/**
 * Ends an attempt: the delivery's state, the log, what it tells of the webhook and, where it was the last, the dead
 * letter, all in one transaction. `nextAttemptAt` (ISO) is when a failed one is to be tried again; without it that was
 * the last. Answers the delivery as it is now; undefined where it was no longer the caller's to end.
 */
export async function finishAttempt(
  home: OrgHome,
  { webhook, delivery }: BegunAttempt,
  result: AttemptResult,
  nextAttemptAt?: string,
): Promise<Delivery | undefined> {
  const after = outcomeOf(delivery, result, timestamp(home.clock()), nextAttemptAt);
  const own: Write[] = [
    { put: toDeliveryItem(after), condition: { status: "pending", lease: delivery.lease } },
    putLogEntry(logEntryOf(delivery, result)),
    ...deadLetterWrites(after, result),
  ];
  if (!(await writeEnd(home, webhook, own, result))) return undefined;
  const { webhook_id, event, status } = after;
  const counted = { at: result.at, durationMs: result.delivery_time_ms };
  countDelivery(home, { webhook_id, event, attempt: counted, ...(status !== "pending" && { settled: status }) });
  return after;
}

/** Writes the end of an attempt with what it tells of the webhook as that is now. False where it was no longer the caller's. */
async function writeEnd(home: OrgHome, webhook: Webhook, own: Write[], result: AttemptResult): Promise<boolean> {
  let current: Webhook | undefined = webhook;
  for (let attempt = 1; ; attempt++) {
    const reason = current && reasonToPause(current, result);
    const told: Write[] = current && reason ? pause(home, current, reason) : tell(current, result);
    try {
      await home.ports.records.write(...own, ...told);
      if (reason) notePause(home, webhook, reason);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === MAX_WRITES) throw error;
      if (error.index === 0) return false;
      current = await findWebhook(home.ports.records, home.org, webhook.id);
    }
  }
}

function outcomeOf(
  delivery: Delivery,
  result: AttemptResult,
  now: string,
  nextAttemptAt: string | undefined,
): Delivery {
  const { lease: _lease, lease_until: _until, next_attempt_at: _due, ...rest } = delivery;
  const ended = { ...rest, claims: 0, updated_at: now };
  if (result.outcome === "success") return { ...ended, status: "success" };
  const failed = { ...ended, first_failed_at: delivery.first_failed_at ?? result.at };
  if (result.outcome === "gone" || nextAttemptAt === undefined) return { ...failed, status: "failed" };
  return { ...failed, attempt_number: delivery.attempt_number + 1, next_attempt_at: nextAttemptAt };
}

function logEntryOf(delivery: Delivery, result: AttemptResult): DeliveryLogEntry {
  const { outcome, at, delivery_time_ms, response, signature, failure } = result;
  const status = outcome === "success" ? "success" : "failed";
  return { ...entryOfAttempt(delivery, status, at), delivery_time_ms, response, signature, failure };
}

/** Of a delivery that ended: the entry it leaves, or takes away. */
function deadLetterWrites(delivery: Delivery, { failure, response, at }: AttemptResult): Write[] {
  const { org, status, dead_letter, attempt_number } = delivery;
  if (status === "success") return dead_letter ? [removeDeadLetter({ org, id: dead_letter.id })] : [];
  if (status === "pending") return [];
  const { reason = "http_error", message = "" } = failure ?? {};
  return [
    putDeadLetter(entryOf(delivery, { reason, message, at, attempts: attempt_number, http_status: response?.status })),
  ];
}

interface LastFailure {
  reason: FailureReason;
  message: string;
  at: string;
  /** Those of this delivery that were made. */
  attempts: number;
  http_status?: number | undefined;
}

function entryOf(delivery: Delivery, { reason, message, at, attempts, http_status = 0 }: LastFailure): DeadLetter {
  const { id, org, webhook_id, event_id, event, payload, payload_parts, dead_letter, first_failed_at } = delivery;
  return {
    id: deadLetterIdOf(delivery),
    org,
    webhook_id,
    event_id,
    event,
    delivery_id: id,
    payload,
    payload_parts,
    failure_reason: reason,
    http_status: http_status === 0 ? null : http_status,
    error_message: message,
    attempts: attempts + (dead_letter?.attempts ?? 0),
    first_failed_at: dead_letter?.first_failed_at ?? first_failed_at ?? at,
    last_failed_at: at,
  };
}

/** Why the service pauses an active webhook after an attempt, if it does. */
function reasonToPause({ status, failing_since }: Webhook, { outcome, at }: AttemptResult): PauseReason | undefined {
  if (status !== "active" || outcome === "success") return undefined;
  if (outcome === "gone") return "gone";
  const isHopeless = failing_since !== undefined && Date.parse(at) - Date.parse(failing_since) >= PAUSED_AFTER_MS;
  return isHopeless ? "failing" : undefined;
}

function pause(home: OrgHome, webhook: Webhook, reason: PauseReason): Write[] {
  const { id, failing_since } = webhook;
  const details = { reason, ...(failing_since !== undefined && { failing_since }) };
  return [
    pauseWebhook(webhook, { pause_reason: reason, updated_at: timestamp(home.clock()) }),
    audit(home, { action: "webhook.paused", target: id, details, actor: { kind: "system" } }),
  ];
}

function notePause({ ports, logger }: OrgHome, { org, id }: Webhook, reason: PauseReason): void {
  forgetWebhooks(ports.records, org);
  logger.warn("WEBHOOK_PAUSED", { org, webhook: id, reason });
}

/** What the end of an attempt tells of its webhook; nothing where that is known, or the webhook is gone. */
function tell(webhook: Webhook | undefined, { outcome, at }: AttemptResult): Write[] {
  if (!webhook) return [];
  const isKnown = (webhook.failing_since === undefined) === (outcome === "success");
  if (isKnown) return [];
  const told = outcome === "success" ? { remove: ["failing_since"] } : { set: { failing_since: at } };
  return [tellWebhook(webhook, told)];
}

// ---------------------------------------------------------------- ends without an attempt

/** Removes a delivery whose webhook is gone. */
export async function dropDelivery({ ports, logger }: OrgHome, delivery: Delivery): Promise<void> {
  const { org, id, webhook_id, event } = delivery;
  await ports.records.write({ delete: deliveryKey(org, id) });
  logger.info("DELIVERY_DROPPED", { org, delivery: id, webhook: webhook_id, event });
}

/** Makes a dead letter of a delivery that workers began and never came to the end of. False as `failUnsent`. */
export async function giveUp(home: OrgHome, delivery: Delivery): Promise<boolean> {
  const message = "The workers broke off each time that they were to make this attempt.";
  const isEnded = await failUnsent(home, delivery, { reason: "worker_failed", message });
  const { org, id, webhook_id } = delivery;
  if (isEnded) home.logger.error("DELIVERY_GIVEN_UP", { org, delivery: id, webhook: webhook_id });
  return isEnded;
}

/** Ends a delivery without an attempt, as a dead letter. False where it is settled, or somebody is at it. */
export async function failUnsent(
  home: OrgHome,
  delivery: Delivery,
  failure: { reason: FailureReason; message: string },
): Promise<boolean> {
  const at = timestamp(home.clock());
  const { lease: _lease, lease_until: _until, next_attempt_at: _due, ...rest } = delivery;
  const attempts = delivery.attempt_number - 1;
  const { attempt_number } = delivery;
  const isEnded = await writeUnlessChanged(
    home,
    {
      put: toDeliveryItem({ ...rest, status: "failed", attempt_number: Math.max(1, attempts), updated_at: at }),
      condition: { status: "pending", attempt_number, lease_until: { atMost: at, orAbsent: true } },
    },
    putDeadLetter(entryOf(delivery, { ...failure, at, attempts })),
  );
  const { webhook_id, event } = delivery;
  if (isEnded) countDelivery(home, { webhook_id, event, settled: "failed" });
  return isEnded;
}
