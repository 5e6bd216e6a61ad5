import { defineWebhook, redefineWebhook, removeWebhook } from "../../shared/domain/integration/webhooks/define.ts";
import {
  NO_METRICS,
  readWebhookMetrics,
  type WebhookMetrics,
} from "../../shared/domain/integration/webhooks/metrics.ts";
import * as records from "../../shared/domain/integration/webhooks/records.ts";
import { isInForce, MASKED_SECRET } from "../../shared/domain/integration/webhooks/secrets.ts";
import { DELIVERY_DEFAULTS, type Webhook } from "../../shared/domain/integration/webhooks/webhook.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { existing } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** Throws WEBHOOK_NOT_FOUND for an id that is missing or of another organization. */
export async function findOwn(ctx: Context, id: string): Promise<Webhook> {
  return existing(await records.findWebhook(ctx.ports.records, ctx.org, id), "webhook", id);
}

/** A webhook for responses; its secret is masked, except in the response that shows it. */
function present(
  ctx: Context,
  webhook: Webhook,
  { last_delivery, delivery_stats }: WebhookMetrics = NO_METRICS,
  secret = MASKED_SECRET,
) {
  const { delivery_config, previous_secret, ...rest } = webhook;
  const { retry_delay_ms, ...config } = delivery_config;
  return {
    ...rest,
    delivery_config: {
      ...config,
      retry_delay_ms: retry_delay_ms ?? DELIVERY_DEFAULTS.retry_delay_ms,
      retry_backoff: retry_delay_ms === undefined ? ("exponential" as const) : ("fixed" as const),
    },
    secret,
    ...(isInForce(ctx, previous_secret) && { previous_secret_until: previous_secret.until }),
    last_delivery,
    delivery_stats,
  };
}

/** The metrics of webhooks by id, including this process's pending counts. */
async function metricsOf(ctx: Context, webhooks: Webhook[]): Promise<Map<string, WebhookMetrics>> {
  await ctx.rollups.flush();
  return readWebhookMetrics(
    ctx.ports.records,
    ctx.org,
    webhooks.map(({ id }) => id),
  );
}

async function presentWithMetrics(ctx: Context, webhook: Webhook) {
  const metrics = await metricsOf(ctx, [webhook]);
  return present(ctx, webhook, metrics.get(webhook.id));
}

export async function createWebhook(ctx: Context, given: Input<typeof schemas.CreateWebhook>) {
  const { webhook, secret } = await defineWebhook(ctx, given);
  return present(ctx, webhook, NO_METRICS, secret);
}

export async function getWebhook(ctx: Context, id: string) {
  return presentWithMetrics(ctx, await findOwn(ctx, id));
}

export async function listWebhooks(ctx: Context, { status, event, ...page }: Input<typeof schemas.ListWebhooks>) {
  const {
    items: webhooks,
    total,
    hasNext,
  } = await records.listWebhooks(ctx.ports.records, ctx.org, { status, event }, page);
  const metrics = await metricsOf(ctx, webhooks);
  return {
    webhooks: webhooks.map((webhook) => present(ctx, webhook, metrics.get(webhook.id))),
    pagination: pagination(page, total, hasNext),
  };
}

export async function updateWebhook(ctx: Context, id: string, given: Input<typeof schemas.UpdateWebhook>) {
  return presentWithMetrics(ctx, await redefineWebhook(ctx, id, given));
}

export async function deleteWebhook(ctx: Context, id: string) {
  await removeWebhook(ctx, id);
  return { id, deleted_at: timestamp(ctx.clock()) };
}
