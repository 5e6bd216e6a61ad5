import { defineWebhook, redefineWebhook, removeWebhook } from "../../../shared/domain/integration/webhooks/define.ts";
import { readWebhooks } from "../../../shared/domain/integration/webhooks/records.ts";
import type { Webhook, WebhookEventName } from "../../../shared/domain/integration/webhooks/webhook.ts";
import { invalid } from "../../../shared/kernel/errors.ts";
import type { Input } from "../../../shared/kernel/schema-input.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { requireId } from "../common/ids.ts";
import { PROJECT_ID, requireOwnProject } from "./project.ts";
import type * as schemas from "./schemas.ts";

type EventType = Input<typeof schemas.CompatWebhookEvent>;

const EVENTS: Record<Exclude<EventType, "memory_categorize">, WebhookEventName> = {
  memory_add: "memory.created",
  memory_update: "memory.updated",
  memory_delete: "memory.deleted",
};

const TYPES = new Map(Object.entries(EVENTS).map(([type, event]) => [event, type]));

function eventsOf(types: EventType[]): WebhookEventName[] {
  return types.map((type) => {
    if (type !== "memory_categorize") return EVENTS[type];
    throw invalid({
      field: "event_types",
      problem: "memories get their categories as they are stored: memory_add tells of both",
    });
  });
}

export async function listWebhooks(ctx: Context, project: { project_id: string }) {
  requireOwnProject(ctx, project);
  const webhooks = await readWebhooks(ctx.ports.records, ctx.org);
  return webhooks.toReversed().map(present);
}

export async function createWebhook(
  ctx: Context,
  project: { project_id: string },
  { name, url, event_types }: Input<typeof schemas.CompatCreateWebhook>,
) {
  requireOwnProject(ctx, project);
  const { webhook, secret } = await defineWebhook(ctx, { name, url, events: eventsOf(event_types) });
  return { ...present(webhook), secret };
}

export async function changeWebhook(
  ctx: Context,
  id: string,
  { name, url, event_types, is_active }: Input<typeof schemas.CompatChangeWebhook>,
) {
  await redefineWebhook(ctx, requireId("webhook", id), {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(event_types && { events: eventsOf(event_types) }),
    ...(is_active !== undefined && { status: is_active ? "active" : "inactive" }),
  });
  return { message: "Webhook updated successfully!" };
}

export async function deleteWebhook(ctx: Context, id: string) {
  await removeWebhook(ctx, requireId("webhook", id));
  return { message: "Webhook deleted successfully!" };
}

/** Events without a name in mem0 keep the service's name. */
function present({ id, name, url, status, events, created_at, updated_at }: Webhook) {
  return {
    webhook_id: id,
    name,
    url,
    project: PROJECT_ID,
    is_active: status === "active",
    event_types: events.map((event) => TYPES.get(event) ?? event),
    created_at,
    updated_at,
  };
}
