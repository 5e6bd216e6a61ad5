import * as z from "zod";
import { label, Pagination, page } from "../../shared/runtime/schemas/fields.ts";

/** Longer than the values of known clients. */
const PARAMETER_LENGTH = 2048;
const MAX_REDIRECT_URIS = 10;
const NAME_LENGTH = 1000;

const ISSUER = "https://memory.example.com";
const CLIENT_ID = "https://client.example/oauth.json";
const REDIRECT_URI = "https://client.example/callback";
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

const text = (description: string, example: string) => z.string().meta({ description, examples: [example] });
const texts = (description: string, ...example: string[]) =>
  z.array(z.string()).meta({ description, examples: [example] });
const parameter = (description: string, example: string) =>
  z
    .string()
    .max(PARAMETER_LENGTH)
    .meta({ description, examples: [example] });

const resource = parameter("The resource that the tokens are for (RFC 8707).", `${ISSUER}/mcp`);
const scope = parameter("Permissions, separated by blanks.", "memory:read search:read");
const clientId = parameter("Id of the client, or the URL of its metadata document.", CLIENT_ID);
const redirectUri = parameter("Where the browser goes with the code.", REDIRECT_URI);
const scopes = texts("Permissions.", "memory:read", "search:read");

/** The error form of RFC 6749, 5.2, with the error in the service's own form. */
export const OAuthError = z.object({
  error: text("Error code of OAuth.", "invalid_grant"),
  error_description: text("What is wrong.", "The code or token is not valid."),
  code: text("Error code of the service.", "INVALID_GRANT"),
  details: z.record(z.string(), z.unknown()),
});

export const AuthorizationServer = z.object({
  issuer: text("Identifier of the server (RFC 9207).", ISSUER),
  authorization_endpoint: text("Where a client sends the browser.", `${ISSUER}/oauth/authorize`),
  token_endpoint: text("Where a client gets tokens.", `${ISSUER}/oauth/token`),
  registration_endpoint: text("Where a client registers itself.", `${ISSUER}/oauth/register`),
  revocation_endpoint: text("Where a client ends its grant.", `${ISSUER}/oauth/revoke`),
  scopes_supported: scopes,
  response_types_supported: texts("Response types.", "code"),
  response_modes_supported: texts("How the code is returned.", "query"),
  grant_types_supported: texts("Grant types.", "authorization_code", "refresh_token"),
  token_endpoint_auth_methods_supported: texts("Clients have no secret.", "none"),
  revocation_endpoint_auth_methods_supported: texts("Clients have no secret.", "none"),
  code_challenge_methods_supported: texts("Methods of PKCE.", "S256"),
  authorization_response_iss_parameter_supported: z.literal(true).describe("Answers name the issuer (RFC 9207)."),
  client_id_metadata_document_supported: z.literal(true).describe("A client id may be the URL of a document."),
});

export const ProtectedResource = z.object({
  resource: text("Identifier of the resource, and audience of its tokens.", `${ISSUER}/mcp`),
  resource_name: text("Name for people.", "Memory Service"),
  authorization_servers: texts("Issuers of tokens for it.", ISSUER),
  scopes_supported: scopes,
  bearer_methods_supported: texts("How a token is sent.", "header"),
});

export const RegisterClient = z.object({
  redirect_uris: z
    .array(z.string().max(PARAMETER_LENGTH))
    .min(1)
    .max(MAX_REDIRECT_URIS)
    .meta({ description: "Where the browser may go with a code.", examples: [[REDIRECT_URI]] }),
  client_name: z
    .string()
    .max(NAME_LENGTH)
    .optional()
    .meta({ description: "Name for people.", examples: ["Example client"] }),
});

export const RegisteredClient = z.object({
  client_id: text("Id of the client.", "oc_pmWgK9X2mGkq0m3bT8QvLw"),
  client_id_issued_at: z.int().describe("Seconds since 1970."),
  client_name: text("Name for people.", "Example client"),
  redirect_uris: texts("Where the browser may go with a code.", REDIRECT_URI),
  grant_types: texts("Grant types.", "authorization_code", "refresh_token"),
  response_types: texts("Response types.", "code"),
  token_endpoint_auth_method: z.literal("none").describe("Clients have no secret; they prove themselves by PKCE."),
});

/** Values are checked by their meaning, because RFC 6749 has an error for each. */
export const TokenRequest = z.object({
  grant_type: parameter("`authorization_code` or `refresh_token`.", "authorization_code"),
  client_id: clientId,
  code: parameter("The code from the redirect.", "SplxlOBeZQQYbYS6WxSbIA").optional(),
  redirect_uri: redirectUri.optional(),
  code_verifier: parameter("The verifier of PKCE (RFC 7636).", VERIFIER).optional(),
  refresh_token: z.string().max(PARAMETER_LENGTH).optional().describe("The last refresh token."),
  scope: scope.optional(),
  resource: resource.optional(),
});

export const IssuedTokens = z.object({
  access_token: text("Bearer token for the `Authorization` header.", "eyJhbGciOiJFZERTQSJ9.e30.c2ln"),
  token_type: z.literal("Bearer").describe("Scheme of the `Authorization` header."),
  expires_in: z.int().describe("Seconds until the access token expires."),
  refresh_token: text("Token for the next exchange; it works once.", "rt_8xLOxBtZp8"),
  scope: text("The granted permissions.", "memory:read search:read"),
});

export const Revocation = z.object({
  token: z
    .string()
    .max(2 * PARAMETER_LENGTH)
    .meta({ description: "An access or refresh token.", examples: ["rt_8xLOxBtZp8"] }),
  client_id: clientId.optional(),
  token_type_hint: z.string().max(PARAMETER_LENGTH).optional().describe("Not needed."),
});

export const Revoked = z.object({});

export const ListGrants = z.object({
  user_id: label.optional().describe("Id of another user of the organization; needs `admin:all`. By default your own."),
  ...page(20, 100),
});

const Grant = z.object({
  id: text("Id of the grant.", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
  client: z
    .object({
      id: text("Id of the client.", CLIENT_ID),
      name: text("Name that the client gave itself.", "Example client"),
    })
    .describe("Who may act for you."),
  resource: text("Where its tokens are valid.", `${ISSUER}/mcp`),
  scopes,
  memory_user: z.string().optional().describe("The only `user_id` whose memories the client may use."),
  created_at: text("When you consented.", "2026-03-14T09:26:53.589Z"),
  renewed_at: text("When the client last got an access token.", "2026-03-14T09:26:53.589Z"),
});

export const GrantList = z.object({ grants: z.array(Grant).describe("Newest first."), pagination: Pagination });

export const EndedGrant = z.object({
  id: z.string().describe("Id of the grant."),
  ended: z.literal(true).describe("The client's tokens are refused."),
});
