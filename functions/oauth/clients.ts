import { randomBytes } from "node:crypto";
import { ID_PREFIX, shownName } from "../../shared/domain/identity/authorization-server/clients.ts";
import { putClient, type RegisteredClient } from "../../shared/domain/identity/authorization-server/records.ts";
import { isRedirectUri } from "../../shared/domain/identity/authorization-server/redirects.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { audit } from "../../shared/runtime/audit/audit.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

const ID_BYTES = 16;

/** Stores a client that registers itself (RFC 7591). All clients are public; other requested methods are replaced. */
export async function registerClient(runtime: Runtime, given: Input<typeof schemas.RegisterClient>) {
  const { redirect_uris, client_name } = given;
  const refused = redirect_uris.filter((uri) => !isRedirectUri(uri));
  if (refused.length > 0) {
    throw new ServiceError(
      "INVALID_REDIRECT_URI",
      "A redirect URI must be of https, of a loopback address, or of an app's own scheme, without a fragment.",
      { redirect_uris: refused },
    );
  }
  const now = runtime.clock();
  const id = ID_PREFIX + randomBytes(ID_BYTES).toString("base64url");
  const client: RegisteredClient = { id, name: shownName(client_name), redirect_uris, created_at: timestamp(now) };
  const entry = { action: "oauth.client_registered", target: id, details: { name: client.name } } as const;
  await runtime.ports.records.write(putClient(client, now), audit({ ...runtime, org: OPERATOR_ORG }, entry));
  return {
    client_id: id,
    client_id_issued_at: Math.floor(now / 1000),
    client_name: client.name,
    redirect_uris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none" as const,
  };
}
