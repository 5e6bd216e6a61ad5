import type { RouteGroup } from "../../../shared/http/group.ts";
import * as schemas from "../schemas.ts";
import * as batch from "./batch.ts";
import * as events from "./events.ts";
import * as exports from "./exports.ts";
import * as project from "./project.ts";
import * as subjects from "./subjects.ts";
import * as webhooks from "./webhooks.ts";

/** What clients of mem0 ask for besides single memories, mapped onto what there is. */
export function addRestRoutes(routes: RouteGroup): void {
  routes.route(
    {
      method: "get",
      path: "/v1/ping",
      name: "pingCompat",
      summary: "Tell a client that its key is good, and whose it is",
      query: schemas.CompatQuery,
      permission: "any",
      answer: schemas.CompatPing,
      bare: true,
    },
    (ctx) => project.ping(ctx),
  );
  addSubjectRoutes(routes);
  addBatchRoutes(routes);
  addEventRoutes(routes);
  addExportRoutes(routes);
  addProjectRoutes(routes);
  addWebhookRoutes(routes);
}

function addSubjectRoutes(routes: RouteGroup): void {
  routes.route(
    {
      method: "get",
      path: "/v1/entities",
      name: "listCompatSubjects",
      summary: "List the users, agents, apps and runs that there are memories of",
      permission: "memory:read",
      admitsAgents: false,
      limit: "read_memory",
      query: schemas.CompatListSubjects,
      answer: schemas.CompatSubjectList,
      bare: true,
    },
    (ctx, { query }) => subjects.listSubjects(ctx, query),
  );
  for (const [version, name] of [
    ["v1", "deleteCompatSubjectV1"],
    ["v2", "deleteCompatSubject"],
  ] as const) {
    routes.route(
      {
        method: "delete",
        path: `/${version}/entities/{entity_type}/{entity_name}`,
        name,
        summary: "Delete a user, agent, app or run with all its memories",
        query: schemas.CompatQuery,
        permission: "memory:delete",
        admitsAgents: false,
        limit: "delete_memory",
        answer: schemas.CompatSubjectDeleted,
        bare: true,
        errors: ["VALIDATION_ERROR", "ENTITY_NOT_FOUND"],
      },
      (ctx, { params }) => subjects.deleteSubject(ctx, params),
    );
  }
}

function addBatchRoutes(routes: RouteGroup): void {
  routes.route(
    {
      method: "put",
      path: "/v1/batch",
      name: "updateCompatBatch",
      summary: "Change up to 1,000 memories, each by itself",
      query: schemas.CompatQuery,
      permission: "memory:write",
      limit: "update_memory",
      body: schemas.CompatChangeBatch,
      answer: schemas.CompatBatchOutcome,
      bare: true,
      errors: ["FORBIDDEN", "MEMORY_NOT_FOUND", "VERSION_CONFLICT"],
    },
    (ctx, { body }) => batch.changeBatch(ctx, body),
  );
  routes.route(
    {
      method: "delete",
      path: "/v1/batch",
      name: "deleteCompatBatch",
      summary: "Delete up to 1,000 memories, each by itself",
      query: schemas.CompatQuery,
      permission: "memory:delete",
      limit: "delete_memory",
      body: schemas.CompatDeleteBatch,
      answer: schemas.CompatBatchOutcome,
      bare: true,
      errors: ["FORBIDDEN", "MEMORY_NOT_FOUND", "VERSION_CONFLICT"],
    },
    (ctx, { body }) => batch.deleteBatch(ctx, body),
  );
  routes.route(
    {
      method: "post",
      path: "/v1/feedback",
      name: "giveCompatFeedback",
      summary: "Rate a memory: POSITIVE is 5 of 5, NEGATIVE 2, VERY_NEGATIVE 1",
      query: schemas.CompatQuery,
      permission: "memory:write",
      limit: "update_memory",
      body: schemas.CompatGiveFeedback,
      answer: schemas.CompatFeedbackGiven,
      bare: true,
      errors: ["FORBIDDEN", "MEMORY_NOT_FOUND"],
    },
    (ctx, { body }) => batch.rate(ctx, body),
  );
}

function addEventRoutes(routes: RouteGroup): void {
  routes.route(
    {
      method: "get",
      path: "/v1/event/{event_id}",
      name: "getCompatEvent",
      summary: "Read how far something has come that was asked for",
      query: schemas.CompatQuery,
      permission: "memory:read",
      limit: "read_memory",
      answer: schemas.CompatEvent,
      bare: true,
      errors: ["VALIDATION_ERROR", "EVENT_NOT_FOUND"],
    },
    (ctx, { params }) => events.getEvent(ctx, params.event_id),
  );
  routes.route(
    {
      method: "get",
      path: "/v1/events",
      name: "listCompatEvents",
      summary: "List what was asked for, newest first",
      permission: "memory:read",
      limit: "read_memory",
      query: schemas.CompatListEvents,
      answer: schemas.CompatEventList,
      bare: true,
    },
    (ctx, { query }) => events.listEvents(ctx, query),
  );
}

function addExportRoutes(routes: RouteGroup): void {
  routes.route(
    {
      method: "post",
      path: "/v1/exports",
      name: "createCompatExport",
      summary: "Write the memories that match filters to files",
      query: schemas.CompatQuery,
      permission: "memory:read",
      admitsAgents: false,
      body: schemas.CompatCreateExport,
      answer: schemas.CompatExportCreated,
      bare: true,
      errors: ["INVALID_FILTERS"],
    },
    (ctx, { body }) => exports.createExport(ctx, body),
  );
  routes.route(
    {
      method: "post",
      path: "/v1/exports/get",
      name: "getCompatExport",
      summary: "Read what an export wrote, by its id or by the filters that it was asked by",
      query: schemas.CompatQuery,
      permission: "memory:read",
      admitsAgents: false,
      readOnly: true,
      body: schemas.CompatGetExport,
      answer: schemas.CompatExportFound,
      bare: true,
      errors: ["EXPORT_NOT_FOUND", "INVALID_FILTERS"],
    },
    (ctx, { body }) => exports.getExport(ctx, body),
  );
}

function addProjectRoutes(routes: RouteGroup): void {
  const path = "/api/v1/orgs/organizations/{org_id}/projects/{project_id}";
  routes.route(
    {
      method: "get",
      path,
      name: "getCompatProject",
      summary: "Read the project, which stands for the organization, and its settings",
      query: schemas.CompatReadProject,
      permission: "memory:read",
      admitsAgents: false,
      answer: schemas.CompatProject,
      bare: true,
      errors: ["ORGANIZATION_NOT_FOUND", "PROJECT_NOT_FOUND"],
    },
    (ctx, { params, query }) => project.getProject(ctx, params, query),
  );
  routes.route(
    {
      method: "patch",
      path,
      name: "changeCompatProject",
      summary: "Change settings of the project; they are kept for its clients to read",
      query: schemas.CompatQuery,
      permission: "memory:write",
      admitsAgents: false,
      body: schemas.CompatChangeProject,
      answer: schemas.CompatMessage,
      bare: true,
      errors: ["ORGANIZATION_NOT_FOUND", "PROJECT_NOT_FOUND", "CONFLICT"],
    },
    (ctx, { params, body }) => project.changeProject(ctx, params, body),
  );
}

function addWebhookRoutes(routes: RouteGroup): void {
  const ofProject = "/api/v1/webhooks/projects/{project_id}";
  const path = "/api/v1/webhooks/{webhook_id}";
  const common = { permission: "agents:manage", admitsAgents: false, bare: true, query: schemas.CompatQuery } as const;
  routes.route(
    {
      ...common,
      method: "get",
      path: ofProject,
      name: "listCompatWebhooks",
      summary: "List the project's webhooks, newest first",
      limit: "list_webhooks",
      answer: schemas.CompatWebhookList,
      errors: ["PROJECT_NOT_FOUND"],
    },
    (ctx, { params }) => webhooks.listWebhooks(ctx, params),
  );
  routes.route(
    {
      ...common,
      method: "post",
      path: ofProject,
      name: "createCompatWebhook",
      summary: "Make a webhook that is told when memories are added, updated or deleted",
      limit: "create_webhook",
      body: schemas.CompatCreateWebhook,
      answer: schemas.CompatWebhookCreated,
      errors: ["PROJECT_NOT_FOUND", "FORBIDDEN", "URL_NOT_ALLOWED"],
    },
    (ctx, { params, body }) => webhooks.createWebhook(ctx, params, body),
  );
  routes.route(
    {
      ...common,
      method: "put",
      path,
      name: "changeCompatWebhook",
      summary: "Change a webhook's name, address, events or whether it is active",
      body: schemas.CompatChangeWebhook,
      answer: schemas.CompatMessage,
      errors: ["WEBHOOK_NOT_FOUND", "FORBIDDEN", "URL_NOT_ALLOWED", "VERSION_CONFLICT"],
    },
    (ctx, { params, body }) => webhooks.changeWebhook(ctx, params.webhook_id, body),
  );
  routes.route(
    {
      ...common,
      method: "delete",
      path,
      name: "deleteCompatWebhook",
      summary: "Delete a webhook",
      answer: schemas.CompatMessage,
      errors: ["VALIDATION_ERROR", "WEBHOOK_NOT_FOUND", "VERSION_CONFLICT"],
    },
    (ctx, { params }) => webhooks.deleteWebhook(ctx, params.webhook_id),
  );
}
