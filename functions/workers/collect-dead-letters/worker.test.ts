import { beforeEach, expect, it } from "vitest";
import { toSqsEvent } from "../../../infra/local/queue-loop.ts";
import { beginAttempt, finishAttempt } from "../../../shared/domain/integration/webhooks/attempts.ts";
import { listDeadLetters } from "../../../shared/domain/integration/webhooks/dead-letters.ts";
import { deliveryOf, findDelivery, makeDeliveries } from "../../../shared/domain/integration/webhooks/deliveries.ts";
import { deleteWebhook } from "../../../shared/domain/integration/webhooks/records.ts";
import { enqueueDueDeliveries } from "../../../shared/domain/integration/webhooks/schedule.ts";
import type { Delivery, Webhook } from "../../../shared/domain/integration/webhooks/webhook.ts";
import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import type { OrgRuntime } from "../../../shared/runtime/context.ts";
import { type MovableClock, movableClock } from "../../../test/contract/movable-clock.ts";
import { openIdleRuntime } from "../../../test/support/idle-runtime.ts";
import { storeWebhook } from "../../../test/support/webhooks.ts";
import { createMessageConsumer, worker as manifest } from "./worker.ts";

const { bind } = queueWorker(manifest, createMessageConsumer);

const LEASE_MS = 20_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let clock: MovableClock;
let runtime: OrgRuntime;
let webhook: Webhook;
let delivery: Delivery;

beforeEach(async () => {
  clock = movableClock();
  const idle = await openIdleRuntime({ clock: clock.now });
  runtime = { ...idle.runtime, org: idle.runtime.ids("organization") };
  webhook = await storeWebhook(runtime);
  const resource = { name: "agent", value: { id: "agent_1" } };
  const at = timestamp(clock.now());
  const event = { id: "evt_1", event: "agent.created", timestamp: at, org: runtime.org, resource } as const;
  const made = deliveryOf(webhook, event, clock.now());
  ({ delivery } = made);
  await makeDeliveries(runtime, [made]);
});

function collect(body: object = { org: runtime.org, delivery_id: delivery.id, webhook_id: webhook.id }) {
  const now = clock.now();
  const message = { id: "m_1", receipt: "", body: JSON.stringify(body), receiveCount: 1 };
  return bind(runtime)(
    toSqsEvent("deliver-webhooks-dead-letters", [{ ...message, sentAt: now, firstReceivedAt: now }]),
  );
}

const begin = () => beginAttempt(runtime, { delivery_id: delivery.id, webhook_id: webhook.id }, () => LEASE_MS);
const stored = () => findDelivery(runtime.ports.records, runtime.org, delivery.id);
const entries = async () =>
  (await listDeadLetters(runtime.ports.records, runtime.org, {}, { limit: 9, offset: 0 })).items;

const DONE = { batchItemFailures: [] };
const KEPT = { batchItemFailures: [{ itemIdentifier: "m_1" }] };

it("creates one dead letter for a delivery that no worker finished", async () => {
  await begin();
  clock.advance(LEASE_MS);
  expect(await collect()).toEqual(DONE);
  expect(await stored()).toMatchObject({ status: "failed" });
  expect(await collect()).toEqual(DONE);
  expect(await entries()).toMatchObject([
    { webhook_id: webhook.id, event: "agent.created", failure_reason: "worker_failed", http_status: null },
  ]);
});

it("keeps the message while a worker makes the attempt", async () => {
  await begin();
  clock.advance(LEASE_MS - 1);
  expect(await collect()).toEqual(KEPT);
  expect(await entries()).toEqual([]);
});

it("leaves a delivery that no worker started to the schedule", async () => {
  expect(await collect()).toEqual(DONE);
  expect(await stored()).toMatchObject({ status: "pending", attempt_number: 1 });
  expect(await entries()).toEqual([]);
  clock.advance(MINUTE);
  expect(await enqueueDueDeliveries(runtime)).toBe(1);
});

it("ignores a delivery that ended, or that waits for its next attempt", async () => {
  const begun = await begin();
  const failure = { reason: "timeout", message: "too slow" } as const;
  const result = { outcome: "retryable", at: timestamp(clock.now()), delivery_time_ms: 1, failure } as const;
  await finishAttempt(runtime, begun!, result, timestamp(clock.now() + HOUR));
  expect(await collect()).toEqual(DONE);
  expect(await stored()).toMatchObject({ status: "pending", attempt_number: 2 });
  expect(await collect({ org: runtime.org, delivery_id: "dlv_absent", webhook_id: webhook.id })).toEqual(DONE);
  expect(await entries()).toEqual([]);
});

it("drops a delivery for a deleted webhook", async () => {
  await runtime.ports.records.write(deleteWebhook(webhook));
  expect(await collect()).toEqual(DONE);
  expect(await stored()).toBeUndefined();
  expect(await entries()).toEqual([]);
});

it("keeps a message with an unknown format", async () => {
  expect(await collect({ hello: "world" })).toEqual(KEPT);
});
