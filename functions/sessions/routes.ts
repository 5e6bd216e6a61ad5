import { newGroup } from "../../shared/http/group.ts";
import { readAnalytics } from "./analytics.ts";
import { archiveSession } from "./archive.ts";
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
    summary: "Begin a session",
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
    summary: "Read a session",
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
    summary: "Change a session's title, config or metadata",
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
    summary: "Read what a model needs to go on with a session",
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
    summary: "Update a session's context, and compress it if asked to",
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
    summary: "Read what sessions came to in the last day, week or month",
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
    summary: "Close a session; it stays readable",
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
    summary: "Read what a session came to so far",
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
    summary: "Download a session as JSON, Markdown or PDF; where it is large, by a link",
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
    summary: "Begin a session as a copy of another one",
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
    summary: "Archive a session; it stays readable until its retention ends",
    permission: "memory:write",
    body: schemas.ArchiveSession,
    answer: schemas.SessionWithRatio,
    versioned: true,
    errors: ["SESSION_NOT_FOUND", "VERSION_CONFLICT"],
  },
  (ctx, { params, body }) => archiveSession(ctx, params.id, body),
);
