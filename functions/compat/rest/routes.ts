import type { RouteGroup } from "../../../shared/runtime/http/group.ts";
import * as batch from "./batch.ts";
import * as events from "./events.ts";
import * as project from "./project.ts";
import * as schemas from "./schemas.ts";
import * as subjects from "./subjects.ts";
import * as webhooks from "./webhooks.ts";

/** Few requests need exports, so their code is not part of the first answer. */
const loadExports = () => import("./exports.ts");

/** Further mem0 routes, mapped to this service's features. */
export function addRestRoutes(routes: RouteGroup): void {
  routes.get("/v1/ping", "pingCompat", {
    summary: "Check an API key; returns its organization and user",
    permission: "any",
    answer: schemas.CompatPing,
    handler: (ctx) => project.ping(ctx),
  });
  addSubjectRoutes(routes);
  addBatchRoutes(routes);
  addEventRoutes(routes);
  addExportRoutes(routes);
  addProjectRoutes(routes);
  addWebhookRoutes(routes);
}

function addSubjectRoutes(routes: RouteGroup): void {
  routes.get("/v1/entities", "listCompatSubjects", {
    summary: "List the users, agents, apps and runs that have memories",
    allowsAgentKeys: false,
    limit: "read_memory",
    query: schemas.CompatListSubjects,
    answer: schemas.CompatSubjectList,
    handler: (ctx, { query }) => subjects.listSubjects(ctx, query),
  });
  for (const [version, name] of [
    ["v1", "deleteCompatSubjectV1"],
    ["v2", "deleteCompatSubject"],
  ] as const) {
    routes.delete(`/${version}/entities/{entity_type}/{entity_name}`, name, {
      summary: "Delete a user, agent, app or run with all its memories",
      allowsAgentKeys: false,
      limit: "delete_memory",
      answer: schemas.CompatSubjectDeleted,
      errors: ["ENTITY_NOT_FOUND"],
      handler: (ctx, { params }) => subjects.deleteSubject(ctx, params),
    });
  }
}

function addBatchRoutes(routes: RouteGroup): void {
  routes.put("/v1/batch", "updateCompatBatch", {
    summary: "Update up to 1,000 memories independently",
    limit: "update_memory",
    body: schemas.CompatChangeBatch,
    answer: schemas.CompatBatchOutcome,
    errors: ["FORBIDDEN", "MEMORY_NOT_FOUND", "VERSION_CONFLICT"],
    handler: (ctx, { body }) => batch.changeBatch(ctx, body),
  });
  routes.delete("/v1/batch", "deleteCompatBatch", {
    summary: "Delete up to 1,000 memories independently",
    limit: "delete_memory",
    body: schemas.CompatDeleteBatch,
    answer: schemas.CompatBatchOutcome,
    errors: ["FORBIDDEN", "MEMORY_NOT_FOUND", "VERSION_CONFLICT"],
    handler: (ctx, { body }) => batch.deleteBatch(ctx, body),
  });
  routes.post("/v1/feedback", "giveCompatFeedback", {
    summary: "Rate a memory: POSITIVE is 5 of 5, NEGATIVE 2, VERY_NEGATIVE 1",
    limit: "update_memory",
    body: schemas.CompatGiveFeedback,
    answer: schemas.CompatFeedbackGiven,
    errors: ["FORBIDDEN", "MEMORY_NOT_FOUND"],
    handler: (ctx, { body }) => batch.rate(ctx, body),
  });
}

function addEventRoutes(routes: RouteGroup): void {
  routes.get("/v1/event/{event_id}", "getCompatEvent", {
    summary: "Get the status of a background job",
    limit: "read_memory",
    answer: schemas.CompatEvent,
    errors: ["EVENT_NOT_FOUND"],
    handler: (ctx, { params }) => events.getEvent(ctx, params.event_id),
  });
  routes.get("/v1/events", "listCompatEvents", {
    summary: "List background jobs, newest first",
    limit: "read_memory",
    query: schemas.CompatListEvents,
    answer: schemas.CompatEventList,
    handler: (ctx, { query }) => events.listEvents(ctx, query),
  });
}

function addExportRoutes(routes: RouteGroup): void {
  routes.post("/v1/exports", "createCompatExport", {
    summary: "Export the memories that match filters",
    permission: "memory:read",
    allowsAgentKeys: false,
    body: schemas.CompatCreateExport,
    answer: schemas.CompatExportCreated,
    errors: ["INVALID_FILTERS"],
    handler: async (ctx, { body }) => (await loadExports()).createExport(ctx, body),
  });
  routes.post("/v1/exports/get", "getCompatExport", {
    summary: "Get the result of an export by its id or its filters",
    permission: "memory:read",
    allowsAgentKeys: false,
    readOnly: true,
    body: schemas.CompatGetExport,
    answer: schemas.CompatExportFound,
    errors: ["EXPORT_NOT_FOUND", "INVALID_FILTERS"],
    handler: async (ctx, { body }) => (await loadExports()).getExport(ctx, body),
  });
}

function addProjectRoutes(routes: RouteGroup): void {
  const path = "/api/v1/orgs/organizations/{org_id}/projects/{project_id}";
  routes.get(path, "getCompatProject", {
    summary: "Get the project (the organization) and its settings",
    query: schemas.CompatReadProject,
    allowsAgentKeys: false,
    answer: schemas.CompatProject,
    errors: ["ORGANIZATION_NOT_FOUND", "PROJECT_NOT_FOUND"],
    handler: (ctx, { params, query }) => project.getProject(ctx, params, query),
  });
  routes.patch(path, "changeCompatProject", {
    summary: "Update project settings, which apply to what all members store",
    permission: "admin:all",
    allowsAgentKeys: false,
    body: schemas.CompatChangeProject,
    answer: schemas.CompatMessage,
    errors: ["ORGANIZATION_NOT_FOUND", "PROJECT_NOT_FOUND", "CONFLICT"],
    handler: (ctx, { params, body }) => project.changeProject(ctx, params, body),
  });
}

function addWebhookRoutes(routes: RouteGroup): void {
  const ofProject = "/api/v1/webhooks/projects/{project_id}";
  const path = "/api/v1/webhooks/{webhook_id}";
  const common = { permission: "agents:manage", allowsAgentKeys: false } as const;
  routes.get(ofProject, "listCompatWebhooks", {
    ...common,
    summary: "List the project's webhooks, newest first",
    limit: "list_webhooks",
    answer: schemas.CompatWebhookList,
    errors: ["PROJECT_NOT_FOUND"],
    handler: (ctx, { params }) => webhooks.listWebhooks(ctx, params),
  });
  routes.post(ofProject, "createCompatWebhook", {
    ...common,
    summary: "Create a webhook for added, updated and deleted memories",
    limit: "create_webhook",
    body: schemas.CompatCreateWebhook,
    answer: schemas.CompatWebhookCreated,
    errors: ["PROJECT_NOT_FOUND", "FORBIDDEN", "URL_NOT_ALLOWED"],
    handler: (ctx, { params, body }) => webhooks.createWebhook(ctx, params, body),
  });
  routes.put(path, "changeCompatWebhook", {
    ...common,
    summary: "Update a webhook's name, URL, events or active flag",
    body: schemas.CompatChangeWebhook,
    answer: schemas.CompatMessage,
    errors: ["WEBHOOK_NOT_FOUND", "FORBIDDEN", "URL_NOT_ALLOWED", "VERSION_CONFLICT"],
    handler: (ctx, { params, body }) => webhooks.changeWebhook(ctx, params.webhook_id, body),
  });
  routes.delete(path, "deleteCompatWebhook", {
    ...common,
    summary: "Delete a webhook",
    answer: schemas.CompatMessage,
    errors: ["WEBHOOK_NOT_FOUND", "VERSION_CONFLICT"],
    handler: (ctx, { params }) => webhooks.deleteWebhook(ctx, params.webhook_id),
  });
}
