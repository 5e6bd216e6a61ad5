import { audit } from "../audit/audit.ts";
import { timestamp } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Home } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import type { Write } from "../platform/ports.ts";
import { makeToken, TOKEN_SECONDS } from "./one-time-tokens.ts";
import type { Permission, Role } from "./permissions.ts";
import { openSignIn, type SignIn } from "./sign-ins.ts";
import { countLogin, heldPermissions, reviseUser, statusAt, type User } from "./users.ts";

/** What a client is given to act for a user. */
export interface Tokens {
  access_token: string;
  refresh_token: string;
  /** Seconds that the access token lasts. */
  expires_in: number;
  token_type: "Bearer";
}

/** The answer to a sign-in. */
export interface SignedIn extends Tokens {
  user: { id: string; email: string; name: string; roles: Role[]; permissions: Permission[] };
  /** The password is a temporary one: the tokens are good for POST /auth/change-password, and hold no permission. */
  password_change_required?: true;
}

/** Where the second factor is asked for instead; POST /auth/2fa/verify takes the token and a code. */
export interface SecondFactorRequired {
  two_factor_required: true;
  challenge_token: string;
  /** Seconds that the challenge lasts. */
  expires_in: number;
}

export interface SignInOptions {
  /** The sign-in lasts 30 days without use, not 7. */
  rememberMe?: boolean;
  /** How the user proved who they are: `password`, or a provider's name. For the audit record. */
  method: string;
}

/** The access token of a sign-in, and what goes with it. */
export async function issueTokens(home: Home, user: User, signIn: SignIn, refresh_token: string): Promise<Tokens> {
  const { id: sub, org, credential_epoch: epoch } = user;
  const issued = await home.tokens.issue(home, { sub, org, epoch, session: signIn.id });
  return { ...issued, refresh_token, token_type: "Bearer" };
}

/**
 * What follows the first factor, whichever it was: the second one for a user who has it on, else the tokens. Throws what
 * `signInAs` throws.
 */
export async function passFirstFactor(
  home: Home,
  user: User,
  options: SignInOptions,
): Promise<SignedIn | SecondFactorRequired> {
  if (!user.two_factor?.enabled) return signInAs(home, user, options);
  requireActive(user, home.clock());
  const { rememberMe: remember_me = false, method } = options;
  const { token, write } = makeToken(home, "second_factor", user, { remember_me, method });
  await home.ports.records.write(write);
  return { two_factor_required: true, challenge_token: token, expires_in: TOKEN_SECONDS.second_factor };
}

/**
 * Signs in a user who has proven to be it by every factor that is on: records and counts the sign-in and issues tokens.
 * `besides` belongs to the same transaction. Throws FORBIDDEN for a user who is not active, CONFLICT where password,
 * second factor or status changed since `user` was read; ConditionFailed where one of `besides` is refused.
 */
export async function signInAs(
  home: Home,
  user: User,
  { rememberMe = false, method }: SignInOptions,
  besides: Write[] = [],
): Promise<SignedIn> {
  requireActive(user, home.clock());
  const standing = user.status === "suspended" ? await endSuspension(home, user) : user;
  const { signIn, refreshToken, write } = openSignIn(home, standing, rememberMe);
  const { id, email, name, role, org } = standing;
  const entry = { action: "auth.login", target: id, actor: { kind: "user", id }, details: { method } } as const;
  const writes = [countLogin(standing, timestamp(home.clock())), write, audit({ ...home, org }, entry), ...besides];
  try {
    await home.ports.records.write(...writes);
  } catch (error) {
    if (!(error instanceof ConditionFailed && error.index === 0)) throw error;
    throw new ServiceError("CONFLICT", "The account changed while you signed in. Sign in again.");
  }
  const tokens = await issueTokens(home, standing, signIn, refreshToken);
  return {
    ...tokens,
    user: { id, email, name, roles: [role], permissions: [...heldPermissions(standing)] },
    ...(standing.must_change_password && { password_change_required: true }),
  };
}

function requireActive(user: User, now: number): void {
  const status = statusAt(user, now);
  if (status === "active") return;
  throw new ServiceError("FORBIDDEN", `The account is ${status}. Ask an admin of your organization.`, { status });
}

/** A suspension that has run out is over for good at the next sign-in. */
function endSuspension(home: Home, user: User): Promise<User> {
  return reviseUser(home, user, (current) =>
    statusAt(current, home.clock()) === "active" && current.status === "suspended"
      ? { status: "active", suspended_until: undefined }
      : undefined,
  );
}
