import { newGroup } from "../../shared/runtime/http/group.ts";
import { readAnalytics } from "./analytics.ts";
import { archiveSession, restoreSession } from "./archive.ts";
import { closeSession } from "./close.ts";
import * as context from "./context.ts";
import { duplicateSession } from "./duplicate.ts";
import { EXPORT_TYPES, exportSession } from "./export/export.ts";
import { group } from "./group.ts";
import * as messages from "./messages.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";
import { readSessionStats } from "./statistics.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "post",
    path: "/sessions",
    name: "createSession",
    summary: "Start a session",
    permission: "memory:write",
    limit: "create_session",
    body: schemas.CreateSession,
    answer: schemas.Session,
    status: 201,
    versioned: true,
    errors: ["AGENT_NOT_FOUND", "USER_NOT_FOUND"],
  },
  (ctx, { body }) => service.createSession(ctx, body),
);

routes.route(
  {
    method: "get",
    path: "/sessions",
    name: "listSessions",
    summary: "List sessions",
    permission: "memory:read",
    limit: "list_sessions",
    query: schemas.ListSessions,
    answer: schemas.SessionList,
  },
  (ctx, { query }) => service.listSessions(ctx, query),
);

routes.route(
  {
    method: "get",
    path: "/sessions/{id}",
    name: "getSession",
    summary: "Get a session",
    permission: "memory:read",
    limit: "get_session",
    answer: schemas.SessionWithRatio,
    versioned: true,
    errors: ["SESSION_NOT_FOUND"],
  },
  (ctx, { params }) => service.getSession(ctx, params.id),
);

routes.route(
  {
    method: "put",
    path: "/sessions/{id}",
    name: "updateSession",
    summary: "Update a session's title, config or metadata",
    permission: "memory:write",
    body: schemas.UpdateSession,
    answer: schemas.SessionWithRatio,
    versioned: true,
    conditional: true,
    errors: ["SESSION_NOT_FOUND", "VERSION_CONFLICT"],
  },
  (ctx, { params, body, ifMatch }) => service.updateSession(ctx, params.id, body, ifMatch),
);

routes.route(
  {
    method: "post",
    path: "/sessions/{id}/messages",
    name: "addMessage",
    summary: "Add a message to a session",
    permission: "memory:write",
    limit: "add_message",
    body: schemas.AddMessage,
    answer: schemas.AddedMessage,
    status: 201,
    errors: ["SESSION_NOT_FOUND", "SESSION_CLOSED", "MESSAGE_LIMIT_EXCEEDED", "CONTEXT_WINDOW_EXCEEDED", "CONFLICT"],
  },
  (ctx, { params, body }) => messages.addMessage(ctx, params.id, body),
);

routes.route(
  {
    method: "get",
    path: "/sessions/{id}/messages",
    name: "listMessages",
    summary: "List a session's messages, oldest first",
    permission: "memory:read",
    limit: "get_session",
    query: schemas.ListMessages,
    answer: schemas.MessageList,
    errors: ["SESSION_NOT_FOUND"],
  },
  (ctx, { params, query }) => messages.listMessages(ctx, params.id, query),
);

routes.route(
  {
    method: "get",
    path: "/sessions/{id}/context",
    name: "readSessionContext",
    summary: "Get the context that a model needs to continue a session",
    permission: "memory:read",
    limit: "get_session",
    answer: schemas.SessionContext,
    errors: ["SESSION_NOT_FOUND", "PAYLOAD_TOO_LARGE"],
  },
  (ctx, { params }) => context.readContext(ctx, params.id),
);

routes.route(
  {
    method: "post",
    path: "/sessions/{id}/context",
    name: "updateSessionContext",
    summary: "Update a session's context and compress it on request",
    permission: "memory:write",
    body: schemas.UpdateContext,
    answer: schemas.UpdatedContext,
    errors: ["SESSION_NOT_FOUND", "SESSION_CLOSED", "CONFLICT", "COMPRESSION_FAILED"],
  },
  (ctx, { params, body }) => context.updateContext(ctx, params.id, body),
);

routes.route(
  {
    method: "get",
    path: "/sessions/analytics",
    name: "readSessionAnalytics",
    summary: "Get session analytics of the last day, week or month",
    permission: "memory:read",
    limit: "list_sessions",
    query: schemas.ReadAnalytics,
    answer: schemas.SessionAnalytics,
  },
  (ctx, { query }) => readAnalytics(ctx, query),
);

routes.route(
  {
    method: "delete",
    path: "/sessions/{id}",
    name: "closeSession",
    summary: "Close a session; it remains readable",
    permission: "memory:write",
    body: schemas.CloseSession,
    answer: schemas.ClosedSession,
    errors: ["SESSION_NOT_FOUND", "SESSION_CLOSED", "VERSION_CONFLICT"],
  },
  (ctx, { params, body }) => closeSession(ctx, params.id, body),
);

routes.route(
  {
    method: "get",
    path: "/sessions/{id}/stats",
    name: "readSessionStats",
    summary: "Get the summary of a session",
    permission: "memory:read",
    limit: "get_session",
    answer: schemas.SessionStats,
    errors: ["SESSION_NOT_FOUND", "SERVICE_UNAVAILABLE"],
  },
  (ctx, { params }) => readSessionStats(ctx, params.id),
);

routes.route(
  {
    method: "get",
    path: "/sessions/{id}/export",
    name: "exportSession",
    summary: "Export a session as JSON, Markdown or PDF; a large export is returned as a link",
    permission: "memory:read",
    limit: "get_session",
    query: schemas.ExportSession,
    answer: "raw",
    produces: Object.values(EXPORT_TYPES),
    redirects: true,
    errors: ["SESSION_NOT_FOUND", "PAYLOAD_TOO_LARGE"],
  },
  (ctx, { params, query }) => exportSession(ctx, params.id, query),
);

routes.route(
  {
    method: "post",
    path: "/sessions/{id}/duplicate",
    name: "duplicateSession",
    summary: "Duplicate a session",
    permission: "memory:write",
    limit: "create_session",
    body: schemas.DuplicateSession,
    answer: schemas.SessionWithRatio,
    status: 201,
    versioned: true,
    errors: ["SESSION_NOT_FOUND"],
  },
  (ctx, { params, body }) => duplicateSession(ctx, params.id, body),
);

routes.route(
  {
    method: "post",
    path: "/sessions/{id}/archive",
    name: "archiveSession",
    summary: "Archive a session; it remains readable until its retention ends",
    permission: "memory:write",
    body: schemas.ArchiveSession,
    answer: schemas.SessionWithRatio,
    versioned: true,
    errors: ["SESSION_NOT_FOUND", "VERSION_CONFLICT"],
  },
  (ctx, { params, body }) => archiveSession(ctx, params.id, body),
);

routes.route(
  {
    method: "post",
    path: "/sessions/{id}/restore",
    name: "restoreSession",
    summary: "Restore an archived session",
    permission: "memory:write",
    answer: schemas.SessionWithRatio,
    versioned: true,
    conditional: true,
    errors: ["SESSION_NOT_FOUND", "CONFLICT", "VERSION_CONFLICT"],
  },
  (ctx, { params, ifMatch }) => restoreSession(ctx, params.id, ifMatch),
);
