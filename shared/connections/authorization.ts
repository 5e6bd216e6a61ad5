import * as z from "zod";
import { addressOf } from "../fetching/built-in-addresses.ts";
import { type CarriedSecret, carry } from "../fetching/secret-destinations.ts";
import { publicUrlOf } from "../kernel/config.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Home } from "../platform/context.ts";
import type { JsonObject } from "../platform/ports.ts";
import { clientSecretName } from "../platform/secret-names.ts";
import { AUTHORITIES, type Authority } from "./authorities.ts";
import type { Connection } from "./connection.ts";
import { mayUseDeploymentClient, ownerOf } from "./own-client.ts";
import { CredentialsRefused, isFault, ProviderFailed } from "./providers/faults.ts";
import { createProviderFetch, discard, type ProviderRequest, type Turn } from "./providers/requests.ts";
import type { ConnectionSecrets } from "./settings.ts";

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
  const address = addressOf("authorize_url", place.provider, place.config, home.config);
  const usual = mayUseDeploymentClient(home.config, place) ? authority?.clientOf(home.config).id : undefined;
  const client = client_id ?? usual;
  if (!authority || address === undefined || client === undefined) return undefined;
  const url = new URL(address);
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
  const url = addressOf("token_url", place.provider, place.config, home.config);
  if (url === undefined) throw new CredentialsRefused();
  const client = await clientAt(home, authority, place, secrets);
  const grant = carry("connection_grant", ownerOf(home.config, place, secrets));
  const { request, proof } = requestFor(authority, form, client);
  const declared = [client.declare(proof), grant];
  const response = await createProviderFetch(home, { secrets: declared })(url, request);
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

/** A client, and how to declare it to the fetch with the headers that hold it. */
interface Client {
  id: string;
  secret: string;
  declare(headers: Record<string, string>): CarriedSecret;
}

function requestFor(
  { proof }: Authority,
  form: Record<string, string>,
  { id, secret }: Client,
): { request: ProviderRequest; proof: Record<string, string> } {
  const accept = "application/json";
  if (proof === "form") {
    const headers = { accept, "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ ...form, client_id: id, client_secret: secret }).toString();
    return { request: { method: "POST", headers, body }, proof: {} };
  }
  const basic = Buffer.from(`${id}:${secret}`).toString("base64");
  const headers = { accept, "content-type": "application/json" };
  return {
    request: { method: "POST", headers, body: JSON.stringify(form) },
    proof: { authorization: `Basic ${basic}` },
  };
}

/**
 * The client that the connection brought along, else the deployment's where it goes to the provider itself. Throws
 * OAUTH_NOT_CONFIGURED.
 */
async function clientAt(
  { config, ports }: AuthorityHome,
  { name, client, clientOf }: Authority,
  place: Place,
  secrets: ConnectionSecrets,
): Promise<Client> {
  const { client_id, client_secret } = secrets;
  if (client_id !== undefined && client_secret !== undefined) {
    const owner = ownerOf(config, place, secrets);
    return { id: client_id, secret: client_secret, declare: (headers) => carry("connection_grant", owner, headers) };
  }
  const mayUse = client_id === undefined && mayUseDeploymentClient(config, place);
  const { id, secret = id && (await ports.secrets.get(clientSecretName(name))) } = clientOf(config);
  if (mayUse && id !== undefined && secret !== undefined) {
    return { id, secret, declare: (headers) => carry(client, config, headers) };
  }
  throw new ServiceError(
    "OAUTH_NOT_CONFIGURED",
    `No client at ${name} is set up for this connection. Give client_id and client_secret.`,
    { provider: name },
  );
}
