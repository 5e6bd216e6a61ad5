import * as z from "zod";
import { storedUserId } from "../../shared/runtime/schemas/fields.ts";

/** Longer than the values of known clients. */
const PARAMETER_LENGTH = 2048;

const CLIENT_ID = "https://client.example/oauth.json";
const REDIRECT_URI = "https://client.example/callback";
const RESOURCE = "https://memory.example.com/mcp";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const text = (description: string, example: string) => z.string().meta({ description, examples: [example] });
const parameter = (description: string, example: string) => text(description, example).max(PARAMETER_LENGTH);

/** The parameters with which a client sends the browser to the consent page. */
export const AuthorizationRequest = z.object({
  client_id: parameter("Id of the client, or the URL of its metadata document.", CLIENT_ID),
  redirect_uri: parameter("Where the browser goes with the code.", REDIRECT_URI),
  response_type: parameter("Must be `code`.", "code").optional(),
  code_challenge: parameter("SHA-256 of the verifier in base64url (RFC 7636).", CHALLENGE).optional(),
  code_challenge_method: parameter("Must be `S256`.", "S256").optional(),
  scope: parameter("Permissions, separated by blanks.", "memory:read search:read").optional(),
  state: parameter("Returned with the code.", "af0ifjsldkj").optional(),
  resource: parameter("The resource that the tokens are for (RFC 8707).", RESOURCE).optional(),
});

export const DescribedRequest = z.object({
  client: z
    .object({
      id: text("Id of the client.", CLIENT_ID),
      name: text("Name that the client gives itself.", "Example client"),
      host: z.string().optional().describe("The host of its metadata document; absent for a registered client."),
      redirect_host: text("Where the browser goes afterwards.", "client.example"),
    })
    .describe("Who asks."),
  resource: text("The resource that the client asks for.", RESOURCE),
  scopes: z.array(z.string()).meta({ description: "Permissions.", examples: [["memory:read", "search:read"]] }),
  may_be_limited_to_user: z.boolean().describe("Whether the grant can be limited to one user's memories."),
});

export const Consent = AuthorizationRequest.extend({
  approve: z.boolean().describe("Whether the client may act for you."),
  access: z.enum(["read", "write"]).default("read").describe("Whether the client may change memories."),
  memory_user: storedUserId
    .optional()
    .describe("The only `user_id` whose memories the client may use; if absent, those of the whole project."),
});

export const Redirection = z.object({
  redirect_to: text("Where the browser goes, with a code or an error.", `${REDIRECT_URI}?code=SplxlOBeZQQYbYS6WxSbIA`),
});
