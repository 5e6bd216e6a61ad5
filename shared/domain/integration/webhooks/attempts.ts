import { randomUUID } from "node:crypto";
import { timestamp } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { retryOnConflict, tryWrite } from "../../../ports/conflicts.ts";
import type { ConditionFailedError } from "../../../ports/errors.ts";
import { fromItem } from "../../../ports/item.ts";
import type { Write } from "../../../ports/record-store.ts";
import { audit } from "../../../runtime/audit/audit.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { deadLetterIdOf, putDeadLetter, removeDeadLetter } from "./dead-letters.ts";
import { type DeliveryReference, deliveryKey, toDeliveryItem } from "./deliveries.ts";
import { logEntryOf, putLogEntry, referenceTo } from "./delivery-log.ts";
import { countDelivery } from "./metrics.ts";
import { findWebhook, forgetWebhooks, pauseWebhook, updateDeliveryState, webhookKey } from "./records.ts";
import type { AttemptResult, DeadLetter, Delivery, FailureReason, PauseReason, Webhook } from "./webhook.ts";

/** Milliseconds of continuous failure after which a webhook is paused. */
const PAUSED_AFTER_MS = 5 * DAY_MS;
/** How often an attempt that does not end is started. */
const MAX_CLAIMS = 5;

/** A started attempt that the caller owns: no other worker starts it before its lease expires. */
export interface BegunAttempt {
  webhook: Webhook;
  delivery: Delivery & { lease: string };
}

/**
 * Starts the due attempt of a delivery. Returns undefined if there is nothing to do: it is settled, not due yet, or
 * owned by another worker. A delivery for a deleted webhook is dropped; one for an inactive webhook becomes a dead
 * letter, and so does one that repeatedly crashed its worker.
 */
export async function beginAttempt(
  runtime: OrgRuntime,
  { delivery_id, webhook_id }: DeliveryReference,
  leaseMs: (webhook: Webhook) => number,
): Promise<BegunAttempt | undefined> {
  const { org, ports, clock } = runtime;
  const found = await ports.records.getMany([deliveryKey(org, delivery_id), webhookKey(org, webhook_id)]);
  const [delivery] = found.filter(({ kind }) => kind === "delivery").map(fromItem<Delivery>);
  const [webhook] = found.filter(({ kind }) => kind === "webhook").map(fromItem<Webhook>);
  const now = timestamp(clock());
  if (!delivery || !isClaimable(delivery, now)) return undefined;
  if (!webhook) {
    await dropDelivery(runtime, delivery);
    return undefined;
  }
  if (webhook.status !== "active") {
    await failUnsent(runtime, delivery, { reason: "webhook_inactive", message: `The webhook is ${webhook.status}.` });
    return undefined;
  }
  if (delivery.claims >= MAX_CLAIMS) {
    await giveUp(runtime, delivery);
    return undefined;
  }
  const claimed = await claim(runtime, delivery, now, leaseMs(webhook));
  return claimed && { webhook, delivery: claimed };
}

function isClaimable({ status, next_attempt_at = "", lease_until = "" }: Delivery, now: string): boolean {
  return status === "pending" && next_attempt_at <= now && lease_until <= now;
}

async function claim(runtime: OrgRuntime, delivery: Delivery, now: string, leaseMs: number) {
  const { org, id, attempt_number, claims } = delivery;
  const lease = randomUUID();
  const lease_until = timestamp(runtime.clock() + leaseMs);
  const write: Write = {
    update: deliveryKey(org, id),
    set: { lease, lease_until, gsi3sk: `${lease_until}#${id}` },
    add: { claims: 1 },
    condition: { status: "pending", attempt_number, lease_until: { atMost: now, orAbsent: true } },
  };
  return (await tryWrite(runtime, write)) ? { ...delivery, lease, lease_until, claims: claims + 1 } : undefined;
}

/** Postpones a due attempt to a time (ISO 8601). Returns false if it is no longer due or another worker owns it. */
export async function postponeAttempt(
  runtime: OrgRuntime,
  { delivery_id }: Pick<DeliveryReference, "delivery_id">,
  until: string,
): Promise<boolean> {
  const now = timestamp(runtime.clock());
  return tryWrite(runtime, {
    update: deliveryKey(runtime.org, delivery_id),
    set: { next_attempt_at: until, gsi3sk: `${until}#${delivery_id}` },
    condition: { status: "pending", next_attempt_at: { atMost: now }, lease_until: { atMost: now, orAbsent: true } },
  });
}

/**
 * Ends an attempt: the delivery's state, the log, the webhook's state and, after the last attempt, the dead letter, in
 * one transaction. `nextAttemptAt` (ISO 8601) is the time of the next attempt; without it this was the last. Returns
 * the updated delivery; undefined if the caller no longer owns the attempt.
 */
export async function finishAttempt(
  runtime: OrgRuntime,
  { webhook, delivery }: BegunAttempt,
  result: AttemptResult,
  nextAttemptAt?: string,
): Promise<Delivery | undefined> {
  const updated = outcomeOf(delivery, result, timestamp(runtime.clock()), nextAttemptAt);
  const attemptWrites: Write[] = [
    { put: toDeliveryItem(updated), condition: { status: "pending", lease: delivery.lease } },
    putLogEntry(logEntryOf(delivery, result)),
    ...deadLetterWrites(updated, result),
  ];
  if (!(await writeEnd(runtime, webhook, attemptWrites, result))) return undefined;
  const { webhook_id, event, status } = updated;
  const attempt = { at: result.at, durationMs: result.delivery_time_ms };
  countDelivery(runtime, { webhook_id, event, attempt, ...(status !== "pending" && { settled: status }) });
  return updated;
}

/** Writes the end of an attempt with the webhook's new state; returns whether the caller still owned the attempt. */
async function writeEnd(
  runtime: OrgRuntime,
  webhook: Webhook,
  attemptWrites: Write[],
  result: AttemptResult,
): Promise<boolean> {
  const write = async (conflict?: ConditionFailedError) => {
    if (conflict?.index === 0) return false;
    const current = conflict ? await findWebhook(runtime.ports.records, runtime.org, webhook.id) : webhook;
    const reason = current && reasonToPause(current, result);
    const changes: Write[] = current && reason ? pause(runtime, current, reason) : updateWebhook(current, result);
    await runtime.ports.records.write(...attemptWrites, ...changes);
    if (reason) reportPause(runtime, webhook, reason);
    return true;
  };
  return retryOnConflict(write);
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

/** The write that stores or deletes the dead letter of a finished delivery; none if nothing changes. */
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
  /** The number of attempts of this delivery. */
  attempts: number;
  http_status?: number | undefined;
}

function entryOf(delivery: Delivery, { reason, message, at, attempts, http_status = 0 }: LastFailure): DeadLetter {
  const { dead_letter, first_failed_at } = delivery;
  return {
    ...referenceTo(delivery),
    id: deadLetterIdOf(delivery),
    failure_reason: reason,
    http_status: http_status === 0 ? null : http_status,
    error_message: message,
    attempts: attempts + (dead_letter?.attempts ?? 0),
    first_failed_at: dead_letter?.first_failed_at ?? first_failed_at ?? at,
    last_failed_at: at,
  };
}

/** Why an active webhook is paused after an attempt, if it is. */
function reasonToPause({ status, failing_since }: Webhook, { outcome, at }: AttemptResult): PauseReason | undefined {
  if (status !== "active" || outcome === "success") return undefined;
  if (outcome === "gone") return "gone";
  const isFailingTooLong = failing_since !== undefined && Date.parse(at) - Date.parse(failing_since) >= PAUSED_AFTER_MS;
  return isFailingTooLong ? "failing" : undefined;
}

function pause(runtime: OrgRuntime, webhook: Webhook, reason: PauseReason): Write[] {
  const { id, failing_since } = webhook;
  const details = { reason, ...(failing_since !== undefined && { failing_since }) };
  return [
    pauseWebhook(webhook, { pause_reason: reason, updated_at: timestamp(runtime.clock()) }),
    audit(runtime, { action: "webhook.paused", target: id, details, actor: { kind: "system" } }),
  ];
}

function reportPause(runtime: OrgRuntime, { org, id }: Webhook, reason: PauseReason): void {
  forgetWebhooks(runtime);
  runtime.logger.warn("WEBHOOK_PAUSED", { org, webhook: id, reason });
}

/** The change of a webhook after an attempt; none if nothing changes or the webhook was deleted. */
function updateWebhook(webhook: Webhook | undefined, { outcome, at }: AttemptResult): Write[] {
  if (!webhook) return [];
  const isUnchanged = (webhook.failing_since === undefined) === (outcome === "success");
  if (isUnchanged) return [];
  return [updateDeliveryState(webhook, { failing_since: outcome === "success" ? undefined : at })];
}

/** Deletes a delivery whose webhook was deleted. */
export async function dropDelivery({ ports, logger }: OrgRuntime, delivery: Delivery): Promise<void> {
  const { org, id, webhook_id, event } = delivery;
  await ports.records.write({ delete: deliveryKey(org, id) });
  logger.info("DELIVERY_DROPPED", { org, delivery: id, webhook: webhook_id, event });
}

/** Makes a dead letter of a delivery that repeatedly crashed its workers. Returns false as `failUnsent` does. */
export async function giveUp(runtime: OrgRuntime, delivery: Delivery): Promise<boolean> {
  const message = "The worker stopped before the end of every attempt.";
  const isEnded = await failUnsent(runtime, delivery, { reason: "worker_failed", message });
  const { org, id, webhook_id } = delivery;
  if (isEnded) runtime.logger.error("DELIVERY_GIVEN_UP", { org, delivery: id, webhook: webhook_id });
  return isEnded;
}

/** Ends a delivery without an attempt, as a dead letter. Returns false if it is settled or another worker owns it. */
export async function failUnsent(
  runtime: OrgRuntime,
  delivery: Delivery,
  failure: { reason: FailureReason; message: string },
): Promise<boolean> {
  const at = timestamp(runtime.clock());
  const { lease: _lease, lease_until: _until, next_attempt_at: _due, ...rest } = delivery;
  const attempts = delivery.attempt_number - 1;
  const { attempt_number } = delivery;
  const isEnded = await tryWrite(
    runtime,
    {
      put: toDeliveryItem({ ...rest, status: "failed", attempt_number: Math.max(1, attempts), updated_at: at }),
      condition: { status: "pending", attempt_number, lease_until: { atMost: at, orAbsent: true } },
    },
    putDeadLetter(entryOf(delivery, { ...failure, at, attempts })),
  );
  const { webhook_id, event } = delivery;
  if (isEnded) countDelivery(runtime, { webhook_id, event, settled: "failed" });
  return isEnded;
}
