import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { openIdleRuntime } from "../../../../test/support/idle-runtime.ts";
import { DEFAULT_DELIVERY, storeWebhook as keepWebhook } from "../../../../test/support/webhooks.ts";
import { timestamp } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { listAudit } from "../../../runtime/audit/records.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { type BegunAttempt, beginAttempt, failUnsent, finishAttempt } from "./attempts.ts";
import {
  findDeadLetter,
  listDeadLetterIds,
  listDeadLetters,
  readQueueStatistics,
  removeDeadLetter,
  retryDeadLetter,
} from "./dead-letters.ts";
import {
  deliveryOf,
  deliveryOfDeadLetter,
  findDelivery,
  insertDelivery,
  listDueDeliveries,
  makeDeliveries,
} from "./deliveries.ts";
import { listLog } from "./delivery-log.ts";
import { readMetrics, readWebhookMetrics } from "./metrics.ts";
import { readPayload } from "./payloads.ts";
import { activeWebhooks, changeWebhook, deleteWebhook, findWebhook } from "./records.ts";
import { type AttemptResult, type Delivery, type Webhook, type WebhookEvent, wants } from "./webhook.ts";

const LEASE_MS = 30_000;
/** Maximum number of times that an attempt is started. */
const MAX_CLAIMS = 5;
const PAGE = { limit: 50, offset: 0 };

let runtime: OrgRuntime;
let now = Date.parse("2026-03-01T12:00:00.000Z");

beforeEach(async () => {
  const idle = await openIdleRuntime({ clock: () => now });
  runtime = { ...idle.runtime, org: idle.runtime.ids("organization") };
});

const storeWebhook = (change: Partial<Webhook> = {}) => keepWebhook(runtime, { events: ["memory.created"], ...change });

function newEvent(change: Partial<WebhookEvent> = {}): WebhookEvent {
  const value = { id: "mem_1", content: "Ada prefers tea.", metadata: { from: "Zurich" } };
  return {
    id: runtime.ids("event"),
    event: "memory.created",
    timestamp: timestamp(now),
    resource: { name: "memory", value },
    org: runtime.org,
    ...change,
  };
}

async function makeOne(webhook: Webhook, event = newEvent()): Promise<Delivery> {
  const [delivery] = await makeDeliveries(runtime, [deliveryOf(webhook, event, now)]);
  return delivery!;
}

function begin({ id: delivery_id, webhook_id }: Delivery): Promise<BegunAttempt | undefined> {
  return beginAttempt(runtime, { delivery_id, webhook_id }, () => LEASE_MS);
}

const find = (id: string) => findDelivery(runtime.ports.records, runtime.org, id);
const logged = async (filter = {}) => (await listLog(runtime.ports.records, runtime.org, filter, now, PAGE)).entries;
const deadLetters = async () => (await listDeadLetters(runtime.ports.records, runtime.org, {}, PAGE)).items;

function success(): AttemptResult {
  const response = { status: 200, body: "thanks", truncated: false, headers: {} };
  return { outcome: "success", at: timestamp(now), delivery_time_ms: 12, response, signature: "sha256=1" };
}

function failure(outcome: "retryable" | "gone" = "retryable"): AttemptResult {
  const response = { status: outcome === "gone" ? 410 : 503, body: "no", truncated: false, headers: {} };
  const failed = { reason: outcome === "gone" ? ("gone" as const) : ("http_error" as const), message: "no" };
  return { outcome, at: timestamp(now), delivery_time_ms: 30, response, signature: "sha256=1", failure: failed };
}

describe("an event", () => {
  it("goes to the active webhooks that want it", async () => {
    const all = await storeWebhook();
    const tea = await storeWebhook({ filters: { category: "tea" } });
    const either = await storeWebhook({ filters: { category: ["tea", "coffee"], user_id: "ada" } });
    await storeWebhook({ events: ["memory.deleted"] });
    await storeWebhook({ status: "paused" });
    await storeWebhook({ status: "inactive" });
    const idsFor = async (about: Partial<WebhookEvent>) =>
      (await activeWebhooks(runtime)).filter((webhook) => wants(webhook, newEvent(about))).map(({ id }) => id);
    expect(await idsFor({})).toEqual([all.id]);
    expect(await idsFor({ category: "tea" })).toEqual([all.id, tea.id]);
    expect(await idsFor({ category: "coffee", user_id: "ada" })).toEqual([all.id, either.id]);
    expect(await idsFor({ category: "coffee", user_id: "bob" })).toEqual([all.id]);
    expect(await idsFor({ event: "session.created" })).toEqual([]);
  });

  it("is sent completely, without metadata, or only with its id", () => {
    const event = newEvent();
    const bodyWith = (config: object) => {
      const delivery_config = { ...DEFAULT_DELIVERY, ...config };
      return JSON.parse(deliveryOf({ id: "whk_1", delivery_config } as Webhook, event, now).payload);
    };
    const { id, timestamp: at } = event;
    expect(bodyWith({})).toEqual({ id, event: "memory.created", timestamp: at, memory: event.resource.value });
    expect(bodyWith({ include_metadata: false }).memory).toEqual({ id: "mem_1", content: "Ada prefers tea." });
    expect(bodyWith({ include_payload: false }).memory).toEqual({ id: "mem_1" });
  });

  it("creates one delivery if it repeats", async () => {
    const [first, second] = [await storeWebhook(), await storeWebhook()];
    const [event, other] = [newEvent(), newEvent()];
    const planned = ([webhook, about]: [Webhook, WebhookEvent]) => deliveryOf(webhook, about, now);
    const made = (those: [Webhook, WebhookEvent][]) => makeDeliveries(runtime, those.map(planned));
    const both: [Webhook, WebhookEvent][] = [
      [first, event],
      [second, event],
    ];
    const once = await made(both);
    expect(new Set(once.map(({ id }) => id)).size).toBe(2);
    const begun = await begin(once[0]!);
    const again = await made([...both, [first, other]]);
    expect(again.map(({ webhook_id, event_id }) => [webhook_id, event_id])).toEqual([
      [second.id, event.id],
      [first.id, other.id],
    ]);
    await finishAttempt(runtime, begun!, success());
    expect(await made([[first, event]])).toEqual([]);
    expect((await logged()).length).toBe(3);
  });

  it("of any length is kept as it is, and no character is split", async () => {
    const webhook = await storeWebhook();
    const content = "🍵".repeat(120_000);
    const event = newEvent({ resource: { name: "memory", value: { id: "mem_1", content: `x${content}` } } });
    const { payload } = deliveryOf(webhook, event, now);
    const delivery = (await find((await makeOne(webhook, event)).id))!;
    expect(delivery.payload).toBeUndefined();
    expect(await readPayload(runtime.ports.records, { ...delivery, delivery_id: delivery.id })).toBe(payload);
  });
});

describe("an attempt", () => {
  it("is started once, by the first worker", async () => {
    const delivery = await makeOne(await storeWebhook());
    const begun = await Promise.all(Array.from({ length: 8 }, () => begin(delivery)));
    expect(begun.filter(Boolean)).toHaveLength(1);
    await finishAttempt(runtime, begun.find(Boolean)!, success());
    expect(await begin(delivery)).toBeUndefined();
    expect(await find(delivery.id)).toMatchObject({ status: "success", attempt_number: 1 });
  });

  it("is started again after its lease expired, and ended by the holder of the lease", async () => {
    const delivery = await makeOne(await storeWebhook());
    const crashed = await begin(delivery);
    now += LEASE_MS - 1;
    expect(await begin(delivery)).toBeUndefined();
    now += 1;
    const due = await listDueDeliveries(runtime.ports.records, { to: now }, 100);
    expect(due.map(({ id }) => id)).toContain(delivery.id);
    const second = await begin(delivery);
    expect(second?.delivery).toMatchObject({ attempt_number: 1, claims: 2 });
    expect(await finishAttempt(runtime, crashed!, failure())).toBeUndefined();
    expect(await deadLetters()).toEqual([]);
    expect(await finishAttempt(runtime, second!, success())).toMatchObject({ status: "success" });
    expect(await logged()).toHaveLength(1);
  });

  it("fails permanently after it crashed several workers", async () => {
    const delivery = await makeOne(await storeWebhook());
    await finishAttempt(runtime, (await begin(delivery))!, failure(), timestamp(now));
    for (let claims = 1; claims <= MAX_CLAIMS; claims++) {
      expect((await begin(delivery))?.delivery.claims).toBe(claims);
      now += LEASE_MS;
    }
    expect(await begin(delivery)).toBeUndefined();
    expect(await find(delivery.id)).toMatchObject({ status: "failed" });
    expect(await deadLetters()).toMatchObject([{ failure_reason: "worker_failed", attempts: 1 }]);
  });

  it("is not started before its time", async () => {
    const delivery = await makeOne(await storeWebhook());
    const next = timestamp(now + 5_000);
    const after = await finishAttempt(runtime, (await begin(delivery))!, failure(), next);
    expect(after).toMatchObject({ status: "pending", attempt_number: 2, next_attempt_at: next, claims: 0 });
    expect(await begin(delivery)).toBeUndefined();
    const isDue = async () =>
      (await listDueDeliveries(runtime.ports.records, { to: now }, 100)).some(({ id }) => id === delivery.id);
    expect(await isDue()).toBe(false);
    now += 5_000;
    expect(await isDue()).toBe(true);
    await finishAttempt(runtime, (await begin(delivery))!, success());
    expect(await isDue()).toBe(false);
    expect(await find(delivery.id)).toMatchObject({ status: "success", attempt_number: 2 });
  });

  it("is in the log while it is pending and after it was made, under one id", async () => {
    const webhook = await storeWebhook();
    const delivery = await makeOne(webhook);
    const [awaited] = await logged();
    expect(awaited).toMatchObject({ status: "pending", attempt_number: 1, delivery_id: delivery.id });
    const [begun, failed] = [await begin(delivery), failure()];
    now += 30;
    await finishAttempt(runtime, begun!, failed, timestamp(now));
    const states = (await logged()).map(({ status, attempt_number }) => [status, attempt_number]);
    expect(states).toEqual([
      ["pending", 2],
      ["failed", 1],
    ]);
    expect((await logged({ status: "failed" })).map(({ id }) => id)).toEqual([awaited!.id]);
    expect(await logged({ status: "pending" })).toHaveLength(1);
    expect(await logged({ webhook_id: webhook.id, event: "memory.created" })).toHaveLength(2);
    expect(await logged({ webhook_id: "whk_other" })).toEqual([]);
    await finishAttempt(runtime, (await begin(delivery))!, success());
    expect((await logged({ status: "success" }))[0]).toMatchObject({
      attempt_number: 2,
      payload: expect.stringContaining("Ada prefers tea."),
      response: { status: 200, body: "thanks" },
    });
    expect(await logged({ status: "pending" })).toEqual([]);
  });

  it("is made once and in order, despite repetitions, crashes and delays", async () => {
    const step = fc.oneof(
      fc.constant({ does: "tell" as const }),
      fc.constant({ does: "begin" as const }),
      fc.record({ does: fc.constant("end" as const), which: fc.nat(3), succeeds: fc.boolean() }),
      fc.record({ does: fc.constant("wait" as const), ms: fc.constantFrom(1, LEASE_MS / 2, LEASE_MS) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const webhook = await storeWebhook();
        const event = newEvent();
        const delivery = await makeOne(webhook, event);
        const begun: BegunAttempt[] = [];
        const ended: Delivery[] = [];
        for (const each of steps) {
          if (each.does === "tell") await makeDeliveries(runtime, [deliveryOf(webhook, event, now)]);
          if (each.does === "wait") now += each.ms;
          const isHopeless = (await find(delivery.id))!.claims >= MAX_CLAIMS;
          if (each.does === "begin" && !isHopeless) begun.push(...[await begin(delivery)].flatMap((one) => one ?? []));
          const attempt = each.does === "end" ? begun[each.which] : undefined;
          if (each.does !== "end" || !attempt) continue;
          const isLast = attempt.delivery.attempt_number === 3;
          const next = isLast ? undefined : timestamp(now + 1_000);
          const after = await finishAttempt(runtime, attempt, each.succeeds ? success() : failure(), next);
          if (after) ended.push(after);
        }
        const attempts = await logged({ webhook_id: webhook.id });
        const made = attempts.filter(({ status }) => status !== "pending");
        expect(made.map(({ attempt_number }) => attempt_number).sort()).toEqual(ended.map((_, index) => index + 1));
        const state = (await find(delivery.id))!.status;
        expect(state).toBe(ended.at(-1)?.status ?? "pending");
        expect(ended.slice(0, -1).every(({ status }) => status === "pending")).toBe(true);
        const left = (await deadLetters()).filter(({ webhook_id }) => webhook_id === webhook.id);
        expect(left.map((entry) => entry.attempts)).toEqual(state === "failed" ? [3] : []);
      }),
      { numRuns: 40 },
    );
  });

  it("is not made for a deleted webhook, whose delivery is deleted", async () => {
    const webhook = await storeWebhook();
    const delivery = await makeOne(webhook);
    await runtime.ports.records.write(deleteWebhook(webhook));
    expect(await begin(delivery)).toBeUndefined();
    expect(await find(delivery.id)).toBeUndefined();
    expect(await deadLetters()).toEqual([]);
  });

  it("ends although its webhook was deleted meanwhile", async () => {
    const webhook = await storeWebhook();
    const begun = await begin(await makeOne(webhook));
    await runtime.ports.records.write(deleteWebhook(webhook));
    expect(await finishAttempt(runtime, begun!, failure(), timestamp(now))).toMatchObject({ status: "pending" });
    expect(await findWebhook(runtime.ports.records, runtime.org, webhook.id)).toBeUndefined();
  });

  it("is not made for an inactive webhook, and the delivery becomes a dead letter", async () => {
    const webhook = await storeWebhook();
    const delivery = await makeOne(webhook);
    await runtime.ports.records.write(changeWebhook(webhook, { status: "inactive" }));
    expect(await begin(delivery)).toBeUndefined();
    expect(await find(delivery.id)).toMatchObject({ status: "failed" });
    expect(await deadLetters()).toMatchObject([{ failure_reason: "webhook_inactive", attempts: 0, http_status: null }]);
  });
});

describe("a dead letter", () => {
  async function bury(): Promise<{ webhook: Webhook; delivery: Delivery }> {
    const webhook = await storeWebhook();
    const delivery = await makeOne(webhook);
    await finishAttempt(runtime, (await begin(delivery))!, failure(), timestamp(now));
    await finishAttempt(runtime, (await begin(delivery))!, failure());
    return { webhook, delivery };
  }

  it("is created by the last failure", async () => {
    const { delivery } = await bury();
    expect(await find(delivery.id)).toMatchObject({ status: "failed", attempt_number: 2 });
    expect(await deadLetters()).toMatchObject([
      {
        delivery_id: delivery.id,
        event: "memory.created",
        failure_reason: "http_error",
        http_status: 503,
        error_message: "no",
        attempts: 2,
        payload: expect.stringContaining("Ada prefers tea."),
      },
    ]);
  });

  async function retry(): Promise<Delivery> {
    const [entry] = await deadLetters();
    const delivery = deliveryOfDeadLetter(runtime, entry!);
    const inserts = insertDelivery(delivery, entry!.payload!, now);
    await runtime.ports.records.write(retryDeadLetter(entry!, delivery.id), ...inserts);
    return delivery;
  }

  it("is deleted when its retry succeeds", async () => {
    const { delivery: first } = await bury();
    const second = await retry();
    expect([second.id === first.id, second.event_id]).toEqual([false, first.event_id]);
    await finishAttempt(runtime, (await begin(second))!, success());
    expect(await deadLetters()).toEqual([]);
  });

  it("remains when its retry fails, with all attempts counted", async () => {
    await bury();
    const [before] = await deadLetters();
    now += 60_000;
    await finishAttempt(runtime, (await begin(await retry()))!, failure());
    const [after, ...more] = await deadLetters();
    expect(more).toEqual([]);
    expect(after).toMatchObject({ id: before!.id, attempts: 3, first_failed_at: before!.first_failed_at });
    expect(after!.last_failed_at > before!.last_failed_at).toBe(true);
    expect(after!.retry_delivery_id).toBeUndefined();
  });

  it("is retried once at a time", async () => {
    await bury();
    const [entry] = await deadLetters();
    await retry();
    const second = deliveryOfDeadLetter(runtime, entry!);
    const writes = [retryDeadLetter(entry!, second.id), ...insertDelivery(second, entry!.payload!, now)];
    await expect(runtime.ports.records.write(...writes)).rejects.toThrow(/condition/);
    expect(await find(second.id)).toBeUndefined();
  });

  it("is listed page by page, even if each page is deleted before the next", async () => {
    const webhook = await storeWebhook();
    for (let count = 0; count < 25; count++) {
      await failUnsent(runtime, await makeOne(webhook), { reason: "worker_failed", message: "It crashed." });
      now += 1;
    }
    const { records } = runtime.ports;
    const olderThan = timestamp(now - 5);
    const named: string[] = [];
    for await (const page of listDeadLetterIds(records, runtime.org, { olderThan }, 10)) {
      named.push(...page.map(({ id }) => id));
      await records.write(...page.map(removeDeadLetter));
    }
    expect(new Set(named).size).toBe(20);
    expect(await readQueueStatistics(records, runtime.org, 100)).toEqual({
      total_entries: 5,
      retried_entries: 0,
      oldest_entry_at: olderThan,
      newest_entry_at: timestamp(now - 1),
    });
  });

  it("is created for a delivery that cannot be attempted", async () => {
    const delivery = await makeOne(await storeWebhook());
    expect(await failUnsent(runtime, delivery, { reason: "worker_failed", message: "It crashed." })).toBe(true);
    expect(await failUnsent(runtime, delivery, { reason: "worker_failed", message: "It crashed." })).toBe(false);
    const [entry] = await deadLetters();
    expect(entry).toMatchObject({ failure_reason: "worker_failed", attempts: 0, http_status: null });
    expect(await findDeadLetter(runtime.ports.records, "org_other", entry!.id)).toBeUndefined();
  });
});

describe("a webhook", () => {
  const read = ({ id }: Webhook) => findWebhook(runtime.ports.records, runtime.org, id);
  const audited = async () => {
    const { entries } = await listAudit(runtime.ports.records, { org: runtime.org }, { service: "webhook" }, PAGE);
    return entries.map(({ action, target, actor, details }) => ({ action, target, actor, details }));
  };
  const fail = async (webhook: Webhook) => finishAttempt(runtime, (await begin(await makeOne(webhook)))!, failure());

  it("is paused by a receiver that is gone, with an audit record", async () => {
    const webhook = await storeWebhook();
    const begun = await begin(await makeOne(webhook));
    const after = await finishAttempt(runtime, begun!, failure("gone"), timestamp(now));
    expect(after).toMatchObject({ status: "failed" });
    expect(await read(webhook)).toMatchObject({ status: "paused", pause_reason: "gone", version: 2 });
    expect(await deadLetters()).toHaveLength(1);
    expect(await audited()).toMatchObject([
      { action: "webhook.paused", target: webhook.id, actor: { kind: "system" }, details: { reason: "gone" } },
    ]);
    expect(await activeWebhooks(runtime)).toEqual([]);
  });

  it("is paused after only failures for five days", async () => {
    const webhook = await storeWebhook();
    await fail(webhook);
    const since = timestamp(now);
    now += 5 * DAY_MS - 1;
    await fail(webhook);
    expect(await read(webhook)).toMatchObject({ status: "active", failing_since: since });
    now += 1;
    await fail(webhook);
    expect(await read(webhook)).toMatchObject({ status: "paused", pause_reason: "failing" });
    expect(await audited()).toMatchObject([{ action: "webhook.paused", details: { failing_since: since } }]);
  });

  it("is no longer failing after a success or when it is reactivated", async () => {
    const webhook = await storeWebhook();
    await fail(webhook);
    now += 4 * DAY_MS;
    await finishAttempt(runtime, (await begin(await makeOne(webhook)))!, success());
    expect((await read(webhook))?.failing_since).toBeUndefined();
    await fail(webhook);
    await runtime.ports.records.write(changeWebhook((await read(webhook))!, { status: "paused" }));
    await runtime.ports.records.write(changeWebhook((await read(webhook))!, { status: "active" }));
    expect((await read(webhook))?.failing_since).toBeUndefined();
    now += 5 * DAY_MS;
    await fail(webhook);
    expect(await read(webhook)).toMatchObject({ status: "active" });
  });

  it.each<[string, Partial<Webhook>, Partial<Webhook>, number]>([
    ["is paused although it was changed", { name: "Library" }, { name: "Library", status: "paused", version: 3 }, 1],
    ["stays inactive if it was deactivated", { status: "inactive" }, { status: "inactive" }, 0],
  ])("%s during the attempt", async (_what, change, expected, pauses) => {
    const webhook = await storeWebhook();
    const begun = await begin(await makeOne(webhook));
    await runtime.ports.records.write(changeWebhook(webhook, change));
    await finishAttempt(runtime, begun!, failure("gone"));
    expect(await read(webhook)).toMatchObject(expected);
    expect(await audited()).toHaveLength(pauses);
  });

  it("has statistics of ended deliveries and of times of attempts", async () => {
    const webhook = await storeWebhook();
    const delivery = await makeOne(webhook);
    await finishAttempt(runtime, (await begin(delivery))!, failure(), timestamp(now));
    await finishAttempt(runtime, (await begin(delivery))!, success());
    await fail(webhook);
    await runtime.rollups.flush();
    const figures = await readMetrics(runtime.ports.records, runtime.org, now);
    expect(figures.overall).toMatchObject({
      total_deliveries: 2,
      successful_deliveries: 1,
      failed_deliveries: 1,
      success_rate: 0.5,
      total_attempts: 3,
      avg_delivery_time_ms: 24,
    });
    const { p95_delivery_time_ms } = figures.overall;
    expect(p95_delivery_time_ms! / 30).toBeGreaterThanOrEqual(1);
    expect(p95_delivery_time_ms! / 30).toBeLessThan(1.1);
    expect(figures.events["memory.created"]).toEqual(figures.overall);
    expect(figures.series.hour.map(({ counters }) => counters.attempts)).toEqual([3]);
    const own = (await readWebhookMetrics(runtime.ports.records, runtime.org, [webhook.id])).get(webhook.id);
    expect(own).toEqual({ last_delivery: timestamp(now), delivery_stats: figures.overall });
  });
});
