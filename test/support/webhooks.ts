import { timestamp } from "../../shared/kernel/clock.ts";
import type { OrgHome } from "../../shared/platform/context.ts";
import { forgetWebhooks, insertWebhook } from "../../shared/webhooks/records.ts";
import { newWebhookSecret, sealSecret } from "../../shared/webhooks/secrets.ts";
import { DELIVERY_DEFAULTS, type Webhook } from "../../shared/webhooks/webhook.ts";

const { retry_delay_ms: _untold, ...withoutDelay } = DELIVERY_DEFAULTS;
/** How webhooks deliver where nothing else is said; without a delay of their own they are retried by the schedule. */
export const USUAL_DELIVERY = withoutDelay;

/** Stores an active webhook for agents that are made, as its record is after POST /webhooks, but for `change`. */
export async function storeWebhook(home: OrgHome, change: Partial<Webhook> = {}): Promise<Webhook> {
  const id = home.ids("webhook");
  const now = timestamp(home.clock());
  const webhook: Webhook = {
    id,
    org: home.org,
    name: "Archive",
    url: "https://hooks.example.com/",
    events: ["agent.created"],
    filters: {},
    delivery_config: USUAL_DELIVERY,
    sealed_secret: await sealSecret(home, id, newWebhookSecret()),
    metadata: {},
    status: "active",
    created_at: now,
    updated_at: now,
    created_by: "ak_1",
    version: 1,
    ...change,
  };
  await home.ports.records.write(insertWebhook(webhook));
  forgetWebhooks(home.ports.records, home.org);
  return webhook;
}
