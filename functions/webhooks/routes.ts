import { newGroup } from "../../shared/runtime/http/group.ts";
import * as deadLetters from "./dead-letters.ts";
import * as deliveries from "./deliveries.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group, { permission: "agents:manage" });

routes.post("/webhooks", "createWebhook", {
  summary: "Create a webhook",
  limit: "create_webhook",
  body: schemas.CreateWebhook,
  answer: schemas.Webhook,
  status: 201,
  errors: ["FORBIDDEN", "URL_NOT_ALLOWED", "LIMIT_REACHED"],
  handler: (ctx, { body }) => service.createWebhook(ctx, body),
});

routes.get("/webhooks", "listWebhooks", {
  summary: "List webhooks with their delivery statistics, newest first",
  limit: "list_webhooks",
  query: schemas.ListWebhooks,
  answer: schemas.WebhookList,
  handler: (ctx, { query }) => service.listWebhooks(ctx, query),
});

routes.get("/webhooks/delivery-logs", "listDeliveryLogs", {
  summary: "List delivery attempts, including scheduled ones, newest first",
  query: schemas.ListDeliveryLogs,
  answer: schemas.DeliveryLogList,
  handler: (ctx, { query }) => deliveries.listDeliveryLogs(ctx, query),
});

routes.get("/webhooks/delivery-stats", "readDeliveryStats", {
  summary: "Get delivery statistics in total, by webhook, by event and over time",
  answer: schemas.DeliveryStats,
  handler: (ctx) => deliveries.readDeliveryStats(ctx),
});

routes.get("/webhooks/dead-letter", "listDeadLetters", {
  summary: "List dead letters, most recently failed first",
  query: schemas.ListDeadLetters,
  answer: schemas.DeadLetterList,
  handler: (ctx, { query }) => deadLetters.listEntries(ctx, query),
});

routes.post("/webhooks/dead-letter/{id}/retry", "retryDeadLetter", {
  summary: "Retry a dead letter as a new delivery; success removes the dead letter",
  answer: schemas.RetryQueued,
  status: 202,
  errors: ["WEBHOOK_NOT_FOUND", "CONFLICT"],
  handler: (ctx, { params }) => deadLetters.retryEntry(ctx, params.id),
});

routes.post("/webhooks/dead-letter/retry", "retryDeadLetters", {
  summary: "Retry the dead letters that match a filter, or all of them",
  body: schemas.RetryDeadLetters,
  answer: schemas.RetriesQueued,
  status: 202,
  handler: (ctx, { body }) => deadLetters.retryMatching(ctx, body),
});

routes.delete("/webhooks/dead-letter", "purgeDeadLetters", {
  summary: "Delete all dead letters or those before a given time",
  query: schemas.PurgeQuery,
  body: schemas.PurgeBody,
  answer: schemas.Purged,
  handler: (ctx, { query, body }) => deadLetters.purge(ctx, { ...query, ...body }),
});

routes.delete("/webhooks/dead-letter/{id}", "deleteDeadLetter", {
  summary: "Delete a dead letter",
  answer: schemas.DeadLetterDeleted,
  handler: (ctx, { params }) => deadLetters.deleteEntry(ctx, params.id),
});

routes.get("/webhooks/{id}", "getWebhook", {
  summary: "Get a webhook",
  answer: schemas.Webhook,
  handler: (ctx, { params }) => service.getWebhook(ctx, params.id),
});

routes.put("/webhooks/{id}", "updateWebhook", {
  summary: "Update a webhook, including its status and secret",
  body: schemas.UpdateWebhook,
  answer: schemas.Webhook,
  errors: ["FORBIDDEN", "URL_NOT_ALLOWED", "VERSION_CONFLICT"],
  handler: (ctx, { params, body }) => service.updateWebhook(ctx, params.id, body),
});

routes.delete("/webhooks/{id}", "deleteWebhook", {
  summary: "Delete a webhook and its pending deliveries",
  answer: schemas.WebhookDeleted,
  errors: ["VERSION_CONFLICT"],
  handler: (ctx, { params }) => service.deleteWebhook(ctx, params.id),
});

routes.post("/webhooks/{id}/test", "testWebhook", {
  summary: "Send a test delivery to a webhook and return its result",
  limit: "test_webhook",
  body: schemas.TestWebhook,
  answer: schemas.WebhookTested,
  handler: (ctx, { params, body }) => deliveries.testWebhook(ctx, params.id, body),
});
