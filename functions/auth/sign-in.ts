import { credentialsAt, readAddress } from "../../shared/domain/identity/addresses.ts";
import { makeToken } from "../../shared/domain/identity/one-time-tokens.ts";
import { getOwnUser } from "../../shared/domain/identity/own-user.ts";
import { findHash } from "../../shared/domain/identity/password-hash.ts";
import { requireGoodPassword } from "../../shared/domain/identity/password-rules.ts";
import { register as makeUser, requireOpenRegistration } from "../../shared/domain/identity/registration.ts";
import { issueTokens, passFirstFactor, type SignInOutcome } from "../../shared/domain/identity/sign-in.ts";
import {
  countAttempt,
  forgiveAttempts,
  undoLastAttempt,
  wrongCredentials,
} from "../../shared/domain/identity/sign-in-attempts.ts";
import { limitSignIns, mayMail } from "../../shared/domain/identity/sign-in-limits.ts";
import { endSignIn, findSignInOf, renewSignIn, type SignIn } from "../../shared/domain/identity/sign-ins.ts";
import { auditOwn, reviseUser, type User, writeUser } from "../../shared/domain/identity/users.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { recordAudit } from "../../shared/runtime/audit/audit.ts";
import type { Context, Runtime } from "../../shared/runtime/context.ts";
import { mailVerification } from "./mails.ts";
import type * as schemas from "./schemas.ts";

/**
 * Creates an organization with its first admin and mails a verification link. The response is the same whether or not
 * the address is taken: of several registrations, the one whose link is used keeps the address.
 */
export async function register(runtime: Runtime, { password, metadata = {}, ...rest }: Input<typeof schemas.Register>) {
  requireOpenRegistration(runtime.config);
  await limitSignIns(runtime, rest.email);
  await requireGoodPassword(password, rest.email);
  const credentials = await credentialsAt(runtime.ports.records, rest, password);
  const password_changed_at = timestamp(runtime.clock());
  const { user, organization, writes } = makeUser(runtime, { ...rest, ...credentials, metadata, password_changed_at });
  const { token, write } = makeToken(runtime, "email_verification", user);
  const entry = auditOwn(runtime, user, { action: "user.registered", details: { method: "password" } });
  await writeUser(runtime.ports.records, ...writes, write, entry);
  if (await mayMail(runtime, user.email, "email_verification")) await mailVerification(runtime, user, token);
  const { id, email, name, email_verified, created_at } = user;
  return {
    id,
    user_id: id,
    email,
    name,
    organization: organization.label,
    email_verified,
    verification_required: true,
    created_at,
  };
}

/**
 * Signs in with email and password. The response and its timing are the same whether or not the address exists. Among
 * several unverified accounts of an address, the password decides.
 */
export async function login(runtime: Runtime, given: Input<typeof schemas.Login>): Promise<SignInOutcome> {
  const { email, password, remember_me: rememberMe } = given;
  await limitSignIns(runtime, email);
  const remaining = await countAttempt(runtime, { email }, "password");
  const { accounts } = await readAddress(runtime.ports.records, email);
  const hashes = accounts.map(({ password_hash }) => password_hash);
  const user = accounts[await findHash(password, hashes)];
  if (!user) {
    // With several accounts the intended one is unknown.
    const [only] = accounts.length === 1 ? accounts : [];
    await recordFailure(runtime, only, "auth.login", { method: "password", attempts_remaining: remaining });
    throw wrongCredentials("password", remaining);
  }
  await (accounts.length > 1 ? undoLastAttempt : forgiveAttempts)(runtime, { email });
  refuseStale(runtime, user);
  return passFirstFactor(runtime, user, { rememberMe, method: "password" });
}

/** Records a refused first or second factor; after the last attempt, that the account is locked. */
export function recordFailure(
  runtime: Runtime,
  user: User | undefined,
  action: "auth.login" | "auth.2fa",
  details: { method: string; attempts_remaining: number },
): Promise<void> {
  const entry = { action: details.attempts_remaining > 0 ? action : "auth.locked", target: user?.id, details } as const;
  return recordAudit({ ...runtime, org: user?.org ?? OPERATOR_ORG }, { ...entry, outcome: "refused" });
}

/** Throws for an expired temporary password. Only callers who know the password see this, so it reveals nothing. */
function refuseStale({ clock }: Runtime, { must_change_password, temp_password_expires_at }: User): void {
  if (!must_change_password || temp_password_expires_at === undefined) return;
  if (Date.parse(temp_password_expires_at) > clock()) return;
  throw new ServiceError(
    "INVALID_CREDENTIALS",
    "The temporary password has expired. Set a password with POST /auth/forgot-password, or ask an admin for a new one.",
    { field: "password", expired_at: temp_password_expires_at },
  );
}

/** Exchanges a refresh token for the next one and a new access token. */
export async function refresh(runtime: Runtime, { refresh_token }: Input<typeof schemas.Refresh>) {
  const onReuse = ({ org, user_id }: SignIn) =>
    recordAudit({ ...runtime, org }, { action: "auth.refresh_reused", outcome: "refused", target: user_id });
  const { user, signIn, refreshToken } = await renewSignIn(runtime, refresh_token, onReuse);
  return issueTokens(runtime, user, signIn, refreshToken);
}

/** Ends the session of the access token and of `refresh_token`, or all sessions of the user. */
export async function logout(ctx: Context, { refresh_token, all_sessions }: Input<typeof schemas.Logout>) {
  const user = await getOwnUser(ctx);
  if (all_sessions) {
    await reviseUser(ctx, user, ({ credential_epoch }) => ({ credential_epoch: credential_epoch + 1 }));
  } else {
    for (const id of await sessionsToEnd(ctx, user, refresh_token)) {
      await endSignIn(ctx, { id, org: user.org, user_id: user.id });
    }
  }
  await recordAudit(ctx, { action: "auth.logout", target: user.id, details: { all_sessions } });
  return { logged_out: true as const };
}

/** Returns the ids of the sessions to end; a token of another user is ignored. */
async function sessionsToEnd({ ports, principal }: Context, user: User, refreshToken: string | undefined) {
  const named = refreshToken === undefined ? undefined : await findSignInOf(ports.records, refreshToken);
  const isOwn = named?.org === user.org && named.user_id === user.id;
  return new Set([...(principal.session === undefined ? [] : [principal.session]), ...(isOwn ? [named.id] : [])]);
}
