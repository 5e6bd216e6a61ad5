import type * as z from "zod";
import { type AuditEntry, audit, recordAudit } from "../../shared/audit/audit.ts";
import { findToken, useUp } from "../../shared/identity/one-time-tokens.ts";
import { seal, unseal } from "../../shared/identity/sealing.ts";
import { type SignedIn, signInAs } from "../../shared/identity/sign-in.ts";
import {
  countAttempt,
  forgiveAttempts,
  MOST_FAILURES,
  wrongCredentials,
} from "../../shared/identity/sign-in-attempts.ts";
import { hashRecoveryCode, makeRecoveryCodes, offerSecret, stepOf } from "../../shared/identity/totp.ts";
import { findUser, reviseUser, type TwoFactor, type User } from "../../shared/identity/users.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Context, Home } from "../../shared/platform/context.ts";
import { ConditionFailed } from "../../shared/platform/errors.ts";
import { getOwnUser } from "./own-user.ts";
import { requirePassword } from "./passwords.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

/** Where a user's secret is sealed for. */
const placeOf = ({ id }: User): string => `${id}/totp`;

/** A code that somebody typed: of the app, or of those to recover with. */
type Code = { otp: string } | { recovery_code: string };

/** What using a code up leaves of the second factor; undefined where the code is wrong, or has been used. */
type Use = (current: TwoFactor) => TwoFactor | undefined;

function isOn(user: User): user is User & { two_factor: TwoFactor } {
  return user.two_factor?.enabled === true;
}

/** Offers a shared secret, which counts once a code of it was shown. Offering again forgets the former one. */
export async function setUp(ctx: Context) {
  const user = await getOwnUser(ctx);
  const offer = await offerSecret(user.email);
  const secret = await seal(ctx, placeOf(user), offer.secret);
  await reviseUser(ctx, user, (current) => {
    if (isOn(current)) throw new ServiceError("CONFLICT", "Two factors are on already. Disable them first.");
    return { two_factor: { enabled: false, secret, recovery_codes: [], last_step: 0 } };
  });
  return offer;
}

/** Turns the second factor on, which ends every session, and tells the recovery codes this once. */
export async function enable(ctx: Context, { otp }: Input<typeof schemas.EnableSecondFactor>) {
  const user = await getOwnUser(ctx);
  const { two_factor: offered } = user;
  if (!offered || offered.enabled) {
    const problem = offered ? "Two factors are on already." : "There is no secret yet. Begin by POST /auth/2fa/setup.";
    throw new ServiceError("CONFLICT", problem);
  }
  const use = await check(ctx, user, offered, { otp }, "otp");
  const { codes, hashes } = await makeRecoveryCodes();
  const change = ({ two_factor }: User) => {
    if (two_factor?.secret !== offered.secret) throw overtaken();
    return { two_factor: { ...use(two_factor), enabled: true, recovery_codes: hashes } };
  };
  await reviseUser(ctx, user, change, [audit(ctx, { action: "auth.2fa_enabled", target: user.id })]);
  return { two_factor_enabled: true as const, recovery_codes: codes };
}

/** Turns the second factor off, by the password and a code, which ends every session. */
export async function disable(ctx: Context, { otp, password }: Input<typeof schemas.DisableSecondFactor>) {
  const user = await getOwnUser(ctx);
  if (!isOn(user)) throw new ServiceError("CONFLICT", "Two factors are off already.");
  await requirePassword(ctx, user, password, "password");
  const plain = otp.replaceAll(/\s/g, "");
  const code = /^\d{6}$/.test(plain) ? { otp: plain } : { recovery_code: otp };
  const use = await check(ctx, user, user.two_factor, code, "otp");
  const change = ({ two_factor }: User) => {
    if (!two_factor?.enabled) throw overtaken();
    use(two_factor);
    return { two_factor: undefined };
  };
  await reviseUser(ctx, user, change, [audit(ctx, { action: "auth.2fa_disabled", target: user.id })]);
  return { two_factor_enabled: false as const };
}

function overtaken(): ServiceError {
  return new ServiceError("CONFLICT", "The second factor changed in the meantime. Try again.");
}

/** The second step of a sign-in. Challenge and code are each good once, also for requests that come together. */
export async function verify(
  home: Home,
  { challenge_token, ...code }: Input<typeof schemas.VerifySecondFactor>,
): Promise<SignedIn> {
  const { records } = home.ports;
  const challenge = await findToken(records, "second_factor", challenge_token);
  const user = challenge && (await findUser(records, challenge.org, challenge.user_id));
  if (!user || !isOn(user) || user.credential_epoch !== challenge.epoch) throw challengeOver();
  const field = code.otp === undefined ? "recovery_code" : "otp";
  const use = await check(home, user, user.two_factor, codeIn(code), field);
  const consume = (current: User) => {
    if (current.credential_epoch !== challenge.epoch || !isOn(current)) throw challengeOver();
    return { two_factor: use(current.two_factor) };
  };
  try {
    const passed = await reviseUser(home, user, consume, [useUp("second_factor", challenge_token)]);
    const { remember_me: rememberMe, method = "password" } = challenge;
    return await signInAs(home, passed, { rememberMe, method: `${method}+2fa` });
  } catch (error) {
    throw error instanceof ConditionFailed ? challengeOver() : error;
  }
}

function challengeOver(): ServiceError {
  return new ServiceError("UNAUTHORIZED", "This sign-in is over or too old. Begin again by POST /auth/login.");
}

function codeIn({ otp, recovery_code }: { otp?: string; recovery_code?: string }): Code {
  return otp === undefined ? { recovery_code: recovery_code ?? "" } : { otp };
}

/**
 * Counts an attempt, and answers what a right code leaves when it is used up, which the caller writes. Throws
 * INVALID_CREDENTIALS for a wrong code, there and then or when it is used, and while too many were wrong. `field` is where
 * the client sent it.
 */
async function check(
  home: Home,
  user: User,
  two_factor: TwoFactor,
  code: Code,
  field: string,
): Promise<(current: TwoFactor) => TwoFactor> {
  const subject = { secondFactorOf: user.id };
  const remaining = await countAttempt(home, subject, field);
  const use = "otp" in code ? await useOtp(home, user, two_factor, code.otp) : useRecoveryCode(code.recovery_code);
  if (!use(two_factor)) {
    await recordFailure(home, user, remaining);
    throw wrongCredentials(field, remaining);
  }
  await forgiveAttempts(home, subject);
  return (current) => {
    const left = use(current);
    if (!left) throw wrongCredentials(field, MOST_FAILURES);
    return left;
  };
}

async function useOtp(home: Home, user: User, { secret }: TwoFactor, otp: string): Promise<Use> {
  const step = await stepOf(await unseal(home, placeOf(user), secret), otp, home.clock());
  return (current) => (step !== undefined && step > current.last_step ? { ...current, last_step: step } : undefined);
}

function useRecoveryCode(code: string): Use {
  const hash = hashRecoveryCode(code);
  return (current) => {
    const left = current.recovery_codes.filter((each) => each !== hash);
    return left.length < current.recovery_codes.length ? { ...current, recovery_codes: left } : undefined;
  };
}

async function recordFailure(home: Home, user: User, attempts_remaining: number): Promise<void> {
  const entry: AuditEntry = {
    action: attempts_remaining > 0 ? "auth.2fa" : "auth.locked",
    outcome: "refused",
    target: user.id,
    details: { method: "2fa", attempts_remaining },
  };
  await recordAudit({ ...home, org: user.org }, entry);
}
