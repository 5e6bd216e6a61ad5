import * as z from "zod";
import { publicUrlOf } from "../../../kernel/config.ts";
import { ServiceError } from "../../../kernel/errors.ts";
import type { JsonObject } from "../../../ports/json.ts";
import { CredentialsRefusedError, isFault, ProviderError } from "../../../ports/provider-faults.ts";
import { clientSecretName } from "../../../ports/secret-names.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { addressOf } from "../../../runtime/fetching/built-in-addresses.ts";
import { carry, type OutgoingSecret } from "../../../runtime/fetching/secret-destinations.ts";
import type { Connection } from "./connection.ts";
import { AUTHORITIES, type Authority, mayUseDeploymentClient, ownerOf } from "./own-client.ts";
import { createProviderFetch, discard, type ProviderRequest, type Turn } from "./providers/requests.ts";
import type { ConnectionSecrets } from "./settings.ts";

type Target = Pick<Connection, "id" | "provider" | "config">;
type AuthorityRuntime = Pick<Runtime, "config" | "ports">;

const textIn = (config: JsonObject, name: string): string | undefined =>
  typeof config[name] === "string" ? config[name] : undefined;

function redirectOf({ config }: Pick<Runtime, "config">, connection: Target): string {
  return textIn(connection.config, "redirect_uri") ?? publicUrlOf(config);
}

/**
 * The URL at which a user authorizes the connection; undefined for providers without one, and if no client is
 * configured. `state` is the connection's id, with which the client submits the code of the redirect.
 */
export function authorizationUrlOf(
  runtime: Pick<Runtime, "config">,
  connection: Target,
  client_id: string | undefined,
): string | undefined {
  const authority = AUTHORITIES[connection.provider];
  const address = addressOf("authorize_url", connection.provider, connection.config, runtime.config);
  const mayUse = mayUseDeploymentClient(runtime.config, connection);
  const client = client_id ?? (mayUse ? authority?.configuredClient(runtime.config).id : undefined);
  if (!authority || address === undefined || client === undefined) return undefined;
  const url = new URL(address);
  const redirect_uri = redirectOf(runtime, connection);
  const query = { client_id: client, response_type: "code", state: connection.id, redirect_uri };
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
  connection: Target,
  { authorization_code: code, ...secrets }: ConnectionSecrets,
): Promise<ConnectionSecrets> {
  if (code === undefined) return secrets;
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectOf(runtime, connection) };
  try {
    return { ...secrets, ...(await requestTokens(runtime, connection, secrets, form)) };
  } catch (error) {
    if (error instanceof CredentialsRefusedError) {
      throw new ServiceError(
        "OAUTH_REFUSED",
        "The provider rejected this authorization code. Re-authorize the connection.",
        { provider: connection.provider },
      );
    }
    if (isFault(error)) throw new ServiceError("FETCH_FAILED", `The provider is not reachable: ${error.message}`);
    throw error;
  }
}

/** Secrets with a renewed access token. Throws CredentialsRefusedError if it cannot be renewed. */
export async function renewTokens(
  runtime: AuthorityRuntime & Turn,
  connection: Target,
  secrets: ConnectionSecrets,
): Promise<ConnectionSecrets & { access_token: string }> {
  const { refresh_token } = secrets;
  if (refresh_token === undefined) throw new CredentialsRefusedError();
  const form = { grant_type: "refresh_token", refresh_token };
  try {
    return { ...secrets, ...(await requestTokens(runtime, connection, secrets, form)) };
  } catch (error) {
    const hasNoClient = error instanceof ServiceError && error.code === "OAUTH_NOT_CONFIGURED";
    throw hasNoClient ? new CredentialsRefusedError() : error;
  }
}

async function requestTokens(
  runtime: AuthorityRuntime & Turn,
  connection: Target,
  secrets: ConnectionSecrets,
  form: Record<string, string>,
): Promise<{ access_token: string; refresh_token?: string }> {
  const authority = AUTHORITIES[connection.provider];
  if (!authority) throw new CredentialsRefusedError();
  const url = addressOf("token_url", connection.provider, connection.config, runtime.config);
  if (url === undefined) throw new CredentialsRefusedError();
  const client = await resolveClient(runtime, authority, connection, secrets);
  const grant = carry("connection_grant", ownerOf(runtime.config, connection, secrets));
  const { request, secretHeaders } = requestFor(authority, form, client);
  const declared = [client.declare(secretHeaders), grant];
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

/** An OAuth client; `declare` names its secret and the headers with it, so that the fetch checks where they go. */
interface Client {
  id: string;
  secret: string;
  declare(headers: Record<string, string>): OutgoingSecret;
}

function requestFor(
  { authentication }: Authority,
  form: Record<string, string>,
  { id, secret }: Client,
): { request: ProviderRequest; secretHeaders: Record<string, string> } {
  const accept = "application/json";
  if (authentication === "form") {
    const headers = { accept, "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ ...form, client_id: id, client_secret: secret }).toString();
    return { request: { method: "POST", headers, body }, secretHeaders: {} };
  }
  const basic = Buffer.from(`${id}:${secret}`).toString("base64");
  const headers = { accept, "content-type": "application/json" };
  return {
    request: { method: "POST", headers, body: JSON.stringify(form) },
    secretHeaders: { authorization: `Basic ${basic}` },
  };
}

/** The connection's own client, or the deployment's for the provider's own address. Throws OAUTH_NOT_CONFIGURED. */
async function resolveClient(
  { config, ports }: AuthorityRuntime,
  { name, client, configuredClient }: Authority,
  connection: Target,
  secrets: ConnectionSecrets,
): Promise<Client> {
  const { client_id, client_secret } = secrets;
  if (client_id !== undefined && client_secret !== undefined) {
    const owner = ownerOf(config, connection, secrets);
    return { id: client_id, secret: client_secret, declare: (headers) => carry("connection_grant", owner, headers) };
  }
  const mayUse = client_id === undefined && mayUseDeploymentClient(config, connection);
  const { id, secret = id && (await ports.secrets.get(clientSecretName(name))) } = configuredClient(config);
  if (mayUse && id !== undefined && secret !== undefined) {
    return { id, secret, declare: (headers) => carry(client, config, headers) };
  }
  throw new ServiceError(
    "OAUTH_NOT_CONFIGURED",
    `No OAuth client at ${name} is configured for this connection. Send client_id and client_secret.`,
    { provider: name },
  );
}
