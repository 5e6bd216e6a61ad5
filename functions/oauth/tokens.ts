import { createHash, timingSafeEqual } from "node:crypto";
import {
  type AuthorizationCode,
  findCode,
  redeemCode,
} from "../../shared/domain/identity/authorization-server/records.ts";
import { pathOfResource } from "../../shared/domain/identity/authorization-server/resources.ts";
import type { ClientGrant } from "../../shared/domain/identity/client-grants.ts";
import {
  endSignIn,
  findSignIn,
  findSignInOf,
  openSignIn,
  renewSignIn,
  type SignIn,
} from "../../shared/domain/identity/sign-ins.ts";
import { auditOwn, findUser, statusAt, type User } from "../../shared/domain/identity/users.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { writeOrThrow } from "../../shared/ports/conflicts.ts";
import type { Permission } from "../../shared/runtime/access/permissions.ts";
import { resourceOf } from "../../shared/runtime/access/resource.ts";
import { recordAudit } from "../../shared/runtime/audit/audit.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

type Given = Input<typeof schemas.TokenRequest>;

/** A verifier of RFC 7636. */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** Issues tokens for a code, or for a refresh token, which is replaced. */
export async function issueTokens(runtime: Runtime, given: Given) {
  if (given.grant_type === "authorization_code") return redeem(runtime, given);
  if (given.grant_type === "refresh_token") return renew(runtime, given);
  throw new ServiceError("UNSUPPORTED_GRANT_TYPE", "Use authorization_code or refresh_token.");
}

async function redeem(runtime: Runtime, { code = "", client_id, code_verifier = "", ...given }: Given) {
  const { records } = runtime.ports;
  const found = await findCode(records, code);
  if (!found) throw invalidGrant();
  if (found.redeemed_as !== undefined) throw await endReplayed(runtime, found, found.redeemed_as);
  const { client, redirect_uri, challenge, expires_at } = found;
  const isOwn = client.id === client_id && redirect_uri === (given.redirect_uri ?? redirect_uri);
  if (!isOwn || expires_at <= runtime.clock() || !isVerified(challenge, code_verifier)) throw invalidGrant();
  requireResource(runtime, client, given.resource);
  const user = await findGrantor(runtime, found);
  const { signIn, refreshToken, write } = openSignIn(runtime, user, true, client);
  const details = { client: client.id, name: client.name };
  const entry = auditOwn(runtime, user, { action: "oauth.connected", target: signIn.id, details });
  await writeOrThrow(runtime, [redeemCode(code, found, signIn.id), write, entry], async () => {
    const current = await findCode(records, code);
    return current?.redeemed_as === undefined ? invalidGrant() : endReplayed(runtime, current, current.redeemed_as);
  });
  return tokensOf(runtime, user, signIn, client, refreshToken);
}

/** Whether the verifier belongs to the challenge (RFC 7636, 4.6). */
function isVerified(challenge: string, verifier: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const [expected, computed] = [Buffer.from(challenge, "base64url"), createHash("sha256").update(verifier).digest()];
  return expected.length === computed.length && timingSafeEqual(expected, computed);
}

function requireResource(runtime: Runtime, { resource }: ClientGrant, requested: string | undefined): void {
  if (requested === undefined) return;
  const path = pathOfResource(runtime, requested);
  if (path !== undefined && resourceOf(runtime.config, path) === resource) return;
  throw new ServiceError("INVALID_TARGET", "The user granted access to another resource.");
}

/** The user who consented. Throws INVALID_GRANT if the account changed since. */
async function findGrantor({ ports, clock }: Runtime, { org, user_id, epoch }: AuthorizationCode): Promise<User> {
  const user = await findUser(ports.records, org, user_id);
  if (user && statusAt(user, clock()) === "active" && user.credential_epoch === epoch) return user;
  throw invalidGrant();
}

/** Ends the grant of a code that is used again (RFC 6749, 4.1.2), and returns the error. */
async function endReplayed(runtime: Runtime, { org, user_id, client }: AuthorizationCode, id: string) {
  const details = { client: client.id, name: client.name };
  await recordAudit({ ...runtime, org }, { action: "oauth.code_reused", outcome: "refused", target: user_id, details });
  await endSignIn(runtime, { id, org, user_id });
  return invalidGrant();
}

async function renew(runtime: Runtime, { refresh_token = "", client_id, scope, resource }: Given) {
  const onReuse = ({ org, user_id }: SignIn) =>
    recordAudit({ ...runtime, org }, { action: "oauth.refresh_reused", outcome: "refused", target: user_id });
  const named = await findSignInOf(runtime.ports.records, refresh_token);
  if (named?.client?.id !== client_id) throw invalidGrant();
  requireResource(runtime, named.client, resource);
  const scopes = narrowed(named.client, scope);
  try {
    const { user, signIn, refreshToken } = await renewSignIn(runtime, refresh_token, onReuse, client_id);
    return await tokensOf(runtime, user, signIn, { ...named.client, scopes }, refreshToken);
  } catch (error) {
    throw error instanceof ServiceError && error.code === "UNAUTHORIZED" ? invalidGrant() : error;
  }
}

/** The scopes of the next access token: those of the grant, or fewer. Throws INVALID_SCOPE for any other. */
function narrowed({ scopes }: ClientGrant, scope: string | undefined): Permission[] {
  const requested = scope?.split(" ").filter((name) => name !== "") ?? [];
  if (requested.length === 0) return scopes;
  const kept = scopes.filter((name) => requested.includes(name));
  if (kept.length === new Set(requested).size) return kept;
  throw new ServiceError("INVALID_SCOPE", "The user did not grant all of these scopes. Ask for consent again.");
}

async function tokensOf(runtime: Runtime, user: User, signIn: SignIn, client: ClientGrant, refresh_token: string) {
  const { id: sub, org, credential_epoch: epoch } = user;
  const { name: _name, ...limits } = client;
  const issued = await runtime.tokens.issue(runtime, { sub, org, epoch, session: signIn.id, client: limits });
  return { ...issued, token_type: "Bearer" as const, refresh_token, scope: client.scopes.join(" ") };
}

function invalidGrant(): ServiceError {
  return new ServiceError("INVALID_GRANT", "The code or token is not valid. Ask the user to connect the client again.");
}

/** Ends the grant of a token (RFC 7009). The answer is the same for a token that is unknown or of another client. */
export async function revoke(runtime: Runtime, { token, client_id }: Input<typeof schemas.Revocation>) {
  const grant = await grantOf(runtime, token);
  if (!grant?.client || (client_id !== undefined && grant.client.id !== client_id)) return {};
  const { org, user_id, client } = grant;
  const details = { client: client.id, name: client.name };
  await endSignIn(runtime, grant);
  await recordAudit({ ...runtime, org }, { action: "oauth.revoked", target: user_id, details });
  return {};
}

async function grantOf(runtime: Runtime, token: string): Promise<SignIn | undefined> {
  const { records } = runtime.ports;
  const byRefreshToken = await findSignInOf(records, token);
  if (byRefreshToken) return byRefreshToken;
  for (const path of ["/mcp", ""] as const) {
    const claims = await runtime.tokens.verify(token, resourceOf(runtime.config, path));
    if (claims?.client) return findSignIn(records, claims.session);
  }
  return undefined;
}
