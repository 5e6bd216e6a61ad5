import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import { readPrincipal } from "./principal.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";
import { readUsage } from "./usage.ts";

export const routes = newGroup(group, { permission: "any" });

routes.post("/api-keys", "createApiKey", {
  summary: "Create an API key; only this response contains its secret",
  permission: "agents:manage",
  allowsAgentKeys: false,
  body: schemas.CreateApiKey,
  answer: schemas.ApiKeyWithSecret,
  status: 201,
  errors: ["AGENT_NOT_FOUND", "LIMIT_REACHED", "FORBIDDEN"],
  handler: (ctx, { body }) => service.createApiKey(ctx, body),
});

routes.get("/api-keys", "listApiKeys", {
  summary: "List API keys: all of them with agents:manage, otherwise your own",
  query: schemas.ListApiKeys,
  answer: schemas.ApiKeyList,
  handler: (ctx, { query }) => service.listApiKeys(ctx, query),
});

routes.get("/api-keys/{id}", "getApiKey", {
  summary: "Get an API key with its usage",
  answer: schemas.ApiKeyWithUse,
  handler: (ctx, { params }) => service.getApiKey(ctx, params.id),
});

routes.put("/api-keys/{id}", "updateApiKey", {
  summary: "Update an API key",
  permission: "agents:manage",
  allowsAgentKeys: false,
  body: schemas.UpdateApiKey,
  answer: schemas.ApiKey,
  errors: ["CONFLICT", "FORBIDDEN"],
  handler: (ctx, { params, body }) => service.updateApiKey(ctx, params.id, body),
});

routes.delete("/api-keys/{id}", "revokeApiKey", {
  summary: "Revoke an API key",
  body: schemas.RevokeApiKey,
  answer: schemas.RevokedApiKey,
  errors: ["CONFLICT", "FORBIDDEN"],
  handler: (ctx, { params, body }) => service.revokeApiKey(ctx, params.id, body.reason),
});

routes.post("/api-keys/{id}/rotate", "rotateApiKey", {
  summary: "Rotate an API key: revoke it and create one with the same permissions",
  body: schemas.RotateApiKey,
  answer: schemas.RotatedApiKey,
  status: 201,
  errors: ["CONFLICT", "FORBIDDEN"],
  handler: (ctx, { params, body }) => service.rotateApiKey(ctx, params.id, body),
});

routes.get("/whoami", "readPrincipal", {
  summary: "Get the API key or user that the request authenticates as, with its permissions and limits",
  answer: schemas.Principal,
  handler: (ctx) => readPrincipal(ctx),
});

routes.get("/usage", "readUsage", {
  summary:
    "Get requests, memories, sessions and searches by day, user and key: of all with admin:all, otherwise your own",
  query: schemas.ReadUsage,
  answer: schemas.Usage,
  errors: ["API_KEY_NOT_FOUND", "USER_NOT_FOUND"],
  handler: (ctx, { query }) => readUsage(ctx, query),
});
