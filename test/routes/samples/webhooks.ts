import type { GroupSamples } from "./sample.ts";

const webhook = {
  name: "Archive",
  url: "https://hooks.example.com/memories",
  events: ["memory.created"],
  filters: { category: ["tea", "coffee"], user_id: "ada" },
};

/** No host has this name; the request fails at once or after the timeout. */
const unreachable = {
  name: "Nowhere",
  url: "https://nowhere.invalid/",
  events: ["memory.created"],
  delivery_config: { timeout_ms: 100, retry_count: 0 },
};

export const webhooks: GroupSamples = {
  things: {
    webhook: { path: "/webhooks", body: webhook },
    unreachable_webhook: { path: "/webhooks", body: unreachable },
    dead_letter: {
      params: { webhook: "unreachable_webhook" },
      path: "/memories",
      body: { content: "Ada prefers tea." },
      found: { path: "/webhooks/dead-letter", idField: "dead_letter_entries.0.id" },
    },
  },
  routes: {
    createWebhook: { body: webhook },
    listWebhooks: { query: "limit=1" },
    listDeliveryLogs: { query: "status=pending" },
    readDeliveryStats: {},
    listDeadLetters: { query: "older_than=2031-01-01" },
    retryDeadLetter: { params: { id: "dead_letter" } },
    retryDeadLetters: { body: { event: "memory.created" } },
    purgeDeadLetters: { body: { confirm: true } },
    deleteDeadLetter: { params: { id: "dead_letter" } },
    getWebhook: { params: { id: "webhook" } },
    updateWebhook: { params: { id: "webhook" }, body: { status: "paused" } },
    deleteWebhook: { params: { id: "webhook" } },
    testWebhook: { params: { id: "unreachable_webhook" }, body: { event: "webhook.test" } },
  },
  additions: ["POST /webhooks/dead-letter/retry"],
};
