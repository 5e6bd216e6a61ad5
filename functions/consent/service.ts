import { randomBytes } from "node:crypto";
import { toOAuthError } from "../../shared/domain/identity/authorization-server/errors.ts";
import { keepClient, putCode } from "../../shared/domain/identity/authorization-server/records.ts";
import { isRegistered, withParameters } from "../../shared/domain/identity/authorization-server/redirects.ts";
import {
  DEFAULT_SCOPES,
  issuerOf,
  pathOfResource,
  SCOPES,
} from "../../shared/domain/identity/authorization-server/resources.ts";
import { getOwnUser } from "../../shared/domain/identity/own-user.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { covers, isPermission, type Permission, requireOwnPassword } from "../../shared/runtime/access/permissions.ts";
import { type ResourcePath, resourceOf } from "../../shared/runtime/access/resource.ts";
import { audit, recordAudit } from "../../shared/runtime/audit/audit.ts";
import type { Context, Runtime } from "../../shared/runtime/context.ts";
import { type Client, findClient, isRegisteredId } from "./clients.ts";
import type * as schemas from "./schemas.ts";

type Given = Input<typeof schemas.AuthorizationRequest>;

/** A valid authorization request. */
interface AuthorizationRequest {
  client: Client;
  redirectUri: string;
  state: string | undefined;
  /** The challenge of PKCE, always by S256. */
  challenge: string;
  scopes: Permission[];
  resource: string;
  resourcePath: ResourcePath;
}

const CODE_BYTES = 32;
/** SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

/**
 * Checks the parameters of an authorization request. Errors about the client or its redirect URI are only shown; the
 * others have `details.redirect_to`, which the person may follow to report them to the client.
 */
async function readRequest(runtime: Runtime, given: Given): Promise<AuthorizationRequest> {
  const client = await findClient(runtime, given.client_id);
  const { redirect_uri: redirectUri, state } = given;
  if (!isRegistered(redirectUri, client.redirect_uris)) {
    throw new ServiceError("INVALID_REDIRECT_URI", "The redirect URI is not registered for this client.");
  }
  try {
    return { client, redirectUri, state, challenge: challengeOf(given), ...targetOf(runtime, given) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const redirect_to = answerTo(runtime, { redirectUri, state }, toOAuthError(error));
    throw new ServiceError(error.code, error.message, { ...error.details, redirect_to });
  }
}

function challengeOf({ response_type, code_challenge = "", code_challenge_method }: Given): string {
  if (response_type !== "code") {
    throw new ServiceError("UNSUPPORTED_RESPONSE_TYPE", "The response type must be 'code'.");
  }
  if (code_challenge_method !== "S256" || !CHALLENGE.test(code_challenge)) {
    throw new ServiceError("VALIDATION_ERROR", "PKCE is required: send code_challenge, and S256 as its method.");
  }
  return code_challenge;
}

function targetOf(runtime: Runtime, { scope, resource }: Given) {
  const resourcePath = resource === undefined ? "/mcp" : pathOfResource(runtime, resource);
  if (resourcePath === undefined) {
    throw new ServiceError("INVALID_TARGET", "The resource is not one of this service.");
  }
  return { scopes: scopesOf(scope), resourcePath, resource: resourceOf(runtime.config, resourcePath) };
}

/** The requested scopes that exist (RFC 6749, 3.3). Throws INVALID_SCOPE for admin:all, and if none is left. */
function scopesOf(scope: string | undefined): Permission[] {
  const requested = scope?.split(" ").filter((name) => name !== "") ?? [];
  if (requested.length === 0) return [...DEFAULT_SCOPES];
  if (requested.includes("admin:all")) {
    throw new ServiceError("INVALID_SCOPE", "No client can be granted admin:all.");
  }
  const known = SCOPES.filter((name) => isPermission(name) && requested.includes(name));
  if (known.length === 0) throw new ServiceError("INVALID_SCOPE", "None of the requested scopes exists.");
  return known;
}

/** The redirect URI with an answer, the client's state and the issuer (RFC 9207). */
function answerTo(
  runtime: Runtime,
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  answer: Record<string, string>,
): string {
  return withParameters(redirectUri, { ...answer, state, iss: issuerOf(runtime) });
}

/** Describes a request for the consent page. */
export async function describeRequest(runtime: Runtime, given: Given) {
  const { client, redirectUri, resource, resourcePath, scopes } = await readRequest(runtime, given);
  const { id, name, host } = client;
  const { host: redirectHost, protocol } = new URL(redirectUri);
  return {
    client: { id, name, ...(host !== undefined && { host }), redirect_host: redirectHost || protocol },
    resource,
    scopes,
    may_be_limited_to_user: resourcePath === "/mcp",
  };
}

/** Records the decision of the signed-in user, and returns where the browser goes: with a code, or with an error. */
export async function consent(ctx: Context, { approve, access, memory_user, ...given }: Input<typeof schemas.Consent>) {
  const user = await getOwnUser(ctx);
  requireOwnPassword(ctx.principal);
  const request = await readRequest(ctx, given);
  const { client, redirectUri, challenge, resource, resourcePath } = request;
  if (!approve) {
    await recordAudit(ctx, { action: "oauth.consent_denied", target: client.id, details: { name: client.name } });
    const denied = { error: "access_denied", error_description: "The user denied the request." };
    return { redirect_to: answerTo(ctx, request, denied) };
  }
  if (memory_user !== undefined && resourcePath !== "/mcp") {
    throw new ServiceError("VALIDATION_ERROR", "Only a connection to /mcp can be limited to one user's memories.");
  }
  const scopes = grantable(request.scopes, access).filter((scope) => covers(ctx.principal.permissions, scope));
  if (scopes.length === 0) {
    throw new ServiceError("INVALID_SCOPE", "You have none of the permissions that the client asks for.");
  }
  const code = randomBytes(CODE_BYTES).toString("base64url");
  const grant = {
    id: client.id,
    name: client.name,
    resource,
    scopes,
    ...(memory_user !== undefined && { memory_user }),
  };
  const { org, id: user_id, credential_epoch: epoch } = user;
  const now = ctx.clock();
  await ctx.ports.records.write(
    putCode(code, { org, user_id, epoch, redirect_uri: redirectUri, challenge, client: grant }, now),
    ...(isRegisteredId(client.id) ? [keepClient(client.id, now)] : []),
    audit(ctx, { action: "oauth.consented", target: client.id, details: { ...grant } }),
  );
  return { redirect_to: answerTo(ctx, request, { code }) };
}

function grantable(scopes: Permission[], access: "read" | "write"): Permission[] {
  return access === "write" ? scopes : scopes.filter((scope) => scope.endsWith(":read"));
}
