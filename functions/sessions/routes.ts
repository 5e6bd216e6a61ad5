import { newGroup } from "../../shared/http/group.ts";
import * as context from "./context.ts";
import { group } from "./group.ts";
import * as messages from "./messages.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

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
    errors: ["SESSION_NOT_FOUND"],
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
