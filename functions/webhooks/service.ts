import type * as z from "zod";
import { audit } from "../../shared/audit/audit.ts";
import { checkTarget } from "../../shared/fetching/targets.ts";
import { covers } from "../../shared/identity/permissions.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Context } from "../../shared/platform/context.ts";
import { readThenWrite } from "../../shared/platform/read-then-write.ts";
import {
  NO_FIGURES,
  readWebhookFigures,
  removeWebhookFigures,
  type WebhookFigures,
} from "../../shared/webhooks/figures.ts";
import * as records from "../../shared/webhooks/records.ts";
import { MASKED_SECRET, newWebhookSecret, rotateSecret, sealSecret } from "../../shared/webhooks/secrets.ts";
import {
  DELIVERY_DEFAULTS,
  type DeliveryConfig,
  permissionToRead,
  type Webhook,
  type WebhookEventName,
} from "../../shared/webhooks/webhook.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

/** Throws WEBHOOK_NOT_FOUND for an absent and a foreign id alike. */
export async function findOwn(ctx: Context, id: string): Promise<Webhook> {
  const webhook = await records.findWebhook(ctx.ports.records, ctx.org, id);
  if (!webhook) throw notFound("webhook", id);
  return webhook;
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

function configOf(
  before: DeliveryConfig,
  { retry_delay_ms, ...given }: Input<typeof schemas.CreateWebhook>["delivery_config"],
): DeliveryConfig {
  const { retry_delay_ms: kept, ...rest } = before;
  const delay = retry_delay_ms === undefined ? kept : (retry_delay_ms ?? undefined);
  return { ...rest, ...given, ...(delay !== undefined && { retry_delay_ms: delay }) };
}

const { retry_delay_ms: DEFAULT_DELAY_MS, ...USUAL_CONFIG } = DELIVERY_DEFAULTS;

/** What is told of a webhook; its secret masked, unless this is the answer that shows it. */
function present(webhook: Webhook, { last_delivery, delivery_stats }: WebhookFigures, secret = MASKED_SECRET) {
  const { delivery_config, previous_secret, ...rest } = webhook;
  const { retry_delay_ms, ...config } = delivery_config;
  return {
    ...rest,
    delivery_config: {
      ...config,
      retry_delay_ms: retry_delay_ms ?? DEFAULT_DELAY_MS,
      retry_backoff: retry_delay_ms === undefined ? ("exponential" as const) : ("fixed" as const),
    },
    secret,
    ...(previous_secret && { previous_secret_until: previous_secret.until }),
    last_delivery,
    delivery_stats,
  };
}

/** What was counted of webhooks, this process's own counts included. */
async function figuresOf(ctx: Context, webhooks: Webhook[]): Promise<Map<string, WebhookFigures>> {
  await ctx.rollups.flush();
  return readWebhookFigures(
    ctx.ports.records,
    ctx.org,
    webhooks.map(({ id }) => id),
  );
}

async function presentWithFigures(ctx: Context, webhook: Webhook) {
  const figures = await figuresOf(ctx, [webhook]);
  return present(webhook, figures.get(webhook.id) ?? NO_FIGURES);
}

export async function createWebhook(
  ctx: Context,
  { secret: given, delivery_config, ...definition }: Input<typeof schemas.CreateWebhook>,
) {
  requireReadable(ctx, definition.events);
  checkTarget(definition.url, ctx.config);
  const id = ctx.ids("webhook");
  const secret = given ?? newWebhookSecret();
  const now = timestamp(ctx.clock());
  const webhook: Webhook = {
    ...definition,
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
  return present(webhook, NO_FIGURES, given === undefined ? secret : MASKED_SECRET);
}

export async function getWebhook(ctx: Context, id: string) {
  return presentWithFigures(ctx, await findOwn(ctx, id));
}

export async function listWebhooks(ctx: Context, { status, event, ...page }: Input<typeof schemas.ListWebhooks>) {
  const { webhooks, total, hasNext } = await records.listWebhooks(ctx.ports.records, ctx.org, { status, event }, page);
  const figures = await figuresOf(ctx, webhooks);
  return {
    webhooks: webhooks.map((webhook) => present(webhook, figures.get(webhook.id) ?? NO_FIGURES)),
    pagination: pagination(page, total, hasNext),
  };
}

/** Reads a webhook and writes what depends on it, again from the start when someone else wrote in between. */
function withWebhook<T>(ctx: Context, id: string, act: (webhook: Webhook) => Promise<T>): Promise<T> {
  const find = () => records.findWebhook(ctx.ports.records, ctx.org, id);
  return readThenWrite({ resource: "webhook", id, find }, act);
}

export async function updateWebhook(ctx: Context, id: string, given: Input<typeof schemas.UpdateWebhook>) {
  if (given.url !== undefined) checkTarget(given.url, ctx.config);
  return withWebhook(ctx, id, async (before) => {
    requireReadable(ctx, given.events ?? before.events);
    const change = await changeOf(ctx, before, given);
    const details = { fields: Object.keys(given), ...(given.status && { status: given.status }) };
    const told = audit(ctx, { action: "webhook.updated", target: id, details });
    await ctx.ports.records.write(records.changeWebhook(before, change), told);
    records.forgetWebhooks(ctx.ports.records, ctx.org);
    return presentWithFigures(ctx, await findOwn(ctx, id));
  });
}

/** A secret that comes masked, as it was answered, is none that was given. */
async function changeOf(
  ctx: Context,
  before: Webhook,
  { secret, delivery_config, ...given }: Input<typeof schemas.UpdateWebhook>,
): Promise<records.WebhookChange> {
  const isRotated = secret !== undefined && secret !== MASKED_SECRET;
  return {
    ...given,
    ...(delivery_config && { delivery_config: configOf(before.delivery_config, delivery_config) }),
    ...(isRotated && (await rotateSecret(ctx, before, secret))),
    updated_at: timestamp(ctx.clock()),
  };
}

/** What waits for it is dropped when its time comes. */
export async function deleteWebhook(ctx: Context, id: string) {
  return withWebhook(ctx, id, async (webhook) => {
    await ctx.ports.records.write(
      records.deleteWebhook(webhook),
      removeWebhookFigures(ctx.org, id),
      audit(ctx, { action: "webhook.deleted", target: id }),
    );
    records.forgetWebhooks(ctx.ports.records, ctx.org);
    return { id, deleted_at: timestamp(ctx.clock()) };
  });
}
