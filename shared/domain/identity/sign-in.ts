import type * as z from "zod";
import { timestamp } from "../../kernel/clock.ts";
import { ServiceError } from "../../kernel/errors.ts";
import { writeOrThrow } from "../../ports/conflicts.ts";
import type { Runtime } from "../../runtime/context.ts";
import { makeToken, TOKEN_SECONDS } from "./one-time-tokens.ts";
import { openSignIn, type SignIn } from "./sign-ins.ts";
import { auditOwn, countLogin, heldPermissions, reviseUser, statusAt, type User } from "./users.ts";
import type * as wire from "./wire.ts";

export type SignedIn = z.output<typeof wire.SignedIn>;
export type SignInOutcome = SignedIn | z.output<typeof wire.SecondFactorRequired>;

export interface SignInOptions {
  /** Whether the sign-in lasts 30 days without use instead of 7. */
  rememberMe?: boolean;
  /** How the user authenticated: `password` or a provider's name. For the audit record. */
  method: string;
}

/** The access token of a sign-in with its response fields. */
export async function issueTokens(
  runtime: Runtime,
  user: User,
  signIn: SignIn,
  refresh_token: string,
): Promise<z.output<typeof wire.Tokens>> {
  const { id: sub, org, credential_epoch: epoch } = user;
  const issued = await runtime.tokens.issue(runtime, { sub, org, epoch, session: signIn.id });
  return { ...issued, refresh_token, token_type: "Bearer" };
}

/** Continues after the first factor: a challenge if the user has a second factor, else tokens. Throws as `signInAs`. */
export async function passFirstFactor(runtime: Runtime, user: User, options: SignInOptions): Promise<SignInOutcome> {
  if (!user.two_factor?.enabled) return signInAs(runtime, user, options);
  requireActive(user, runtime.clock());
  const { rememberMe: remember_me = false, method } = options;
  const { token, write } = makeToken(runtime, "second_factor", user, { remember_me, method });
  await runtime.ports.records.write(write);
  return { two_factor_required: true, challenge_token: token, expires_in: TOKEN_SECONDS.second_factor };
}

/**
 * Signs in a fully authenticated user: records and counts the sign-in and issues tokens. Throws FORBIDDEN for an
 * inactive user, and CONFLICT if password, second factor or status changed since `user` was read.
 */
export async function signInAs(
  runtime: Runtime,
  user: User,
  { rememberMe = false, method }: SignInOptions,
): Promise<SignedIn> {
  requireActive(user, runtime.clock());
  const current = user.status === "suspended" ? await endSuspension(runtime, user) : user;
  const { signIn, refreshToken, write } = openSignIn(runtime, current, rememberMe);
  const { id, email, name, role } = current;
  const entry = auditOwn(runtime, current, { action: "auth.login", details: { method } });
  const counted = countLogin(current, timestamp(runtime.clock()));
  const writes = [counted, write, entry];
  await writeOrThrow(runtime, writes, (conflict) =>
    conflict.index === 0
      ? new ServiceError("CONFLICT", "The account changed while you signed in. Sign in again.")
      : conflict,
  );
  const tokens = await issueTokens(runtime, current, signIn, refreshToken);
  return {
    ...tokens,
    user: { id, email, name, roles: [role], permissions: [...heldPermissions(current)] },
    ...(current.must_change_password && { password_change_required: true }),
  };
}

function requireActive(user: User, now: number): void {
  const status = statusAt(user, now);
  if (status === "active") return;
  throw new ServiceError("FORBIDDEN", `The account is ${status}. Ask an admin of your organization.`, { status });
}

/** The next sign-in ends an expired suspension permanently. */
function endSuspension(runtime: Runtime, user: User): Promise<User> {
  return reviseUser(runtime, user, (current) =>
    statusAt(current, runtime.clock()) === "active" && current.status === "suspended"
      ? { status: "active", suspended_until: undefined }
      : undefined,
  );
}
