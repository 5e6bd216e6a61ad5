import * as z from "zod";
import { publicUrlOf } from "../../../kernel/config.ts";
import { ServiceError } from "../../../kernel/errors.ts";
import type { JsonObject } from "../../../ports/ports.ts";
import { CredentialsRefusedError, isFault, ProviderError } from "../../../ports/provider-faults.ts";
import { clientSecretName } from "../../../ports/secret-names.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { addressOf } from "../../../runtime/fetching/built-in-addresses.ts";
import { carry, type OutgoingSecret } from "../../../runtime/fetching/secret-destinations.ts";
import type { Connection } from "./connection.ts";
import { AUTHORITIES, type Authority, mayUseDeploymentClient, ownerOf } from "./own-client.ts";
import { createProviderFetch, discard, type ProviderRequest, type Turn } from "./providers/requests.ts";
import type { ConnectionSecrets } from "./settings.ts";

type Place = Pick<Connection, "id" | "provider" | "config">;
type AuthorityRuntime = Pick<Runtime, "config" | "ports">;

const textIn = (config: JsonObject, name: string): string | undefined =>
  typeof config[name] === "string" ? config[name] : undefined;

function redirectOf({ config }: Pick<Runtime, "config">, place: Place): string {
  return textIn(place.config, "redirect_uri") ?? publicUrlOf(config);
}

/**
 * The URL at which a user authorizes the connection; undefined for providers without one, and if no client is
 * configured. `state` is the connection's id, with which the client submits the code of the redirect.
 */
export function authorizationUrlOf(
  runtime: Pick<Runtime, "config">,
  place: Place,
  client_id: string | undefined,
): string | undefined {
  const authority = AUTHORITIES[place.provider];
  const address = addressOf("authorize_url", place.provider, place.config, runtime.config);
  const usual = mayUseDeploymentClient(runtime.config, place) ? authority?.clientOf(runtime.config).id : undefined;
  const client = client_id ?? usual;
  if (!authority || address === undefined || client === undefined) return undefined;
  const url = new URL(address);
  const query = { client_id: client, response_type: "code", state: place.id, redirect_uri: redirectOf(runtime, place) };
  for (const [name, value] of Object.entries({ ...query, ...authority.query })) url.searchParams.set(name, value);
  return url.href;
}

const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  expires_in: z.number().optional(),
});

/** Exchanges a code for tokens, which replace it. Throws OAUTH_REFUSED, OAUTH_NOT_CONFIGURED, FETCH_FAILED. */
export async function redeemCode(
  runtime: AuthorityRuntime & Turn,
  place: Place,
  { authorization_code: code, ...secrets }: ConnectionSecrets,
): Promise<ConnectionSecrets> {
  if (code === undefined) return secrets;
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectOf(runtime, place) };
  try {
    return { ...secrets, ...(await askForTokens(runtime, place, secrets, form)) };
  } catch (error) {
    if (error instanceof CredentialsRefusedError) {
      throw new ServiceError(
        "OAUTH_REFUSED",
        "The provider rejected this authorization code. Re-authorize the connection.",
        { provider: place.provider },
      );
    }
    if (isFault(error)) throw new ServiceError("FETCH_FAILED", `The provider is not reachable: ${error.message}`);
    throw error;
  }
}

/** Secrets with a renewed access token. Throws CredentialsRefusedError if it cannot be renewed. */
export async function renewTokens(
  runtime: AuthorityRuntime & Turn,
  place: Place,
  secrets: ConnectionSecrets,
): Promise<ConnectionSecrets & { access_token: string }> {
  const { refresh_token } = secrets;
  if (refresh_token === undefined) throw new CredentialsRefusedError();
  const form = { grant_type: "refresh_token", refresh_token };
  try {
    return { ...secrets, ...(await askForTokens(runtime, place, secrets, form)) };
  } catch (error) {
    const isUnknownThere = error instanceof ServiceError && error.code === "OAUTH_NOT_CONFIGURED";
    throw isUnknownThere ? new CredentialsRefusedError() : error;
  }
}

async function askForTokens(
  runtime: AuthorityRuntime & Turn,
  place: Place,
  secrets: ConnectionSecrets,
  form: Record<string, string>,
): Promise<{ access_token: string; refresh_token?: string }> {
  const authority = AUTHORITIES[place.provider];
  if (!authority) throw new CredentialsRefusedError();
  const url = addressOf("token_url", place.provider, place.config, runtime.config);
  if (url === undefined) throw new CredentialsRefusedError();
  const client = await clientAt(runtime, authority, place, secrets);
  const grant = carry("connection_grant", ownerOf(runtime.config, place, secrets));
  const { request, proof } = requestFor(authority, form, client);
  const declared = [client.declare(proof), grant];
  const response = await createProviderFetch(runtime, { secrets: declared })(url, request);
  // Some providers refuse with 400 (RFC 6749, 5.2), some with 200 and an error.
  if (response.status === 400 || response.status === 403) {
    await discard(response);
    throw new CredentialsRefusedError();
  }
  const answer = Tokens.safeParse(await response.json().catch(() => undefined));
  if (!response.ok) throw new ProviderError(`it answers with the status ${response.status}`);
  if (!answer.success) throw new CredentialsRefusedError();
  const { access_token, refresh_token } = answer.data;
  return { access_token, ...(refresh_token !== undefined && { refresh_token }) };
}

/** A client with its secret's declaration for the fetch and its headers. */
interface Client {
  id: string;
  secret: string;
  declare(headers: Record<string, string>): OutgoingSecret;
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

/** The connection's own client, or the deployment's for the provider's own address. Throws OAUTH_NOT_CONFIGURED. */
async function clientAt(
  { config, ports }: AuthorityRuntime,
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
    `No OAuth client at ${name} is configured for this connection. Send client_id and client_secret.`,
    { provider: name },
  );
}
