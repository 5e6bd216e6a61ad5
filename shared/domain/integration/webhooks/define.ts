import { timestamp } from "../../../kernel/clock.ts";
import { existing, ServiceError } from "../../../kernel/errors.ts";
import { updateWithRetry } from "../../../ports/conflicts.ts";
import { covers } from "../../../runtime/access/permissions.ts";
import { audit } from "../../../runtime/audit/audit.ts";
import type { Context } from "../../../runtime/context.ts";
import { checkTarget } from "../../../runtime/fetching/targets.ts";
import { ownerOf, storeOwned } from "../../identity/owned-counts.ts";
import { removeWebhookMetrics } from "./metrics.ts";
import * as records from "./records.ts";
import { isInForce, MASKED_SECRET, newWebhookSecret, rotateSecret, sealSecret } from "./secrets.ts";
import {
  DELIVERY_DEFAULTS,
  type DeliveryConfig,
  EVENT_PERMISSIONS,
  type RetryBackoff,
  type Webhook,
  type WebhookEventName,
} from "./webhook.ts";

/** Delivery settings of a request; a null delay means the default, which grows with each attempt. */
type RequestedDelivery = Partial<Omit<DeliveryConfig, "retry_delay_ms">> & {
  retry_delay_ms?: number | null;
  retry_backoff?: RetryBackoff;
};

/** A webhook as requested. */
export interface WebhookDefinition extends Pick<Webhook, "name" | "description" | "url" | "events"> {
  filters?: Webhook["filters"];
  delivery_config?: RequestedDelivery;
  metadata?: Webhook["metadata"];
  /** Generated if absent. */
  secret?: string;
}

/** Throws FORBIDDEN if the caller may not read the resources that the events send to the webhook's receiver. */
function requireReadable({ principal }: Context, events: readonly WebhookEventName[]): void {
  const forbidden = events.filter((event) => !covers(principal.permissions, EVENT_PERMISSIONS[event]));
  if (forbidden.length === 0) return;
  throw new ServiceError(
    "FORBIDDEN",
    "To subscribe to events, the credential needs permission to read their resources.",
    { events: forbidden, permissions: [...new Set(forbidden.map((event) => EVENT_PERMISSIONS[event]))] },
  );
}

const { retry_delay_ms: DEFAULT_DELAY_MS, ...DEFAULT_CONFIG } = DELIVERY_DEFAULTS;

/** Returns the delivery settings with the requested changes. */
function configOf(
  before: DeliveryConfig,
  { retry_delay_ms, retry_backoff, ...given }: RequestedDelivery,
): DeliveryConfig {
  const { retry_delay_ms: current, ...rest } = before;
  const delay = fixedDelay(current, retry_delay_ms, retry_backoff);
  return { ...rest, ...given, ...(delay !== undefined && { retry_delay_ms: delay }) };
}

/**
 * Returns the fixed delay in milliseconds, or undefined for the default one. If a client sends back the default delay
 * of a response, it stays the default; any other delay is fixed, whichever backoff is sent with it.
 */
function fixedDelay(current?: number, given?: number | null, backoff?: RetryBackoff): number | undefined {
  const isDefault = given === null || (backoff === "exponential" && (given ?? DEFAULT_DELAY_MS) === DEFAULT_DELAY_MS);
  if (isDefault) return undefined;
  return given ?? current ?? (backoff === "fixed" ? DEFAULT_DELAY_MS : undefined);
}

/** Creates a webhook; returns its secret once if it was generated. Throws FORBIDDEN, URL_NOT_ALLOWED, LIMIT_REACHED. */
export async function defineWebhook(
  ctx: Context,
  { secret: given, delivery_config = {}, filters = {}, metadata = {}, ...definition }: WebhookDefinition,
): Promise<{ webhook: Webhook; secret: string | undefined }> {
  requireReadable(ctx, definition.events);
  checkTarget(definition.url, ctx.config);
  const id = ctx.ids("webhook");
  const secret = given ?? newWebhookSecret();
  const now = timestamp(ctx.clock());
  const webhook: Webhook = {
    ...definition,
    filters,
    metadata,
    id,
    org: ctx.org,
    delivery_config: configOf(DEFAULT_CONFIG, delivery_config),
    sealed_secret: await sealSecret(ctx, id, secret),
    status: "active",
    created_at: now,
    updated_at: now,
    created_by: ctx.principal.id,
    version: 1,
  };
  const entry = { action: "webhook.created", target: id, details: { events: webhook.events } } as const;
  await storeOwned(ctx, records.WEBHOOKS, ownerOf(ctx), [records.insertWebhook(webhook), audit(ctx, entry)]);
  records.forgetWebhooks(ctx);
  return { webhook, secret: given === undefined ? secret : undefined };
}

/** Reads a webhook and calls `act`, which writes a change of it; repeats both after a conflict. */
function withWebhook<T>(ctx: Context, id: string, act: (webhook: Webhook) => Promise<T>): Promise<T> {
  const find = () => records.findWebhook(ctx.ports.records, ctx.org, id);
  return updateWithRetry({ resource: "webhook", id, find }, act);
}

/** Updates the given fields. Throws WEBHOOK_NOT_FOUND, FORBIDDEN, URL_NOT_ALLOWED, VERSION_CONFLICT. */
export async function redefineWebhook(
  ctx: Context,
  id: string,
  given: Partial<WebhookDefinition> & Partial<Pick<Webhook, "status">>,
): Promise<Webhook> {
  if (given.url !== undefined) checkTarget(given.url, ctx.config);
  await withWebhook(ctx, id, async (before) => {
    requireReadable(ctx, given.events ?? before.events);
    const change = await changeOf(ctx, before, given);
    const details = { fields: Object.keys(given), ...(given.status && { status: given.status }) };
    const entry = audit(ctx, { action: "webhook.updated", target: id, details });
    await ctx.ports.records.write(records.changeWebhook(before, change), entry);
    records.forgetWebhooks(ctx);
  });
  return existing(await records.findWebhook(ctx.ports.records, ctx.org, id), "webhook", id);
}

/** Returns the change that a request makes. A masked secret, as in responses, does not rotate the secret. */
async function changeOf(
  ctx: Context,
  before: Webhook,
  { secret, delivery_config, ...given }: Partial<WebhookDefinition> & Partial<Pick<Webhook, "status">>,
): Promise<records.WebhookChange> {
  const isRotated = secret !== undefined && secret !== MASKED_SECRET;
  const now = timestamp(ctx.clock());
  return {
    ...given,
    ...(given.status === "active" && before.status !== "active" && { active_since: now }),
    ...(!isInForce(ctx, before.previous_secret) && { previous_secret: undefined }),
    ...(delivery_config && { delivery_config: configOf(before.delivery_config, delivery_config) }),
    ...(isRotated && (await rotateSecret(ctx, before, secret))),
    updated_at: now,
  };
}

/** Deletes a webhook; its pending deliveries are dropped when due. Throws WEBHOOK_NOT_FOUND. */
export async function removeWebhook(ctx: Context, id: string): Promise<void> {
  await withWebhook(ctx, id, async (webhook) => {
    await ctx.ports.records.write(
      records.deleteWebhook(webhook),
      removeWebhookMetrics(ctx.org, id),
      audit(ctx, { action: "webhook.deleted", target: id }),
    );
    records.forgetWebhooks(ctx);
  });
}
