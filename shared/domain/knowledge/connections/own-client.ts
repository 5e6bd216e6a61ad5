import type { Config } from "../../../kernel/config.ts";
import { invalid } from "../../../kernel/errors.ts";
import { builtInAddresses, ownAddresses } from "../../../runtime/fetching/built-in-addresses.ts";
import {
  type ConnectionOwner,
  carry,
  maySee,
  type OutgoingSecret,
} from "../../../runtime/fetching/secret-destinations.ts";
import type { Connection, ProviderName } from "./connection.ts";
import type { ConnectionSecrets } from "./settings.ts";

/** How a user authorizes a connection at a provider: OAuth 2.0 with a code, in the provider's dialect. */
export interface Authority {
  /** Name of the stored client secret. */
  name: string;
  /** The deployment's client, as a kind of secret. */
  client: "google_client" | "github_client" | "notion_client" | "slack_client";
  configuredClient(config: Config): { id: string | undefined; secret: string | undefined };
  /** Fixed parts of the authorization request. */
  query: Record<string, string>;
  /** How the client authenticates: in the form, or with HTTP Basic and a JSON body. */
  authentication: "form" | "basic";
}

export const AUTHORITIES: Partial<Record<ProviderName, Authority>> = {
  notes_workspace: {
    name: "notion",
    client: "notion_client",
    configuredClient: (config) => ({ id: config.NOTION_CLIENT_ID, secret: config.NOTION_CLIENT_SECRET }),
    query: { owner: "user" },
    authentication: "basic",
  },
  cloud_drive: {
    name: "google",
    client: "google_client",
    configuredClient: (config) => ({ id: config.GOOGLE_CLIENT_ID, secret: config.GOOGLE_CLIENT_SECRET }),
    // Without these parameters Google returns no refresh token.
    query: { scope: "https://www.googleapis.com/auth/drive.readonly", access_type: "offline", prompt: "consent" },
    authentication: "form",
  },
  code_host: {
    name: "github",
    client: "github_client",
    configuredClient: (config) => ({ id: config.GITHUB_CLIENT_ID, secret: config.GITHUB_CLIENT_SECRET }),
    query: { scope: "repo" },
    authentication: "form",
  },
  team_chat: {
    name: "slack",
    client: "slack_client",
    configuredClient: (config) => ({ id: config.SLACK_CLIENT_ID, secret: config.SLACK_CLIENT_SECRET }),
    query: { scope: "channels:history,channels:read,groups:history,groups:read,users:read" },
    authentication: "form",
  },
};

type Target = Pick<Connection, "provider" | "config">;

/** Returns the fields that decide where a connection's secrets may be sent. */
export function ownerOf(deployment: Config, { provider, config }: Target, secrets: ConnectionSecrets): ConnectionOwner {
  return { provider, config, deployment, secret_names: Object.keys(secrets) };
}

/** The access token of a connection as a secret of requests to its provider. */
export function tokenIn(deployment: Config, connection: Target, secrets: ConnectionSecrets): OutgoingSecret[] {
  const { access_token } = secrets;
  if (access_token === undefined) return [];
  const headers = { authorization: `Bearer ${access_token}` };
  return [carry("connection_token", ownerOf(deployment, connection, secrets), headers)];
}

/** Whether a connection may use the deployment's client: only if all its addresses are the provider's own. */
export function mayUseDeploymentClient(config: Config, connection: Target): boolean {
  const authority = AUTHORITIES[connection.provider];
  const builtIn = builtInAddresses(connection.provider, config);
  if (!authority || !builtIn) return false;
  if (ownAddresses(connection.provider, connection.config, config).length > 0) return false;
  return [builtIn.token_url, builtIn.authorize_url].every((url) => maySee(authority.client, url, config));
}

/**
 * Throws VALIDATION_ERROR if an address is not the provider's own and the connection has neither its own client nor
 * only an access token.
 */
export function requireOwnClient(deployment: Config, { provider, config }: Target, secrets: ConnectionSecrets): void {
  const { client_id, client_secret, access_token, refresh_token, authorization_code } = secrets;
  const usesClient = refresh_token !== undefined || authorization_code !== undefined;
  if (usesClient && (client_id === undefined) !== (client_secret === undefined)) {
    const missing = client_id === undefined ? "client_id" : "client_secret";
    throw invalid({ field: `config.${missing}`, problem: "give client_id and client_secret together, or neither" });
  }
  if (client_id !== undefined && client_secret !== undefined) return;
  const addresses = ownAddresses(provider, config, deployment);
  const isTokenEnough = access_token !== undefined && !usesClient;
  const affected = addresses.filter((name) => name !== "base_url" || !isTokenEnough);
  if (affected.length === 0) return;
  const alternative = affected.every((name) => name === "base_url") && !usesClient ? ", or give access_token" : "";
  const problem = `must be given with client_secret beside ${affected.join(" and ")}${alternative}: the deployment's client is used only at the provider's built-in addresses`;
  throw invalid({ field: "config.client_id", problem });
}
