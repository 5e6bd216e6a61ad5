import { newGroup } from "../../shared/http/group.ts";
import { group } from "./group.ts";
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
