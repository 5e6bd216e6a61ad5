import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { toSqsEvent } from "../../../infra/local/queue-loop.ts";
import type { LocalQueue } from "../../../shared/adapters/local/queue.ts";
import { listDeadLetters } from "../../../shared/domain/integration/webhooks/dead-letters.ts";
import { findDelivery } from "../../../shared/domain/integration/webhooks/deliveries.ts";
import { emitEvents } from "../../../shared/domain/integration/webhooks/emit.ts";
import { deleteWebhook, findWebhook } from "../../../shared/domain/integration/webhooks/records.ts";
import { enqueueDueDeliveries } from "../../../shared/domain/integration/webhooks/schedule.ts";
import {
  DELIVERY_DEFAULTS,
  type DeliveryConfig,
  type Webhook,
} from "../../../shared/domain/integration/webhooks/webhook.ts";
import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE } from "../../../shared/ports/queues.ts";
import type { Write } from "../../../shared/ports/record-store.ts";
import type { OrgRuntime } from "../../../shared/runtime/context.ts";
import { type MovableClock, movableClock } from "../../../test/contract/movable-clock.ts";
import { startReceiver, type WebhookReceiver } from "../../../test/fixtures/webhook-receiver.ts";
import { openIdleRuntime } from "../../../test/support/idle-runtime.ts";
import { replaced } from "../../../test/support/replaced.ts";
import { DEFAULT_DELIVERY, storeWebhook as keepWebhook } from "../../../test/support/webhooks.ts";
import { createMessageConsumer, worker as manifest } from "./worker.ts";

const { bind } = queueWorker(manifest, createMessageConsumer);

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LEASE_MS = DELIVERY_DEFAULTS.timeout_ms + 10 * SECOND;
const NONE_FAILED = { batchItemFailures: [] };
const QUEUES = [DELIVER_QUEUE, REDELIVER_QUEUE];

let clock: MovableClock;
let runtime: OrgRuntime;
let queue: LocalQueue;
let receiver: WebhookReceiver;

beforeEach(async () => {
  clock = movableClock();
  const queues = QUEUES.map((name) => ({ name, maxReceives: 100, visibilitySeconds: 360 }));
  const idle = await openIdleRuntime({ clock: clock.now, queues, environment: { ALLOW_PRIVATE_TARGETS: "1" } });
  queue = idle.queue;
  runtime = { ...idle.runtime, org: idle.runtime.ids("organization") };
  receiver = await startReceiver();
  onTestFinished(() => receiver.close());
});

const storeWebhook = (config: Partial<DeliveryConfig> = {}, more: Partial<Webhook> = {}) =>
  keepWebhook(runtime, { url: receiver.url, delivery_config: { ...DEFAULT_DELIVERY, ...config }, ...more });

/** Emits the same `agent.created` event this many times, as a change feed that repeats itself does. */
function emitAgentCreated(times = 1, id = runtime.ids("agent"), at = clock.now()): Promise<void> {
  const key = { pk: `${runtime.org}#${id}`, sk: "agent" };
  const made = { name: "Guide", model: "m", config: {}, skills: [], metadata: {}, status: "active", version: 1 };
  const memory_settings = { enabled: true, compression_enabled: true };
  const dates = { created_at: timestamp(at), updated_at: timestamp(at) };
  const after = { ...key, kind: "agent", org: runtime.org, id, ...made, memory_settings, ...dates };
  const change = { key, after, sequence: "1", at };
  return emitEvents(
    runtime,
    Array.from({ length: times }, () => change),
  );
}

type Handler = (event: SQSEvent) => Promise<SQSBatchResponse>;
const worker = (within: OrgRuntime = runtime): Handler => bind(within);

/** Receives the visible messages of all queues and deletes them. */
function take(): SQSEvent {
  const Records = QUEUES.flatMap((name) => toSqsEvent(name, queue.receive(name, 10)).Records);
  queue.delete(Records.map(({ receiptHandle }) => receiptHandle));
  return { Records };
}

const deliveryIn = async ({ Records }: SQSEvent) => {
  const [{ body } = { body: "{}" }] = Records;
  return findDelivery(runtime.ports.records, runtime.org, JSON.parse(body).delivery_id);
};

const deadLetters = async () =>
  (await listDeadLetters(runtime.ports.records, runtime.org, {}, { limit: 50, offset: 0 })).items;

describe("an event", () => {
  it("creates one delivery if the feed repeats it, and is sent once if its message repeats", async () => {
    await storeWebhook();
    const id = runtime.ids("agent");
    await emitAgentCreated(3, id);
    await emitAgentCreated(1, id);
    const event = take();
    await Promise.all([worker()(event), worker()(event), worker()(event)]);
    clock.advance(HOUR);
    expect(await worker()(event)).toEqual(NONE_FAILED);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.body).toMatchObject({ event: "agent.created", agent: { id } });
    expect(await deliveryIn(event)).toMatchObject({ status: "success", attempt_number: 1 });
  });

  it("is not sent to webhooks created after it", async () => {
    const past = clock.now();
    clock.advance(5 * SECOND);
    await storeWebhook();
    await emitAgentCreated(1, "agent_1", past);
    expect(take().Records).toEqual([]);
  });
});

describe("an attempt that failed", () => {
  const unavailable: WebhookReceiver["respond"] = (response) => void response.writeHead(503).end();

  it("is retried after the configured delay up to the configured count, and then becomes a dead letter", async () => {
    await storeWebhook({ retry_count: 2, retry_delay_ms: 3 * SECOND });
    receiver.respond = unavailable;
    await emitAgentCreated();
    const first = take();
    await worker()(first);
    for (const attempt of [2, 3]) {
      clock.advance(2 * SECOND);
      expect(take().Records).toEqual([]);
      clock.advance(SECOND);
      expect(await deliveryIn(first)).toMatchObject({ status: "pending", attempt_number: attempt });
      await worker()(take());
    }
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(await deliveryIn(first)).toMatchObject({ status: "failed", attempt_number: 3 });
    expect(await deadLetters()).toMatchObject([{ attempts: 3, http_status: 503, failure_reason: "http_error" }]);
    clock.advance(HOUR);
    expect(await enqueueDueDeliveries(runtime)).toBe(0);
  });

  it("is retried after the time that the receiver requests, even beyond the maximum delay of a queue", async () => {
    await storeWebhook({ retry_delay_ms: SECOND });
    receiver.respond = (response) => void response.writeHead(429, { "retry-after": "7200" }).end();
    await emitAgentCreated();
    await worker()(take());
    for (let minute = 1; minute < 120; minute++) {
      clock.advance(MINUTE);
      expect(await enqueueDueDeliveries(runtime), `minute ${minute}`).toBe(minute < 119 ? 0 : 1);
      expect(take().Records).toEqual([]);
    }
    receiver.respond = (response) => void response.end();
    clock.advance(MINUTE);
    await worker()(take());
    expect(receiver.received).toHaveLength(2);
  });

  it("is not retried early because of an early message", async () => {
    await storeWebhook({ retry_delay_ms: HOUR });
    receiver.respond = unavailable;
    await emitAgentCreated();
    const event = take();
    await worker()(event);
    const redeliver = async () => {
      await worker()(event);
      await worker()(take());
    };
    clock.advance(HOUR - 1);
    await redeliver();
    expect(receiver.received).toHaveLength(1);
    clock.advance(1);
    await redeliver();
    expect(receiver.received).toHaveLength(2);
  });
});

describe("a worker that crashes", () => {
  /** A runtime that cannot store the end of an attempt, so that only the receiver knows what was sent. */
  function withoutResults(): OrgRuntime {
    const { records } = runtime.ports;
    const write = (...writes: Write[]) => {
      const isResult = writes.some(
        (each) => "put" in each && each.put.kind === "delivery" && each.put.status !== "pending",
      );
      return isResult ? Promise.reject(new Error("the process is gone")) : records.write(...writes);
    };
    return { ...runtime, ports: { ...runtime.ports, records: replaced(records, { write }) } };
  }

  it("after sending causes one repetition, and only once its lease expires", async () => {
    await storeWebhook();
    await emitAgentCreated();
    const event = take();
    expect((await worker(withoutResults())(event)).batchItemFailures).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
    clock.advance(LEASE_MS - 1);
    expect(await worker()(event)).toEqual(NONE_FAILED);
    expect(receiver.received).toHaveLength(1);
    clock.advance(1);
    expect(await worker()(event)).toEqual(NONE_FAILED);
    expect(receiver.received).toHaveLength(2);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(1);
    await worker()(event);
    expect(receiver.received).toHaveLength(2);
  });

  it("has its unfinished deliveries enqueued again once its lease expires", async () => {
    await storeWebhook();
    await emitAgentCreated();
    await worker(withoutResults())(take());
    await enqueueDueDeliveries(runtime);
    clock.advance(LEASE_MS);
    await worker()(take());
    expect(receiver.received).toHaveLength(2);
  });

  it("before sending, or with a lost message, delays the delivery by a minute", async () => {
    await storeWebhook();
    await emitAgentCreated();
    take();
    clock.advance(MINUTE);
    expect(await enqueueDueDeliveries(runtime)).toBe(1);
    await worker()(take());
    expect(receiver.received).toHaveLength(1);
  });
});

describe("deliveries enqueued while others wait", () => {
  it("are the oldest, so that lost ones are sent and few are sent twice", async () => {
    await storeWebhook();
    await emitAgentCreated();
    const lost = await deliveryIn(take());
    clock.advance(SECOND);
    for (let count = 0; count < 150; count++) await emitAgentCreated();
    clock.advance(MINUTE);
    expect(await enqueueDueDeliveries(runtime)).toBe(100);
    const enqueued: string[] = [];
    for (let batch = queue.receive(REDELIVER_QUEUE, 10); batch.length > 0; batch = queue.receive(REDELIVER_QUEUE, 10)) {
      enqueued.push(...batch.map(({ body }) => JSON.parse(body).delivery_id));
    }
    expect([enqueued.length, enqueued.includes(lost?.id ?? "")]).toEqual([100, true]);
  });
});

describe("a receiver", () => {
  it("that is deleted or paused gets no pending deliveries; those of a paused one become dead letters", async () => {
    const webhooks = [await storeWebhook(), await storeWebhook()];
    await emitAgentCreated();
    const event = take();
    const [gone, paused] = webhooks;
    await runtime.ports.records.write(deleteWebhook(gone!), {
      update: { pk: `${runtime.org}#webhooks`, sk: paused!.id },
      set: { status: "paused" },
    });
    expect(await worker()(event)).toEqual(NONE_FAILED);
    expect(receiver.received).toEqual([]);
    expect(await deadLetters()).toMatchObject([{ webhook_id: paused!.id, failure_reason: "webhook_inactive" }]);
  });

  it("that answers 410 is paused and gets no more deliveries", async () => {
    const { id } = await storeWebhook();
    receiver.respond = (response) => void response.writeHead(410).end();
    await emitAgentCreated();
    await worker()(take());
    expect(await findWebhook(runtime.ports.records, runtime.org, id)).toMatchObject({
      status: "paused",
      pause_reason: "gone",
    });
    await emitAgentCreated();
    expect(take().Records).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });

  it("that has been failing gets its deliveries through a separate queue", async () => {
    await storeWebhook({}, { failing_since: timestamp(clock.now()) });
    await emitAgentCreated();
    expect(await queue.depth(DELIVER_QUEUE)).toMatchObject({ waiting: 0 });
    expect(await queue.depth(REDELIVER_QUEUE)).toMatchObject({ waiting: 1 });
  });

  it("that hangs gets its later deliveries through the separate queue, and none is lost", {
    timeout: 20_000,
  }, async () => {
    await storeWebhook();
    const open: (() => void)[] = [];
    receiver.respond = (response) => void open.push(() => response.end());
    for (let count = 0; count < 5; count++) await emitAgentCreated();
    const working = worker()(take());
    await expect.poll(() => queue.depth(REDELIVER_QUEUE)).toMatchObject({ waiting: 3 });
    expect(open).toHaveLength(2);
    receiver.respond = (response) => void response.end();
    for (const answer of open) answer();
    expect(await working).toEqual(NONE_FAILED);
    await worker()(take());
    expect(receiver.received).toHaveLength(5);
  });
});

it("sends every event once to each receiver, for messages in any order and with repetitions", {
  timeout: 60_000,
}, async () => {
  await storeWebhook();
  await storeWebhook();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ times: fc.integer({ min: 1, max: 3 }), late: fc.boolean() }), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.array(fc.nat({ max: 7 }), { maxLength: 12 }),
      async (events, repeats) => {
        receiver.received.splice(0);
        for (const { times } of events) await emitAgentCreated(times);
        const { Records } = take();
        const again = repeats.flatMap((index) => Records[index] ?? []);
        const order = [...Records, ...again].reverse();
        const halves = [
          order.filter((_each, index) => index % 2 === 0),
          order.filter((_each, index) => index % 2 === 1),
        ];
        await Promise.all(halves.map((half) => worker()({ Records: half })));
        if (events.some(({ late }) => late)) clock.advance(HOUR);
        await worker()({ Records });
        const delivered = receiver.received.map(({ headers }) => headers["x-webhook-delivery"]);
        expect(delivered).toHaveLength(2 * events.length);
        expect(new Set(delivered).size).toBe(delivered.length);
      },
    ),
    { numRuns: 15 },
  );
});
