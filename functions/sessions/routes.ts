import { newGroup } from "../../shared/runtime/http/group.ts";
import * as context from "./context.ts";
import { duplicateSession } from "./duplicate.ts";
import { archiveSession, closeSession, restoreSession } from "./ending.ts";
import { EXPORT_TYPES, exportSession } from "./export/export.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";
import { readAnalytics, readSessionStats } from "./statistics.ts";

export const routes = newGroup(
  group,
  { permission: "memory:write" },
  { get: { permission: "memory:read", limit: "get_session" } },
);

routes.post("/sessions", "createSession", {
  summary: "Start a session",
  limit: "create_session",
  body: schemas.CreateSession,
  answer: schemas.Session,
  status: 201,
  versioned: true,
  errors: ["AGENT_NOT_FOUND", "USER_NOT_FOUND"],
  handler: (ctx, { body }) => service.createSession(ctx, body),
});

routes.get("/sessions", "listSessions", {
  summary: "List sessions",
  limit: "list_sessions",
  query: schemas.ListSessions,
  answer: schemas.SessionList,
  handler: (ctx, { query }) => service.listSessions(ctx, query),
});

routes.get("/sessions/{id}", "getSession", {
  summary: "Get a session",
  answer: schemas.SessionWithRatio,
  versioned: true,
  handler: (ctx, { params }) => service.getSession(ctx, params.id),
});

routes.put("/sessions/{id}", "updateSession", {
  summary: "Update a session's title, config or metadata",
  body: schemas.UpdateSession,
  answer: schemas.SessionWithRatio,
  versioned: true,
  conditional: true,
  handler: (ctx, { params, body, ifMatch }) => service.updateSession(ctx, params.id, body, ifMatch),
});

routes.post("/sessions/{id}/messages", "addMessage", {
  summary: "Add a message to a session",
  limit: "add_message",
  body: schemas.AddMessage,
  answer: schemas.AddedMessage,
  status: 201,
  errors: ["SESSION_CLOSED", "MESSAGE_LIMIT_EXCEEDED", "CONTEXT_WINDOW_EXCEEDED", "CONFLICT"],
  handler: (ctx, { params, body }) => service.addMessage(ctx, params.id, body),
});

routes.get("/sessions/{id}/messages", "listMessages", {
  summary: "List a session's messages, oldest first",
  query: schemas.ListMessages,
  answer: schemas.MessageList,
  handler: (ctx, { params, query }) => service.listMessages(ctx, params.id, query),
});

routes.get("/sessions/{id}/context", "readSessionContext", {
  summary: "Get the context that a model needs to continue a session",
  answer: schemas.SessionContext,
  handler: (ctx, { params }) => context.readContext(ctx, params.id),
});

routes.post("/sessions/{id}/context", "updateSessionContext", {
  summary: "Update a session's context and compress it on request",
  body: schemas.UpdateContext,
  answer: schemas.UpdatedContext,
  errors: ["SESSION_CLOSED", "CONFLICT", "COMPRESSION_FAILED"],
  handler: (ctx, { params, body }) => context.updateContext(ctx, params.id, body),
});

routes.get("/sessions/analytics", "readSessionAnalytics", {
  summary: "Get session analytics of the last day, week or month",
  limit: "list_sessions",
  query: schemas.ReadAnalytics,
  answer: schemas.SessionAnalytics,
  handler: (ctx, { query }) => readAnalytics(ctx, query),
});

routes.delete("/sessions/{id}", "closeSession", {
  summary: "Close a session; it remains readable",
  body: schemas.CloseSession,
  answer: schemas.ClosedSession,
  errors: ["SESSION_CLOSED", "VERSION_CONFLICT"],
  handler: (ctx, { params, body }) => closeSession(ctx, params.id, body),
});

routes.get("/sessions/{id}/stats", "readSessionStats", {
  summary: "Get the summary of a session",
  answer: schemas.SessionStats,
  handler: (ctx, { params }) => readSessionStats(ctx, params.id),
});

routes.get("/sessions/{id}/export", "exportSession", {
  summary: "Export a session as JSON, Markdown or PDF; a large export is returned as a link",
  query: schemas.ExportSession,
  answer: "raw",
  produces: Object.values(EXPORT_TYPES),
  redirects: true,
  errors: ["PAYLOAD_TOO_LARGE"],
  handler: (ctx, { params, query }) => exportSession(ctx, params.id, query),
});

routes.post("/sessions/{id}/duplicate", "duplicateSession", {
  summary: "Duplicate a session",
  limit: "create_session",
  body: schemas.DuplicateSession,
  answer: schemas.SessionWithRatio,
  status: 201,
  versioned: true,
  handler: (ctx, { params, body }) => duplicateSession(ctx, params.id, body),
});

routes.post("/sessions/{id}/archive", "archiveSession", {
  summary: "Archive a session; it remains readable until its retention ends",
  body: schemas.ArchiveSession,
  answer: schemas.SessionWithRatio,
  versioned: true,
  errors: ["VERSION_CONFLICT"],
  handler: (ctx, { params, body }) => archiveSession(ctx, params.id, body),
});

routes.post("/sessions/{id}/restore", "restoreSession", {
  summary: "Restore an archived session",
  answer: schemas.SessionWithRatio,
  versioned: true,
  conditional: true,
  errors: ["CONFLICT"],
  handler: (ctx, { params, ifMatch }) => restoreSession(ctx, params.id, ifMatch),
});
