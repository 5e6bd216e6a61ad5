import { type Config, publicUrlOf } from "../../kernel/config.ts";

type PublicAddress = Pick<Config, "PUBLIC_URL" | "HOST" | "PORT">;

/** Paths below the public URL that are OAuth resources of their own; all others are those of the API as a whole. */
export type ResourcePath = "" | "/mcp";

/** Path of the metadata of RFC 9728; that of a resource below it has the resource's path at the end. */
export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

/** The identifier of a resource, which is the audience of tokens for it (RFC 8707). */
export function resourceOf(config: PublicAddress, path: ResourcePath = ""): string {
  return publicUrlOf(config) + path;
}

/**
 * The challenge of a 401 (RFC 9110, RFC 6750, RFC 9728). It names the metadata from which a client learns where to get
 * a token. `wasSent`: a credential was sent, but it is not valid.
 */
export function challengeOf(config: PublicAddress, path: ResourcePath | undefined, wasSent: boolean): string {
  const metadata = `${publicUrlOf(config)}${RESOURCE_METADATA_PATH}${path ?? ""}`;
  const error = wasSent ? ', error="invalid_token"' : "";
  return `Bearer realm="memory-service", resource_metadata="${metadata}"${error}`;
}
