import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group, { bare: true, permission: "memory:write" });

routes.post("/connections/{provider}", "createConnection", {
  summary: "Connect a provider or replace a connection's credentials",
  body: schemas.CreateConnection,
  answer: schemas.Connection,
  status: 201,
  errors: [
    "PROVIDER_NOT_FOUND",
    "CONNECTION_NOT_FOUND",
    "CONFLICT",
    "URL_NOT_ALLOWED",
    "OAUTH_REFUSED",
    "OAUTH_NOT_CONFIGURED",
    "FETCH_FAILED",
    "LIMIT_REACHED",
  ],
  handler: (ctx, { params, body }) => service.createConnection(ctx, params.provider, body),
});

routes.get("/connections", "listConnections", {
  summary: "List connections without their secrets, newest first",
  permission: "memory:read",
  query: schemas.ListConnections,
  answer: schemas.ConnectionList,
  handler: (ctx, { query }) => service.listConnections(ctx, query),
});

routes.post("/connections/{connection_id}/sync", "syncConnection", {
  summary: "Sync a connection: import pushed documents or what is new at the provider",
  body: schemas.SyncConnection,
  answer: schemas.Synchronized,
  errors: ["CONNECTION_NOT_FOUND", "CONFLICT", "FETCH_FAILED"],
  handler: (ctx, { params, body }) => service.syncConnection(ctx, params.connection_id, body),
});

routes.delete("/connections/{connection_id}", "deleteConnection", {
  summary: "Delete a connection; delete_documents also deletes its sources",
  permission: "memory:delete",
  query: schemas.DeleteConnection,
  answer: schemas.ConnectionDeleted,
  errors: ["CONNECTION_NOT_FOUND", "CONFLICT"],
  handler: (ctx, { params, query }) => service.deleteConnection(ctx, params.connection_id, query),
});
