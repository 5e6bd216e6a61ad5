import { RESOURCE_METADATA_PATH } from "../../shared/runtime/access/resource.ts";
import { newGroup } from "../../shared/runtime/http/group.ts";
import { registerClient } from "./clients.ts";
import { OAUTH_REFUSAL } from "./errors.ts";
import { group } from "./group.ts";
import { describeResource, describeServer } from "./metadata.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";
import * as tokens from "./tokens.ts";

export const routes = newGroup(group, { permission: "any" });

routes.public.get("/.well-known/oauth-authorization-server", "readAuthorizationServer", {
  summary: "Get the metadata of the authorization server (RFC 8414)",
  answer: schemas.AuthorizationServer,
  bare: true,
  handler: async (runtime) => describeServer(runtime),
});

for (const [path, name, resource, title] of [
  [RESOURCE_METADATA_PATH, "readApiResource", "", "this API"],
  [`${RESOURCE_METADATA_PATH}/mcp`, "readMcpResource", "/mcp", "/mcp"],
] as const) {
  routes.public.get(path, name, {
    summary: `Get the metadata of ${title} as a protected resource (RFC 9728)`,
    answer: schemas.ProtectedResource,
    bare: true,
    handler: async (runtime) => describeResource(runtime, resource),
  });
}

routes.public.post("/oauth/register", "registerOAuthClient", {
  summary: "Register an OAuth client (RFC 7591)",
  visitorLimit: "client_registration",
  ignoresUnknownParameters: true,
  body: schemas.RegisterClient,
  answer: schemas.RegisteredClient,
  bare: true,
  status: 201,
  refusal: OAUTH_REFUSAL,
  errors: ["INVALID_REDIRECT_URI"],
  handler: (runtime, { body }) => registerClient(runtime, body),
});

routes.public.post("/oauth/token", "issueOAuthTokens", {
  summary: "Exchange a code or a refresh token for tokens (RFC 6749); a second use of either ends the grant",
  visitorLimit: "refresh",
  isUrlEncoded: true,
  ignoresUnknownParameters: true,
  body: schemas.TokenRequest,
  answer: schemas.IssuedTokens,
  bare: true,
  refusal: OAUTH_REFUSAL,
  errors: ["INVALID_GRANT", "INVALID_SCOPE", "INVALID_TARGET", "UNSUPPORTED_GRANT_TYPE"],
  handler: (runtime, { body }) => tokens.issueTokens(runtime, body),
});

routes.public.post("/oauth/revoke", "revokeOAuthToken", {
  summary: "End the grant of an access or refresh token (RFC 7009)",
  visitorLimit: "refresh",
  isUrlEncoded: true,
  ignoresUnknownParameters: true,
  body: schemas.Revocation,
  answer: schemas.Revoked,
  bare: true,
  refusal: OAUTH_REFUSAL,
  handler: (runtime, { body }) => tokens.revoke(runtime, body),
});

routes.get("/oauth/grants", "listGrants", {
  summary: "List the clients that act for you, or as an admin for another user",
  query: schemas.ListGrants,
  answer: schemas.GrantList,
  errors: ["FORBIDDEN", "USER_NOT_FOUND"],
  handler: (ctx, { query }) => service.listUserGrants(ctx, query),
});

routes.delete("/oauth/grants/{id}", "endGrant", {
  summary: "End a grant of yours, or as an admin of any user: the client's tokens are refused",
  answer: schemas.EndedGrant,
  errors: ["FORBIDDEN", "GRANT_NOT_FOUND"],
  handler: (ctx, { params }) => service.endUserGrant(ctx, params.id),
});
