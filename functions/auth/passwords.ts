import { setTimeout as delay } from "node:timers/promises";
import { readAddress, takeAddress } from "../../shared/domain/identity/addresses.ts";
import { findToken, makeToken, useUp } from "../../shared/domain/identity/one-time-tokens.ts";
import { getOwnUser } from "../../shared/domain/identity/own-user.ts";
import { hashPassword, rejectIfHashQueueFull, verifyPassword } from "../../shared/domain/identity/password-hash.ts";
import { requireGoodPassword } from "../../shared/domain/identity/password-rules.ts";
import { findOrganization } from "../../shared/domain/identity/records.ts";
import {
  countAttempt,
  forgiveAttempts,
  undoLastAttempt,
  wrongCredentials,
} from "../../shared/domain/identity/sign-in-attempts.ts";
import { limitMails } from "../../shared/domain/identity/sign-in-limits.ts";
import { countSignIns } from "../../shared/domain/identity/sign-ins.ts";
import {
  auditOwn,
  findUser,
  reviseUser,
  statusAt,
  type User,
  type UserChange,
} from "../../shared/domain/identity/users.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { invalid, ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { ConditionFailedError } from "../../shared/ports/errors.ts";
import type { Write } from "../../shared/ports/record-store.ts";
import { audit } from "../../shared/runtime/audit/audit.ts";
import type { Context, Runtime } from "../../shared/runtime/context.ts";
import { mailPasswordChanged, mailReset, type ResetLink } from "./mails.ts";
import type * as schemas from "./schemas.ts";

/** Minimum duration of a reset request: longer than storing a token and sending a mail. */
const ANSWERED_AFTER_MS = 500;

/** Throws unless the password is the user's; failures count like failed sign-ins. */
export async function requirePassword(runtime: Runtime, user: User, password: string, field: string): Promise<void> {
  if (user.password_hash === undefined) {
    throw new ServiceError("CONFLICT", "The account has no password. Set one with POST /auth/forgot-password.");
  }
  // A password that cannot be checked must not count as wrong.
  rejectIfHashQueueFull();
  const remaining = await countAttempt(runtime, { email: user.email }, field);
  if (!(await verifyPassword(password, user.password_hash))) throw wrongCredentials(field, remaining);
  const { accounts } = await readAddress(runtime.ports.records, user.email);
  await (accounts.length > 1 ? undoLastAttempt : forgiveAttempts)(runtime, { email: user.email });
}

/**
 * Replaces a user's password, which ends every session. The transaction includes `writes`, and `extraChange` of the
 * user. Throws CONFLICT if the credentials changed since `user` was read.
 */
async function replacePassword(
  runtime: Runtime,
  user: User,
  password: string,
  writes: Write[],
  extraChange: UserChange = {},
): Promise<{ changed_at: string; sessions_revoked: number }> {
  // All accounts of an address share one salt.
  const password_hash = await hashPassword(password, user.password_hash);
  const sessions_revoked = await countSignIns(runtime.ports.records, user);
  const changed_at = timestamp(runtime.clock());
  const changed = await reviseUser(
    runtime,
    user,
    ({ credential_epoch }) => {
      if (credential_epoch !== user.credential_epoch) {
        throw new ServiceError("CONFLICT", "The account has changed. Sign in again.");
      }
      return {
        password_hash,
        password_changed_at: changed_at,
        must_change_password: undefined,
        temp_password_expires_at: undefined,
        ...extraChange,
      };
    },
    writes,
    extraChange.email_verified ? (current) => takeAddress(runtime, current) : undefined,
  );
  await mailPasswordChanged(runtime, changed);
  return { changed_at, sessions_revoked };
}

export async function changePassword(ctx: Context, given: Input<typeof schemas.ChangePassword>) {
  const { current_password, new_password } = given;
  const user = await getOwnUser(ctx);
  await requirePassword(ctx, user, current_password, "current_password");
  if (new_password === current_password) {
    throw invalid({ field: "new_password", problem: "must differ from the current one" });
  }
  await requireGoodPassword(new_password, user.email, "new_password");
  return replacePassword(ctx, user, new_password, [audit(ctx, { action: "auth.password_changed", target: user.id })]);
}

/** Mails a password reset link. The response and its timing are the same whether or not the address has an account. */
export async function requestReset(runtime: Runtime, { email }: Input<typeof schemas.ForgotPassword>) {
  await limitMails(runtime, email, "password_reset");
  await Promise.all([sendReset(runtime, email), delay(ANSWERED_AFTER_MS)]);
  return { accepted: true as const };
}

/**
 * One mail with a link per account of the address, because only its owner knows which is theirs: the account whose link
 * is used keeps the address.
 */
async function sendReset(runtime: Runtime, email: string): Promise<void> {
  const { accounts } = await readAddress(runtime.ports.records, email);
  const active = accounts.filter((user) => statusAt(user, runtime.clock()) === "active");
  if (active.length === 0) return;
  const links = await Promise.all(active.map((user) => makeResetLink(runtime, user)));
  await mailReset(runtime, email, links);
}

async function makeResetLink(runtime: Runtime, user: User): Promise<ResetLink> {
  const { records } = runtime.ports;
  const { token, write } = makeToken(runtime, "password_reset", user);
  const entry = { action: "auth.password_reset_requested", target: user.id } as const;
  const [organization] = await Promise.all([
    findOrganization(records, user.org),
    records.write(write, audit({ ...runtime, org: user.org }, entry)),
  ]);
  return { token, organization: organization?.label ?? "", created_at: user.created_at };
}

function invalidToken(): ServiceError {
  return invalid({ field: "token", problem: "is unknown, expired or already used: request another one" });
}

/**
 * Returns what the first mailed token changes in addition to the password. Before the address was verified, somebody
 * else may have registered it with other credentials: a second factor, provider accounts, keys.
 */
function firstProof(runtime: Runtime, { email_verified }: User): UserChange {
  if (email_verified) return {};
  return { email_verified: true, two_factor: undefined, identities: [], keys_since: timestamp(runtime.clock()) };
}

/** Resets a password with a mailed token, which also verifies the address. */
export async function resetPassword(runtime: Runtime, { token, new_password }: Input<typeof schemas.ResetPassword>) {
  const { records } = runtime.ports;
  const issued = await findToken(records, "password_reset", token);
  const user = issued && (await findUser(records, issued.org, issued.user_id));
  if (!user || user.credential_epoch !== issued.epoch) throw invalidToken();
  await requireGoodPassword(new_password, user.email, "new_password");
  const writes = [useUp("password_reset", token), auditOwn(runtime, user, { action: "auth.password_reset" })];
  const answer = await usingToken(() =>
    replacePassword(runtime, user, new_password, writes, firstProof(runtime, user)),
  );
  runtime.authenticator.forget(user.id);
  await forgiveAttempts(runtime, { email: user.email });
  return answer;
}

/** Runs `act`, and rejects the token as invalid if another request used it meanwhile. */
async function usingToken<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const isUsed =
      error instanceof ConditionFailedError || (error instanceof ServiceError && error.code === "CONFLICT");
    throw isUsed ? invalidToken() : error;
  }
}

export async function verifyEmail(runtime: Runtime, { token }: Input<typeof schemas.VerifyEmail>) {
  const issued = await findToken(runtime.ports.records, "email_verification", token);
  if (!issued) throw invalidToken();
  const owner = { org: issued.org, id: issued.user_id };
  const writes = [useUp("email_verification", token), auditOwn(runtime, owner, { action: "auth.email_verified" })];
  const verify = ({ status }: User) => {
    if (status === "deleted") throw invalidToken();
    return { email_verified: true };
  };
  await usingToken(() => reviseUser(runtime, owner, verify, writes, (user) => takeAddress(runtime, user)));
  return { email_verified: true as const };
}
