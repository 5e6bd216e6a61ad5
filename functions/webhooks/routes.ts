import { newGroup } from "../../shared/runtime/http/group.ts";
import * as deadLetters from "./dead-letters.ts";
import * as deliveries from "./deliveries.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "post",
    path: "/webhooks",
    name: "createWebhook",
    summary: "Create a webhook",
    permission: "agents:manage",
    limit: "create_webhook",
    body: schemas.CreateWebhook,
    answer: schemas.Webhook,
    status: 201,
    errors: ["FORBIDDEN", "URL_NOT_ALLOWED"],
  },
  (ctx, { body }) => service.createWebhook(ctx, body),
);

routes.route(
  {
    method: "get",
    path: "/webhooks",
    name: "listWebhooks",
    summary: "List webhooks with their delivery statistics, newest first",
    permission: "agents:manage",
    limit: "list_webhooks",
    query: schemas.ListWebhooks,
    answer: schemas.WebhookList,
  },
  (ctx, { query }) => service.listWebhooks(ctx, query),
);

routes.route(
  {
    method: "get",
    path: "/webhooks/delivery-logs",
    name: "listDeliveryLogs",
    summary: "List delivery attempts, including scheduled ones, newest first",
    permission: "agents:manage",
    query: schemas.ListDeliveryLogs,
    answer: schemas.DeliveryLogList,
  },
  (ctx, { query }) => deliveries.listDeliveryLogs(ctx, query),
);

routes.route(
  {
    method: "get",
    path: "/webhooks/delivery-stats",
    name: "readDeliveryStats",
    summary: "Get delivery statistics in total, by webhook, by event and over time",
    permission: "agents:manage",
    answer: schemas.DeliveryStats,
  },
  (ctx) => deliveries.readDeliveryStats(ctx),
);

routes.route(
  {
    method: "get",
    path: "/webhooks/dead-letter",
    name: "listDeadLetters",
    summary: "List dead letters, most recently failed first",
    permission: "agents:manage",
    query: schemas.ListDeadLetters,
    answer: schemas.DeadLetterList,
  },
  (ctx, { query }) => deadLetters.listEntries(ctx, query),
);

routes.route(
  {
    method: "post",
    path: "/webhooks/dead-letter/{id}/retry",
    name: "retryDeadLetter",
    summary: "Retry a dead letter as a new delivery; success removes the dead letter",
    permission: "agents:manage",
    answer: schemas.RetryQueued,
    status: 202,
    errors: ["DEAD_LETTER_NOT_FOUND", "WEBHOOK_NOT_FOUND", "CONFLICT"],
  },
  (ctx, { params }) => deadLetters.retryEntry(ctx, params.id),
);

routes.route(
  {
    method: "delete",
    path: "/webhooks/dead-letter",
    name: "purgeDeadLetters",
    summary: "Delete all dead letters or those before a given time",
    permission: "agents:manage",
    query: schemas.PurgeQuery,
    body: schemas.PurgeBody,
    answer: schemas.Purged,
  },
  (ctx, { query, body }) => deadLetters.purge(ctx, { ...query, ...body }),
);

routes.route(
  {
    method: "delete",
    path: "/webhooks/dead-letter/{id}",
    name: "deleteDeadLetter",
    summary: "Delete a dead letter",
    permission: "agents:manage",
    answer: schemas.DeadLetterDeleted,
    errors: ["DEAD_LETTER_NOT_FOUND"],
  },
  (ctx, { params }) => deadLetters.deleteEntry(ctx, params.id),
);

routes.route(
  {
    method: "get",
    path: "/webhooks/{id}",
    name: "getWebhook",
    summary: "Get a webhook",
    permission: "agents:manage",
    answer: schemas.Webhook,
    errors: ["WEBHOOK_NOT_FOUND"],
  },
  (ctx, { params }) => service.getWebhook(ctx, params.id),
);

routes.route(
  {
    method: "put",
    path: "/webhooks/{id}",
    name: "updateWebhook",
    summary: "Update a webhook, including its status and secret",
    permission: "agents:manage",
    body: schemas.UpdateWebhook,
    answer: schemas.Webhook,
    errors: ["WEBHOOK_NOT_FOUND", "FORBIDDEN", "URL_NOT_ALLOWED", "VERSION_CONFLICT"],
  },
  (ctx, { params, body }) => service.updateWebhook(ctx, params.id, body),
);

routes.route(
  {
    method: "delete",
    path: "/webhooks/{id}",
    name: "deleteWebhook",
    summary: "Delete a webhook and its pending deliveries",
    permission: "agents:manage",
    answer: schemas.WebhookDeleted,
    errors: ["WEBHOOK_NOT_FOUND", "VERSION_CONFLICT"],
  },
  (ctx, { params }) => service.deleteWebhook(ctx, params.id),
);

routes.route(
  {
    method: "post",
    path: "/webhooks/{id}/test",
    name: "testWebhook",
    summary: "Send a test delivery to a webhook and return its result",
    permission: "agents:manage",
    limit: "test_webhook",
    body: schemas.TestWebhook,
    answer: schemas.WebhookTested,
    errors: ["WEBHOOK_NOT_FOUND"],
  },
  (ctx, { params, body }) => deliveries.testWebhook(ctx, params.id, body),
);
