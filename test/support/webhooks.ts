import { forgetWebhooks, insertWebhook } from "../../shared/domain/integration/webhooks/records.ts";
import { newWebhookSecret, sealSecret } from "../../shared/domain/integration/webhooks/secrets.ts";
import { DELIVERY_DEFAULTS, type Webhook } from "../../shared/domain/integration/webhooks/webhook.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import type { OrgRuntime } from "../../shared/runtime/context.ts";

const { retry_delay_ms: _untold, ...withoutDelay } = DELIVERY_DEFAULTS;
/** The default delivery settings of webhooks. Without a delay of their own, retries follow the schedule. */
export const DEFAULT_DELIVERY = withoutDelay;

/** An active webhook for created agents, as POST /webhooks would create it, changed by `change`. */
export async function newWebhook(runtime: OrgRuntime, change: Partial<Webhook> = {}): Promise<Webhook> {
  const id = runtime.ids("webhook");
  const now = timestamp(runtime.clock());
  return {
    id,
    org: runtime.org,
    name: "Archive",
    url: "https://hooks.example.com/",
    events: ["agent.created"],
    filters: {},
    delivery_config: DEFAULT_DELIVERY,
    sealed_secret: await sealSecret(runtime, id, newWebhookSecret()),
    metadata: {},
    status: "active",
    created_at: now,
    updated_at: now,
    created_by: "ak_1",
    version: 1,
    ...change,
  };
}

/** Stores a new webhook, changed by `change`. */
export async function storeWebhook(runtime: OrgRuntime, change: Partial<Webhook> = {}): Promise<Webhook> {
  const webhook = await newWebhook(runtime, change);
  await runtime.ports.records.write(insertWebhook(webhook));
  forgetWebhooks(runtime);
  return webhook;
}
