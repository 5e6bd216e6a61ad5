import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "post",
    path: "/connections/{provider}",
    name: "createConnection",
    summary: "Connect a provider or replace a connection's credentials",
    permission: "memory:write",
    body: schemas.CreateConnection,
    answer: schemas.Connection,
    status: 201,
    bare: true,
    errors: [
      "PROVIDER_NOT_FOUND",
      "CONNECTION_NOT_FOUND",
      "CONFLICT",
      "URL_NOT_ALLOWED",
      "OAUTH_REFUSED",
      "OAUTH_NOT_CONFIGURED",
      "FETCH_FAILED",
    ],
  },
  (ctx, { params, body }) => service.createConnection(ctx, params.provider, body),
);

routes.route(
  {
    method: "get",
    path: "/connections",
    name: "listConnections",
    summary: "List connections without their secrets, newest first",
    permission: "memory:read",
    query: schemas.ListConnections,
    answer: schemas.ConnectionList,
    bare: true,
  },
  (ctx, { query }) => service.listConnections(ctx, query),
);

routes.route(
  {
    method: "post",
    path: "/connections/{connection_id}/sync",
    name: "syncConnection",
    summary: "Sync a connection: import pushed documents or what is new at the provider",
    permission: "memory:write",
    body: schemas.SyncConnection,
    answer: schemas.Synchronized,
    bare: true,
    errors: ["CONNECTION_NOT_FOUND", "CONFLICT", "FETCH_FAILED"],
  },
  (ctx, { params, body }) => service.syncConnection(ctx, params.connection_id, body),
);

routes.route(
  {
    method: "delete",
    path: "/connections/{connection_id}",
    name: "deleteConnection",
    summary: "Delete a connection; delete_documents also deletes its sources",
    permission: "memory:delete",
    query: schemas.DeleteConnection,
    answer: schemas.ConnectionDeleted,
    bare: true,
    errors: ["CONNECTION_NOT_FOUND", "CONFLICT"],
  },
  (ctx, { params, query }) => service.deleteConnection(ctx, params.connection_id, query),
);
