import { findToken, useUp } from "../../shared/domain/identity/one-time-tokens.ts";
import { getOwnUser } from "../../shared/domain/identity/own-user.ts";
import { seal, unseal } from "../../shared/domain/identity/sealing.ts";
import { signInAs } from "../../shared/domain/identity/sign-in.ts";
import {
  countAttempt,
  forgiveAttempts,
  MAX_FAILURES,
  wrongCredentials,
} from "../../shared/domain/identity/sign-in-attempts.ts";
import { hashRecoveryCode, makeRecoveryCodes, newTotpSecret, stepOf } from "../../shared/domain/identity/totp.ts";
import { findUser, reviseUser, type TwoFactor, type User } from "../../shared/domain/identity/users.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { ConditionFailedError } from "../../shared/ports/errors.ts";
import { audit } from "../../shared/runtime/audit/audit.ts";
import type { Context, Runtime } from "../../shared/runtime/context.ts";
import { requirePassword } from "./passwords.ts";
import type * as schemas from "./schemas.ts";
import { recordFailure } from "./sign-in.ts";

/** The context to which a user's encrypted secret is bound. */
const sealContextOf = ({ id }: User): string => `${id}/totp`;

/** A code that the user typed: from the authenticator app, or a recovery code. */
type Code = { otp: string } | { recovery_code: string };

/** Returns the second factor after using up a code; undefined if the code is wrong or used. */
type Use = (current: TwoFactor) => TwoFactor | undefined;

function isOn(user: User): user is User & { two_factor: TwoFactor } {
  return user.two_factor?.enabled === true;
}

/** Offers a shared secret, which takes effect once one of its codes is confirmed. Another offer replaces it. */
export async function setUp(ctx: Context) {
  const user = await getOwnUser(ctx);
  const offer = await newTotpSecret(user.email);
  const secret = await seal(ctx, sealContextOf(user), offer.secret);
  await reviseUser(ctx, user, (current) => {
    if (isOn(current)) throw new ServiceError("CONFLICT", "Two-factor authentication is already on. Disable it first.");
    return { two_factor: { enabled: false, secret, recovery_codes: [], last_step: 0 } };
  });
  return offer;
}

/** Enables the second factor, which ends every session, and returns the recovery codes once. */
export async function enable(ctx: Context, { otp }: Input<typeof schemas.EnableSecondFactor>) {
  const user = await getOwnUser(ctx);
  const { two_factor: offered } = user;
  if (!offered) throw new ServiceError("CONFLICT", "There is no secret yet. Start with POST /auth/2fa/setup.");
  if (offered.enabled) throw new ServiceError("CONFLICT", "Two-factor authentication is already on.");
  const use = await check(ctx, user, offered, { otp }, "otp");
  const { codes, hashes } = await makeRecoveryCodes();
  const change = ({ two_factor }: User) => {
    if (two_factor?.secret !== offered.secret) throw factorChanged();
    return { two_factor: { ...use(two_factor), enabled: true, recovery_codes: hashes } };
  };
  await reviseUser(ctx, user, change, [audit(ctx, { action: "auth.2fa_enabled", target: user.id })]);
  return { two_factor_enabled: true as const, recovery_codes: codes };
}

/** Disables the second factor with the password and a code, which ends every session. */
export async function disable(ctx: Context, { otp, password }: Input<typeof schemas.DisableSecondFactor>) {
  const user = await getOwnUser(ctx);
  if (!isOn(user)) throw new ServiceError("CONFLICT", "Two-factor authentication is already off.");
  await requirePassword(ctx, user, password, "password");
  const plain = otp.replaceAll(/\s/g, "");
  const code = /^\d{6}$/.test(plain) ? { otp: plain } : { recovery_code: otp };
  const use = await check(ctx, user, user.two_factor, code, "otp");
  const change = ({ two_factor }: User) => {
    if (!two_factor?.enabled) throw factorChanged();
    use(two_factor);
    return { two_factor: undefined };
  };
  await reviseUser(ctx, user, change, [audit(ctx, { action: "auth.2fa_disabled", target: user.id })]);
  return { two_factor_enabled: false as const };
}

function factorChanged(): ServiceError {
  return new ServiceError("CONFLICT", "The second factor has changed. Try again.");
}

/** The second step of a sign-in. Challenge and code are single use, also for concurrent requests. */
export async function verify(runtime: Runtime, { challenge_token, ...code }: Input<typeof schemas.VerifySecondFactor>) {
  const { records } = runtime.ports;
  const challenge = await findToken(records, "second_factor", challenge_token);
  const user = challenge && (await findUser(records, challenge.org, challenge.user_id));
  if (!user || !isOn(user) || user.credential_epoch !== challenge.epoch) throw challengeOver();
  const field = code.otp === undefined ? "recovery_code" : "otp";
  const given = code.otp === undefined ? { recovery_code: code.recovery_code ?? "" } : { otp: code.otp };
  const use = await check(runtime, user, user.two_factor, given, field);
  const consume = (current: User) => {
    if (current.credential_epoch !== challenge.epoch || !isOn(current)) throw challengeOver();
    return { two_factor: use(current.two_factor) };
  };
  try {
    const passed = await reviseUser(runtime, user, consume, [useUp("second_factor", challenge_token)]);
    const { remember_me: rememberMe, method = "password" } = challenge;
    return await signInAs(runtime, passed, { rememberMe, method: `${method}+2fa` });
  } catch (error) {
    throw error instanceof ConditionFailedError ? challengeOver() : error;
  }
}

function challengeOver(): ServiceError {
  return new ServiceError("UNAUTHORIZED", "This sign-in is finished or expired. Start again with POST /auth/login.");
}

/**
 * Counts an attempt and returns the state after using up a valid code, which the caller writes. Throws
 * INVALID_CREDENTIALS for a wrong or used code, and after too many failures. `field` is the name that the client sent.
 */
async function check(runtime: Runtime, user: User, two_factor: TwoFactor, code: Code, field: string) {
  const subject = { secondFactorOf: user.id };
  const remaining = await countAttempt(runtime, subject, field);
  const use = "otp" in code ? await useOtp(runtime, user, two_factor, code.otp) : useRecoveryCode(code.recovery_code);
  if (!use(two_factor)) {
    await recordFailure(runtime, user, "auth.2fa", { method: "2fa", attempts_remaining: remaining });
    throw wrongCredentials(field, remaining);
  }
  await forgiveAttempts(runtime, subject);
  return (current: TwoFactor) => {
    const after = use(current);
    if (!after) throw wrongCredentials(field, MAX_FAILURES);
    return after;
  };
}

async function useOtp(runtime: Runtime, user: User, { secret }: TwoFactor, otp: string): Promise<Use> {
  const step = await stepOf(await unseal(runtime, sealContextOf(user), secret), otp, runtime.clock());
  return (current) => (step !== undefined && step > current.last_step ? { ...current, last_step: step } : undefined);
}

function useRecoveryCode(code: string): Use {
  const hash = hashRecoveryCode(code);
  return (current) => {
    const remaining = current.recovery_codes.filter((known) => known !== hash);
    return remaining.length < current.recovery_codes.length ? { ...current, recovery_codes: remaining } : undefined;
  };
}
