import { listLog, logEntryOf, putLogEntry } from "../../shared/domain/integration/webhooks/delivery-log.ts";
import { NO_METRICS, readMetrics, statisticsOf } from "../../shared/domain/integration/webhooks/metrics.ts";
import { keepPayload } from "../../shared/domain/integration/webhooks/payloads.ts";
import { readWebhooks } from "../../shared/domain/integration/webhooks/records.ts";
import { secretsInForce } from "../../shared/domain/integration/webhooks/secrets.ts";
import { send } from "../../shared/domain/integration/webhooks/sending.ts";
import { signatureOf } from "../../shared/domain/integration/webhooks/signing.ts";
import {
  type DeliveryLogEntry,
  resourceOf,
  type Webhook,
  type WebhookEventName,
} from "../../shared/domain/integration/webhooks/webhook.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { JsonObject } from "../../shared/ports/json.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type { Point as SeriesPoint } from "../../shared/runtime/stats/series.ts";
import { payloadsOf } from "./payloads.ts";
import type * as schemas from "./schemas.ts";
import { findOwn } from "./service.ts";

/** The request must respond in time, even if the webhook has a longer timeout. */
const MAX_TEST_MS = 20_000;

export async function listDeliveryLogs(
  ctx: Context,
  { limit, offset, ...filter }: Input<typeof schemas.ListDeliveryLogs>,
) {
  const page = { limit, offset };
  const { entries, total, hasNext } = await listLog(ctx.ports.records, ctx.org, filter, ctx.clock(), page);
  const payloads = await payloadsOf(ctx, entries, ({ response }) => Buffer.byteLength(response?.body ?? ""));
  return {
    delivery_logs: entries.map((entry, index) => presentEntry(entry, payloads[index])),
    pagination: pagination(page, total, hasNext),
  };
}

function presentEntry(
  { org: _org, failure, response, delivery_time_ms, signature, ...entry }: DeliveryLogEntry,
  { payload, isFull }: { payload: unknown; isFull: boolean } = { payload: null, isFull: false },
) {
  return {
    ...entry,
    payload,
    http_status: response?.status ?? null,
    delivery_time_ms: delivery_time_ms ?? null,
    ...(failure && { failure_reason: failure.reason, error_message: failure.message }),
    response: response ? { ...response, body: isFull ? null : response.body } : null,
    signature: signature ?? null,
  };
}

export async function readDeliveryStats(ctx: Context) {
  const { org, ports } = ctx;
  await ctx.rollups.flush();
  const [metrics, webhooks] = await Promise.all([
    readMetrics(ports.records, org, ctx.clock()),
    readWebhooks(ports.records, org),
  ]);
  return {
    overall_stats: metrics.overall,
    webhook_stats: webhooks.map(({ id, name, status }) => {
      const { last_delivery, delivery_stats } = metrics.webhooks.get(id) ?? NO_METRICS;
      return { webhook_id: id, name, status, last_delivery, ...delivery_stats };
    }),
    event_stats: metrics.events,
    time_series: { hourly: metrics.series.hour.map(toPoint), daily: metrics.series.day.map(toPoint) },
  };
}

function toPoint({ at, counters }: SeriesPoint) {
  return { at, ...statisticsOf(counters) };
}

/** Sends a test now, for any event and status of the webhook, and logs it; statistics do not count it. */
export async function testWebhook(
  ctx: Context,
  id: string,
  { event, test_payload, include_signature }: Input<typeof schemas.TestWebhook>,
) {
  const webhook = await findOwn(ctx, id);
  const test_id = ctx.ids("test");
  const body = { id: test_id, event, timestamp: timestamp(ctx.clock()), ...(test_payload ?? sampleOf(webhook, event)) };
  const payload = JSON.stringify(body);
  const outgoing = { event_id: test_id, delivery_id: test_id, event, payload };
  const timeoutMs = Math.min(webhook.delivery_config.timeout_ms, MAX_TEST_MS);
  const result = await send(ctx, webhook, outgoing, { isSigned: include_signature, timeoutMs });
  const { kept, writes } = keepPayload({ org: ctx.org, id: test_id }, payload, ctx.clock());
  const attempted = { ...kept, id: test_id, org: ctx.org, webhook_id: id, event_id: test_id, event, attempt_number: 1 };
  await ctx.ports.records.write(putLogEntry({ ...logEntryOf(attempted, result), test: true }), ...writes);
  const { outcome, response, failure, delivery_time_ms, at, signature } = result;
  return {
    test_id,
    webhook_id: id,
    event,
    test_results: {
      delivery_status: outcome === "success" ? ("success" as const) : ("failed" as const),
      http_status: response?.status ?? null,
      response_body: response?.body ?? null,
      delivery_time_ms,
      signature_valid: await isValid(ctx, webhook, payload, signature),
      ...(failure && { error_message: failure.message }),
      timestamp: at,
    },
    test_payload: body,
  };
}

/** Whether the sent signature verifies with the secret; null if none was sent. */
async function isValid(ctx: Context, webhook: Webhook, payload: string, signature: string | undefined) {
  if (signature === undefined) return null;
  const [secret] = await secretsInForce(ctx, webhook);
  return signatureOf(secret, payload) === signature;
}

function sampleOf({ id, name }: Webhook, event: WebhookEventName): JsonObject {
  const sample = { id, name, content: `A sample of '${event}' for the webhook '${name}'.` };
  return { [resourceOf(event)]: sample };
}
