import { beforeEach, expect, it } from "vitest";
import { toSqsEvent } from "../../../infra/local/sqs-event.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import type { OrgHome } from "../../../shared/platform/context.ts";
import { beginAttempt, finishAttempt } from "../../../shared/webhooks/attempts.ts";
import { listDeadLetters } from "../../../shared/webhooks/dead-letters.ts";
import { deliveryOf, findDelivery, makeDeliveries } from "../../../shared/webhooks/deliveries.ts";
import { deleteWebhook } from "../../../shared/webhooks/records.ts";
import { announceDueDeliveries } from "../../../shared/webhooks/schedule.ts";
import type { Delivery, Webhook } from "../../../shared/webhooks/webhook.ts";
import { type MovableClock, movableClock } from "../../../test/contract/movable-clock.ts";
import { openIdleHome } from "../../../test/support/idle-home.ts";
import { storeWebhook } from "../../../test/support/webhooks.ts";
import { entry } from "./handler.ts";

const LEASE_MS = 20_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let clock: MovableClock;
let home: OrgHome;
let webhook: Webhook;
let delivery: Delivery;

beforeEach(async () => {
  clock = movableClock();
  const idle = await openIdleHome({ clock: clock.now });
  home = { ...idle.home, org: idle.home.ids("organization") };
  webhook = await storeWebhook(home);
  const resource = { name: "agent", value: { id: "agent_1" } };
  const event = {
    id: "evt_1",
    event: "agent.created",
    timestamp: timestamp(clock.now()),
    org: home.org,
    resource,
  } as const;
  const made = deliveryOf(webhook, event, clock.now());
  ({ delivery } = made);
  await makeDeliveries(home, [made]);
});

function collect(body: object = { org: home.org, delivery_id: delivery.id, webhook_id: webhook.id }) {
  const now = clock.now();
  const message = { id: "m_1", receipt: "", body: JSON.stringify(body), receiveCount: 1 };
  return entry.bind(home)(
    toSqsEvent("deliver-webhooks-dead-letters", [{ ...message, sentAt: now, firstReceivedAt: now }]),
  );
}

const begin = () => beginAttempt(home, { delivery_id: delivery.id, webhook_id: webhook.id }, () => LEASE_MS);
const stored = () => findDelivery(home.ports.records, home.org, delivery.id);
const entries = async () => (await listDeadLetters(home.ports.records, home.org, {}, { limit: 9, offset: 0 })).entries;

const DONE = { batchItemFailures: [] };
const KEPT = { batchItemFailures: [{ itemIdentifier: "m_1" }] };

it("makes a dead letter of what the workers never came to an end with, and one only", async () => {
  await begin();
  clock.advance(LEASE_MS);
  expect(await collect()).toEqual(DONE);
  expect(await stored()).toMatchObject({ status: "failed" });
  expect(await collect()).toEqual(DONE);
  expect(await entries()).toMatchObject([
    { webhook_id: webhook.id, event: "agent.created", failure_reason: "worker_failed", http_status: null },
  ]);
});

it("leaves the message for later while somebody is at the attempt", async () => {
  await begin();
  clock.advance(LEASE_MS - 1);
  expect(await collect()).toEqual(KEPT);
  expect(await entries()).toEqual([]);
});

it("leaves to the schedule what nobody ever began", async () => {
  expect(await collect()).toEqual(DONE);
  expect(await stored()).toMatchObject({ status: "pending", attempt_number: 1 });
  expect(await entries()).toEqual([]);
  clock.advance(MINUTE);
  expect(await announceDueDeliveries(home)).toBe(1);
});

it("has nothing to do with what came to an end, or waits for its next attempt", async () => {
  const begun = await begin();
  const failure = { reason: "timeout", message: "too slow" } as const;
  const result = { outcome: "retryable", at: timestamp(clock.now()), delivery_time_ms: 1, failure } as const;
  await finishAttempt(home, begun!, result, timestamp(clock.now() + HOUR));
  expect(await collect()).toEqual(DONE);
  expect(await stored()).toMatchObject({ status: "pending", attempt_number: 2 });
  expect(await collect({ org: home.org, delivery_id: "dlv_absent", webhook_id: webhook.id })).toEqual(DONE);
  expect(await entries()).toEqual([]);
});

it("drops what was for a webhook that is deleted", async () => {
  await home.ports.records.write(deleteWebhook(webhook));
  expect(await collect()).toEqual(DONE);
  expect(await stored()).toBeUndefined();
  expect(await entries()).toEqual([]);
});

it("keeps a message that says nothing it knows, for somebody to look at", async () => {
  expect(await collect({ hello: "world" })).toEqual(KEPT);
});
