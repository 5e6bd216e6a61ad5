import { builtInAddresses, ownAddresses } from "../fetching/built-in-addresses.ts";
import { type CarriedSecret, type ConnectionOwner, carry, maySee } from "../fetching/secret-destinations.ts";
import type { Config } from "../kernel/config.ts";
import { AUTHORITIES } from "./authorities.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionSecrets } from "./settings.ts";

type Place = Pick<Connection, "provider" | "config">;

/** What decides where the secrets of a connection may go. */
export function ownerOf(deployment: Config, { provider, config }: Place, secrets: ConnectionSecrets): ConnectionOwner {
  return { provider, config, deployment, secret_names: Object.keys(secrets) };
}

/** The access token among a connection's secrets, as requests to its provider carry it. */
export function tokenIn(deployment: Config, place: Place, secrets: ConnectionSecrets): CarriedSecret[] {
  const { access_token } = secrets;
  if (access_token === undefined) return [];
  const headers = { authorization: `Bearer ${access_token}` };
  return [carry("connection_token", ownerOf(deployment, place, secrets), headers)];
}

/** Whether a connection may use the deployment's client: it goes to no address but the provider's built-in ones. */
export function mayUseDeploymentClient(config: Config, place: Place): boolean {
  const authority = AUTHORITIES[place.provider];
  const builtIn = builtInAddresses(place.provider, config);
  if (!authority || !builtIn) return false;
  if (ownAddresses(place.provider, place.config, config).length > 0) return false;
  return [builtIn.token_url, builtIn.authorize_url].every((url) => maySee(authority.client, url, config));
}
