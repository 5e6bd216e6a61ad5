import type { GroupSamples } from "./sample.ts";

export const oauth: GroupSamples = {
  routes: {
    readAuthorizationServer: {},
    readApiResource: {},
    readMcpResource: {},
    registerOAuthClient: { body: { client_name: "Sample", redirect_uris: ["https://client.example/callback"] } },
    issueOAuthTokens: { body: { grant_type: "refresh_token", client_id: "oc_unknown", refresh_token: "unknown" } },
    revokeOAuthToken: { body: { token: "unknown" } },
    listGrants: {},
    endGrant: { kinds: { id: "unknown" } },
  },
  additions: [
    "DELETE /oauth/grants/{id}",
    "GET /.well-known/oauth-authorization-server",
    "GET /.well-known/oauth-protected-resource",
    "GET /.well-known/oauth-protected-resource/mcp",
    "GET /oauth/grants",
    "POST /oauth/register",
    "POST /oauth/revoke",
    "POST /oauth/token",
  ],
};
