import type * as z from "zod";
import { recordAudit } from "../../shared/audit/audit.ts";
import { readAddress } from "../../shared/identity/addresses.ts";
import { OPERATOR_ORG } from "../../shared/identity/bootstrap.ts";
import { findHash } from "../../shared/identity/password-hash.ts";
import {
  issueTokens,
  passFirstFactor,
  type SecondFactorRequired,
  type SignedIn,
} from "../../shared/identity/sign-in.ts";
import {
  countAttempt,
  forgiveAttempts,
  takeBackAttempt,
  wrongCredentials,
} from "../../shared/identity/sign-in-attempts.ts";
import { limitSignIns } from "../../shared/identity/sign-in-limits.ts";
import { endSignIn, findSignInOf, renewSignIn, type SignIn } from "../../shared/identity/sign-ins.ts";
import { reviseUser, type User } from "../../shared/identity/users.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Context, Home } from "../../shared/platform/context.ts";
import { getOwnUser } from "./own-user.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

/**
 * Signs in by e-mail and password. Answers alike, and as slowly, whether or not anybody has the address. Of several
 * accounts of an address that nobody verified, the password tells which.
 */
export async function login(
  home: Home,
  { email, password, remember_me: rememberMe }: Input<typeof schemas.Login>,
): Promise<SignedIn | SecondFactorRequired> {
  await limitSignIns(home, email);
  const remaining = await countAttempt(home, { email }, "password");
  const { accounts } = await readAddress(home.ports.records, email);
  const hashes = accounts.map(({ password_hash }) => password_hash);
  const user = accounts[await findHash(password, hashes)];
  if (!user) {
    await recordFailure(home, accounts, remaining);
    throw wrongCredentials("password", remaining);
  }
  await (accounts.length > 1 ? takeBackAttempt : forgiveAttempts)(home, { email });
  refuseStale(home, user);
  return passFirstFactor(home, user, { rememberMe, method: "password" });
}

async function recordFailure(home: Home, accounts: User[], attempts_remaining: number): Promise<void> {
  // Of several nobody can tell whom it was about.
  const user = accounts.length === 1 ? accounts[0] : undefined;
  await recordAudit(
    { ...home, org: user?.org ?? OPERATOR_ORG },
    {
      action: attempts_remaining > 0 ? "auth.login" : "auth.locked",
      outcome: "refused",
      target: user?.id,
      details: { method: "password", attempts_remaining },
    },
  );
}

/** Said to who knows the password, so it gives nothing away. */
function refuseStale({ clock }: Home, { must_change_password, temp_password_expires_at }: User): void {
  if (!must_change_password || temp_password_expires_at === undefined) return;
  if (Date.parse(temp_password_expires_at) > clock()) return;
  throw new ServiceError(
    "INVALID_CREDENTIALS",
    "The temporary password has expired. Choose one by POST /auth/forgot-password, or ask an admin for another.",
    { field: "password", expired_at: temp_password_expires_at },
  );
}

/** Trades a refresh token for the next one and a new access token. */
export async function refresh(home: Home, { refresh_token }: Input<typeof schemas.Refresh>) {
  const onReuse = ({ org, user_id }: SignIn) =>
    recordAudit({ ...home, org }, { action: "auth.refresh_reused", outcome: "refused", target: user_id });
  const { user, signIn, refreshToken } = await renewSignIn(home, refresh_token, onReuse);
  return issueTokens(home, user, signIn, refreshToken);
}

/** Ends the session of the access token that asks, and the one of `refresh_token`; or every one of the user's. */
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

/** Ids without repetition; a token of somebody else's is left alone. */
async function sessionsToEnd(
  { ports, principal }: Context,
  user: User,
  refreshToken: string | undefined,
): Promise<Set<string>> {
  const named = refreshToken === undefined ? undefined : await findSignInOf(ports.records, refreshToken);
  const isOwn = named?.org === user.org && named.user_id === user.id;
  return new Set([...(principal.session === undefined ? [] : [principal.session]), ...(isOwn ? [named.id] : [])]);
}
