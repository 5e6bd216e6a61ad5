import { audit } from "../audit/audit.ts";
import { checkTarget } from "../fetching/targets.ts";
import { covers } from "../identity/permissions.ts";
import { timestamp } from "../kernel/clock.ts";
import { notFound, ServiceError } from "../kernel/errors.ts";
import type { Context } from "../platform/context.ts";
import { readThenWrite } from "../platform/read-then-write.ts";
import { removeWebhookFigures } from "./figures.ts";
import * as records from "./records.ts";
import { isInForce, MASKED_SECRET, newWebhookSecret, rotateSecret, sealSecret } from "./secrets.ts";
import {
  DELIVERY_DEFAULTS,
  type DeliveryConfig,
  permissionToRead,
  type RetryBackoff,
  type Webhook,
  type WebhookEventName,
} from "./webhook.ts";

/** What people say of how to deliver; a null delay is the usual one, which grows. */
type GivenDelivery = Partial<Omit<DeliveryConfig, "retry_delay_ms">> & {
  retry_delay_ms?: number | null;
  retry_backoff?: RetryBackoff;
};

/** What people say of a webhook. */
export interface WebhookDefinition extends Pick<Webhook, "name" | "description" | "url" | "events"> {
  filters?: Webhook["filters"];
  delivery_config?: GivenDelivery;
  metadata?: Webhook["metadata"];
  /** One is made where none is given. */
  secret?: string;
}

/** A webhook tells its receiver what it is about: nobody has it tell what they may not read. Throws FORBIDDEN. */
function requireReadable({ principal }: Context, events: readonly WebhookEventName[]): void {
  const unheld = events.filter((event) => !covers(principal.permissions, permissionToRead(event)));
  if (unheld.length === 0) return;
  throw new ServiceError("FORBIDDEN", "Events can be sent only by those who may read what they are about.", {
    events: unheld,
    permissions: [...new Set(unheld.map(permissionToRead))],
  });
}

const { retry_delay_ms: USUAL_DELAY_MS, ...USUAL_CONFIG } = DELIVERY_DEFAULTS;

function configOf(before: DeliveryConfig, { retry_delay_ms, retry_backoff, ...given }: GivenDelivery): DeliveryConfig {
  const { retry_delay_ms: kept, ...rest } = before;
  const delay = fixedDelay(kept, retry_delay_ms, retry_backoff);
  return { ...rest, ...given, ...(delay !== undefined && { retry_delay_ms: delay }) };
}

/**
 * The delay that is always the same; undefined for the usual one. What an answer tells of the usual one, given back, is
 * that one; any other delay is fixed, whatever is told beside it.
 */
function fixedDelay(kept?: number, given?: number | null, backoff?: RetryBackoff): number | undefined {
  const isUsual = given === null || (backoff === "exponential" && (given ?? USUAL_DELAY_MS) === USUAL_DELAY_MS);
  if (isUsual) return undefined;
  return given ?? kept ?? (backoff === "fixed" ? USUAL_DELAY_MS : undefined);
}

/** Stores a webhook; answers its secret where one was made, for this once. Throws FORBIDDEN, URL_NOT_ALLOWED. */
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
    delivery_config: configOf(USUAL_CONFIG, delivery_config),
    sealed_secret: await sealSecret(ctx, id, secret),
    status: "active",
    created_at: now,
    updated_at: now,
    created_by: ctx.principal.id,
    version: 1,
  };
  const made = { action: "webhook.created", target: id, details: { events: webhook.events } } as const;
  await ctx.ports.records.write(records.insertWebhook(webhook), audit(ctx, made));
  records.forgetWebhooks(ctx.ports.records, ctx.org);
  return { webhook, secret: given === undefined ? secret : undefined };
}

/** Reads a webhook and writes what depends on it, again from the start when someone else wrote in between. */
function withWebhook<T>(ctx: Context, id: string, act: (webhook: Webhook) => Promise<T>): Promise<T> {
  const find = () => records.findWebhook(ctx.ports.records, ctx.org, id);
  return readThenWrite({ resource: "webhook", id, find }, act);
}

/** Changes what is named. Throws WEBHOOK_NOT_FOUND, FORBIDDEN, URL_NOT_ALLOWED, VERSION_CONFLICT. */
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
    const told = audit(ctx, { action: "webhook.updated", target: id, details });
    await ctx.ports.records.write(records.changeWebhook(before, change), told);
    records.forgetWebhooks(ctx.ports.records, ctx.org);
  });
  const webhook = await records.findWebhook(ctx.ports.records, ctx.org, id);
  if (!webhook) throw notFound("webhook", id);
  return webhook;
}

/** A secret that comes masked, as it was answered, is none that was given. */
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

/** Removes a webhook; what waits for it is dropped when its time comes. Throws WEBHOOK_NOT_FOUND. */
export async function removeWebhook(ctx: Context, id: string): Promise<void> {
  await withWebhook(ctx, id, async (webhook) => {
    await ctx.ports.records.write(
      records.deleteWebhook(webhook),
      removeWebhookFigures(ctx.org, id),
      audit(ctx, { action: "webhook.deleted", target: id }),
    );
    records.forgetWebhooks(ctx.ports.records, ctx.org);
  });
}
