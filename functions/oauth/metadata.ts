import { DEFAULT_SCOPES, issuerOf, SCOPES } from "../../shared/domain/identity/authorization-server/resources.ts";
import type { Permission } from "../../shared/runtime/access/permissions.ts";
import { type ResourcePath, resourceOf } from "../../shared/runtime/access/resource.ts";
import type { Runtime } from "../../shared/runtime/context.ts";

type Configured = Pick<Runtime, "config">;

const SCOPES_OF: Record<ResourcePath, readonly Permission[]> = { "": SCOPES, "/mcp": DEFAULT_SCOPES };

/** The metadata of RFC 8414. */
export function describeServer({ config }: Configured) {
  const issuer = issuerOf({ config });
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: [...SCOPES],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true as const,
    client_id_metadata_document_supported: true as const,
  };
}

/** The metadata of RFC 9728. */
export function describeResource({ config }: Configured, path: ResourcePath) {
  return {
    resource: resourceOf(config, path),
    resource_name: "Memory Service",
    authorization_servers: [issuerOf({ config })],
    scopes_supported: [...SCOPES_OF[path]],
    bearer_methods_supported: ["header"],
  };
}
