import { forgetWebhooks, insertWebhook } from "../../shared/domain/integration/webhooks/records.ts";
import { newWebhookSecret, sealSecret } from "../../shared/domain/integration/webhooks/secrets.ts";
import { DELIVERY_DEFAULTS, type Webhook } from "../../shared/domain/integration/webhooks/webhook.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import type { OrgRuntime } from "../../shared/runtime/context.ts";

const { retry_delay_ms: _untold, ...withoutDelay } = DELIVERY_DEFAULTS;
/** The default delivery settings of webhooks. Without a delay of their own, retries follow the schedule. */
export const USUAL_DELIVERY = withoutDelay;

/**
 * Stores an active webhook for created agents, with the record that POST /webhooks would store, changed by `change`.
 */
export async function storeWebhook(runtime: OrgRuntime, change: Partial<Webhook> = {}): Promise<Webhook> {
  const id = runtime.ids("webhook");
  const now = timestamp(runtime.clock());
  const webhook: Webhook = {
    id,
    org: runtime.org,
    name: "Archive",
    url: "https://hooks.example.com/",
    events: ["agent.created"],
    filters: {},
    delivery_config: USUAL_DELIVERY,
    sealed_secret: await sealSecret(runtime, id, newWebhookSecret()),
    metadata: {},
    status: "active",
    created_at: now,
    updated_at: now,
    created_by: "ak_1",
    version: 1,
    ...change,
  };
  await runtime.ports.records.write(insertWebhook(webhook));
  forgetWebhooks(runtime);
  return webhook;
}
