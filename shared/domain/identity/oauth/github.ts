import * as z from "zod";
import { redeem, urlOfRequest } from "./code-flow.ts";
import { type Fetch, TIMEOUT_SECONDS } from "./http.ts";
import type { IdentityProvider, ProviderClient } from "./provider.ts";

/** GitHub's addresses without trailing slashes. */
export interface GitHubAddress {
  url: string;
  apiUrl: string;
}

const USER_AGENT = "memory-service";

const Person = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() });
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** Turns an error that GitHub sends with status 200 (OAuth apps, "Bad verification code") into one with status 400. */
async function fetchWithErrorStatus(send: Fetch, url: string, options: RequestInit): Promise<Response> {
  const response = await send(url, options);
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const isError = response.status === 200 && typeof body === "object" && body !== null && "error" in body;
  if (!isError) return response;
  const error = body.error === "bad_verification_code" ? "invalid_grant" : body.error;
  return Response.json({ ...body, error }, { status: 400 });
}

async function configure({ url }: GitHubAddress, { clientId, clientSecret }: ProviderClient, send: Fetch) {
  const openId = await import("openid-client");
  const endpoints = {
    issuer: url,
    authorization_endpoint: `${url}/login/oauth/authorize`,
    token_endpoint: `${url}/login/oauth/access_token`,
  };
  const config = new openId.Configuration(endpoints, clientId, undefined, openId.ClientSecretPost(clientSecret));
  config.timeout = TIMEOUT_SECONDS;
  config[openId.customFetch] = (address, options) => fetchWithErrorStatus(send, address, options as RequestInit);
  // The settings allow http: only for localhost.
  if (url.startsWith("http:")) openId.allowInsecureRequests(config);
  return config;
}

/** OAuth 2.0 and two API requests: GitHub has no ID tokens, and only /user/emails shows which address is verified. */
export async function openGitHub(
  address: GitHubAddress,
  client: ProviderClient,
  send: Fetch,
): Promise<IdentityProvider> {
  const { fetchProtectedResource } = await import("openid-client");
  const config = await configure(address, client, send);
  const get = async <Schema extends z.ZodType>(schema: Schema, path: string, token: string) => {
    const headers = new Headers({ accept: "application/vnd.github+json", "user-agent": USER_AGENT });
    const url = new URL(`${address.apiUrl}${path}`);
    const response = await fetchProtectedResource(config, token, url, "GET", undefined, headers);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return schema.parse(await response.json());
  };
  return {
    authorizationUrl: (authorization, scopes) => urlOfRequest(config, authorization, scopes, false),
    async identify({ code }, authorization) {
      const { access_token } = await redeem(config, { code }, authorization, false);
      const [person, emails] = await Promise.all([
        get(Person, "/user", access_token),
        get(Emails, "/user/emails", access_token),
      ]);
      const primary = emails.find((email) => email.primary);
      return {
        provider: "github",
        subject: String(person.id),
        name: person.name ?? person.login,
        email: primary && { address: primary.email, isVerified: primary.verified },
      };
    },
  };
}
