import * as z from "zod";
import { type Config, publicUrlOf } from "../kernel/config.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Home } from "../platform/context.ts";
import type { JsonObject } from "../platform/ports.ts";
import { clientSecretName } from "../platform/secret-names.ts";
import type { Connection, ProviderName } from "./connection.ts";
import { CredentialsRefused, isFault, ProviderFailed } from "./providers/faults.ts";
import { createProviderFetch, discard, type ProviderRequest, type Turn } from "./providers/requests.ts";
import type { ConnectionSecrets } from "./settings.ts";

/** How leave is given at a provider: OAuth 2.0 with a code, in its own dialect. */
interface Authority {
  /** Names the kept secret. */
  name: string;
  authorizeUrl: string;
  tokenUrl: string;
  /** Fixed parts of the question for leave. */
  query: Record<string, string>;
  clientOf(config: Config): { id: string | undefined; secret: string | undefined };
  /** How the client proves itself: in the form, or by HTTP Basic with a JSON body. */
  proof: "form" | "basic";
}

const AUTHORITIES: Partial<Record<ProviderName, Authority>> = {
  notes_workspace: {
    name: "notion",
    authorizeUrl: "https://api.notion.com/v1/oauth/authorize",
    tokenUrl: "https://api.notion.com/v1/oauth/token",
    query: { owner: "user" },
    clientOf: (config) => ({ id: config.NOTION_CLIENT_ID, secret: config.NOTION_CLIENT_SECRET }),
    proof: "basic",
  },
  cloud_drive: {
    name: "google",
    authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    // Without them Google gives no refresh token.
    query: { scope: "https://www.googleapis.com/auth/drive.readonly", access_type: "offline", prompt: "consent" },
    clientOf: (config) => ({ id: config.GOOGLE_CLIENT_ID, secret: config.GOOGLE_CLIENT_SECRET }),
    proof: "form",
  },
  code_host: {
    name: "github",
    authorizeUrl: "https://github.com/login/oauth/authorize",
    tokenUrl: "https://github.com/login/oauth/access_token",
    query: { scope: "repo" },
    clientOf: (config) => ({ id: config.GITHUB_CLIENT_ID, secret: config.GITHUB_CLIENT_SECRET }),
    proof: "form",
  },
  team_chat: {
    name: "slack",
    authorizeUrl: "https://slack.com/oauth/v2/authorize",
    tokenUrl: "https://slack.com/api/oauth.v2.access",
    query: { scope: "channels:history,channels:read,groups:history,groups:read,users:read" },
    clientOf: (config) => ({ id: config.SLACK_CLIENT_ID, secret: config.SLACK_CLIENT_SECRET }),
    proof: "form",
  },
};

type Place = Pick<Connection, "id" | "provider" | "config">;
type AuthorityHome = Pick<Home, "config" | "ports">;

const textIn = (config: JsonObject, name: string): string | undefined =>
  typeof config[name] === "string" ? config[name] : undefined;

function redirectOf({ config }: Pick<Home, "config">, place: Place): string {
  return textIn(place.config, "redirect_uri") ?? publicUrlOf(config);
}

/**
 * Where a person gives the connection leave; undefined for providers without such a page, and where no client is known
 * there. `state` is the connection's id: whoever takes the code from the redirect gives it to that connection.
 */
export function authorizationUrlOf(
  home: Pick<Home, "config">,
  place: Place,
  client_id: string | undefined,
): string | undefined {
  const authority = AUTHORITIES[place.provider];
  const client = client_id ?? authority?.clientOf(home.config).id;
  if (!authority || client === undefined) return undefined;
  const url = new URL(textIn(place.config, "authorize_url") ?? authority.authorizeUrl);
  const query = { client_id: client, response_type: "code", state: place.id, redirect_uri: redirectOf(home, place) };
  for (const [name, value] of Object.entries({ ...query, ...authority.query })) url.searchParams.set(name, value);
  return url.href;
}

const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  expires_in: z.number().optional(),
});

/** The tokens that a code stands for, in its place among the secrets. Throws OAUTH_REFUSED, OAUTH_NOT_CONFIGURED, FETCH_FAILED. */
export async function redeemCode(
  home: AuthorityHome & Turn,
  place: Place,
  { authorization_code: code, ...secrets }: ConnectionSecrets,
): Promise<ConnectionSecrets> {
  if (code === undefined) return secrets;
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectOf(home, place) };
  try {
    return { ...secrets, ...(await askForTokens(home, place, secrets, form)) };
  } catch (error) {
    if (error instanceof CredentialsRefused) {
      throw new ServiceError(
        "OAUTH_REFUSED",
        "The provider does not take this authorization code. Ask for leave again.",
        {
          provider: place.provider,
        },
      );
    }
    if (isFault(error)) throw new ServiceError("FETCH_FAILED", `The provider cannot be asked: ${error.message}`);
    throw error;
  }
}

/** Secrets with an access token that works again. Throws CredentialsRefused where there is no way to one. */
export async function renewTokens(
  home: AuthorityHome & Turn,
  place: Place,
  secrets: ConnectionSecrets,
): Promise<ConnectionSecrets & { access_token: string }> {
  const { refresh_token } = secrets;
  if (refresh_token === undefined) throw new CredentialsRefused();
  const form = { grant_type: "refresh_token", refresh_token };
  try {
    return { ...secrets, ...(await askForTokens(home, place, secrets, form)) };
  } catch (error) {
    const isUnknownThere = error instanceof ServiceError && error.code === "OAUTH_NOT_CONFIGURED";
    throw isUnknownThere ? new CredentialsRefused() : error;
  }
}

async function askForTokens(
  home: AuthorityHome & Turn,
  place: Place,
  secrets: ConnectionSecrets,
  form: Record<string, string>,
): Promise<{ access_token: string; refresh_token?: string }> {
  const authority = AUTHORITIES[place.provider];
  if (!authority) throw new CredentialsRefused();
  const { id, secret } = await clientAt(home, authority, secrets);
  const url = textIn(place.config, "token_url") ?? authority.tokenUrl;
  const response = await createProviderFetch(home)(url, requestFor(authority, form, id, secret));
  // Some say no by 400 (RFC 6749, 5.2), some by 200 and an error.
  if (response.status === 400 || response.status === 403) {
    await discard(response);
    throw new CredentialsRefused();
  }
  const answer = Tokens.safeParse(await response.json().catch(() => undefined));
  if (!response.ok) throw new ProviderFailed(`it answers with the status ${response.status}`);
  if (!answer.success) throw new CredentialsRefused();
  const { access_token, refresh_token } = answer.data;
  return { access_token, ...(refresh_token !== undefined && { refresh_token }) };
}

function requestFor({ proof }: Authority, form: Record<string, string>, id: string, secret: string): ProviderRequest {
  if (proof === "form") {
    return {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...form, client_id: id, client_secret: secret }).toString(),
    };
  }
  const basic = Buffer.from(`${id}:${secret}`).toString("base64");
  return {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json", authorization: `Basic ${basic}` },
    body: JSON.stringify(form),
  };
}

/** The client that the connection brought along, else the deployment's. */
async function clientAt(
  { config, ports }: AuthorityHome,
  { name, clientOf }: Authority,
  { client_id, client_secret }: ConnectionSecrets,
): Promise<{ id: string; secret: string }> {
  if (client_id !== undefined && client_secret !== undefined) return { id: client_id, secret: client_secret };
  const { id, secret = id && (await ports.secrets.get(clientSecretName(name))) } = clientOf(config);
  if (id !== undefined && secret !== undefined) return { id, secret };
  throw new ServiceError(
    "OAUTH_NOT_CONFIGURED",
    `No client at ${name} is set up here. Give client_id and client_secret.`,
    {
      provider: name,
    },
  );
}
