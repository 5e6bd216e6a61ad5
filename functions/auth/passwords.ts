import { setTimeout as delay } from "node:timers/promises";
import type * as z from "zod";
import { type AuditEntry, audit } from "../../shared/audit/audit.ts";
import { readAddress, takeAddress } from "../../shared/identity/addresses.ts";
import { findToken, makeToken, useUp } from "../../shared/identity/one-time-tokens.ts";
import { hashPassword, requireRoomInLine, verifyPassword } from "../../shared/identity/password-hash.ts";
import { requireGoodPassword } from "../../shared/identity/password-rules.ts";
import { findOrganization } from "../../shared/identity/records.ts";
import {
  countAttempt,
  forgiveAttempts,
  takeBackAttempt,
  wrongCredentials,
} from "../../shared/identity/sign-in-attempts.ts";
import { limitMails } from "../../shared/identity/sign-in-limits.ts";
import { countSignIns } from "../../shared/identity/sign-ins.ts";
import { findUser, reviseUser, statusAt, type User, type UserChange } from "../../shared/identity/users.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { invalid, ServiceError } from "../../shared/kernel/errors.ts";
import type { Context, Home } from "../../shared/platform/context.ts";
import { ConditionFailed } from "../../shared/platform/errors.ts";
import type { Write } from "../../shared/platform/ports.ts";
import { mailPasswordChanged, mailReset, type ResetLink } from "./mails.ts";
import { getOwnUser } from "./own-user.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

/** So long a request for a new password takes at least: longer than to store a token and to hand over a mail. */
const ANSWERED_AFTER_MS = 500;

/** The user's password is the one that was given, or this throws; failures count as those of signing in. */
export async function requirePassword(home: Home, user: User, password: string, field: string): Promise<void> {
  if (user.password_hash === undefined) {
    throw new ServiceError("CONFLICT", "The account has no password. Choose one by POST /auth/forgot-password.");
  }
  // What cannot be looked at must not count as wrong.
  requireRoomInLine();
  const remaining = await countAttempt(home, { email: user.email }, field);
  if (!(await verifyPassword(password, user.password_hash))) throw wrongCredentials(field, remaining);
  const { accounts } = await readAddress(home.ports.records, user.email);
  await (accounts.length > 1 ? takeBackAttempt : forgiveAttempts)(home, { email: user.email });
}

/**
 * Gives a user another password, which ends every session. `besides` is part of it and must hold. Throws CONFLICT where
 * the credentials changed since `user` was read.
 */
async function replacePassword(
  home: Home,
  user: User,
  password: string,
  besides: Write[],
  more: UserChange = {},
): Promise<{ changed_at: string; sessions_revoked: number }> {
  // The salt is that of the address.
  const password_hash = await hashPassword(password, user.password_hash);
  const sessions_revoked = await countSignIns(home.ports.records, user);
  const changed_at = timestamp(home.clock());
  const changed = await reviseUser(
    home,
    user,
    ({ credential_epoch }) => {
      if (credential_epoch !== user.credential_epoch) throw overtaken();
      return {
        password_hash,
        password_changed_at: changed_at,
        must_change_password: undefined,
        temp_password_expires_at: undefined,
        ...more,
      };
    },
    besides,
    more.email_verified ? (current) => takeAddress(home, current) : undefined,
  );
  await mailPasswordChanged(home, changed);
  return { changed_at, sessions_revoked };
}

function overtaken(): ServiceError {
  return new ServiceError("CONFLICT", "The account changed in the meantime. Sign in again.");
}

export async function changePassword(
  ctx: Context,
  { current_password, new_password }: Input<typeof schemas.ChangePassword>,
) {
  const user = await getOwnUser(ctx);
  await requirePassword(ctx, user, current_password, "current_password");
  if (new_password === current_password) {
    throw invalid({ field: "new_password", problem: "must be another than the current one" });
  }
  await requireGoodPassword(new_password, user.email, "new_password");
  return replacePassword(ctx, user, new_password, [audit(ctx, { action: "auth.password_changed", target: user.id })]);
}

/** Mails a link that lets choose a new password. Answers alike, after the same time, whether anybody has the address. */
export async function requestReset(home: Home, { email }: Input<typeof schemas.ForgotPassword>) {
  await limitMails(home, email, "password_reset");
  await Promise.all([sendReset(home, email), delay(ANSWERED_AFTER_MS)]);
  return { accepted: true as const };
}

/**
 * One mail with a link for each account of the address, as its owner alone knows which of them is theirs: the one whose
 * link they use keeps the address.
 */
async function sendReset(home: Home, email: string): Promise<void> {
  const { accounts } = await readAddress(home.ports.records, email);
  const active = accounts.filter((user) => statusAt(user, home.clock()) === "active");
  if (active.length === 0) return;
  const links = await Promise.all(active.map((user) => makeResetLink(home, user)));
  await mailReset(home, email, links);
}

async function makeResetLink(home: Home, user: User): Promise<ResetLink> {
  const { records } = home.ports;
  const { token, write } = makeToken(home, "password_reset", user);
  const entry = { action: "auth.password_reset_requested", target: user.id } as const;
  const [organization] = await Promise.all([
    findOrganization(records, user.org),
    records.write(write, audit({ ...home, org: user.org }, entry)),
  ]);
  return { token, organization: organization?.label ?? "", created_at: user.created_at };
}

function uselessToken(): ServiceError {
  return invalid({ field: "token", problem: "was used, has expired, or never was one: ask for another" });
}

/**
 * What a mailed token changes besides the password. Before the address was shown to be the user's, somebody else may
 * have registered it and left ways back in: a second factor, accounts at providers, keys.
 */
function firstProof(home: Home, { email_verified }: User): UserChange {
  if (email_verified) return {};
  return { email_verified: true, two_factor: undefined, identities: [], keys_since: timestamp(home.clock()) };
}

/** Chooses a new password by a mailed token, which shows besides that the address is the user's. */
export async function resetPassword(home: Home, { token, new_password }: Input<typeof schemas.ResetPassword>) {
  const { records } = home.ports;
  const stands = await findToken(records, "password_reset", token);
  const user = stands && (await findUser(records, stands.org, stands.user_id));
  if (!user || user.credential_epoch !== stands.epoch) throw uselessToken();
  await requireGoodPassword(new_password, user.email, "new_password");
  const actor = { kind: "user", id: user.id } as const;
  const entry = { action: "auth.password_reset", actor, target: user.id } as const;
  const besides = [useUp("password_reset", token), audit({ ...home, org: user.org }, entry)];
  const answer = await usingUp(() => replacePassword(home, user, new_password, besides, firstProof(home, user)));
  home.authenticator.forget(user.id);
  await forgiveAttempts(home, { email: user.email });
  return answer;
}

/** A token that was used meanwhile is as useless as any. */
async function usingUp<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const isOvertaken =
      error instanceof ConditionFailed || (error instanceof ServiceError && error.code === "CONFLICT");
    throw isOvertaken ? uselessToken() : error;
  }
}

export async function verifyEmail(home: Home, { token }: Input<typeof schemas.VerifyEmail>) {
  const stands = await findToken(home.ports.records, "email_verification", token);
  if (!stands) throw uselessToken();
  const { org, user_id: id } = stands;
  const entry: AuditEntry = { action: "auth.email_verified", actor: { kind: "user", id }, target: id };
  const besides = [useUp("email_verification", token), audit({ ...home, org }, entry)];
  const verify = ({ status }: User) => {
    if (status === "deleted") throw uselessToken();
    return { email_verified: true };
  };
  await usingUp(() => reviseUser(home, { org, id }, verify, besides, (user) => takeAddress(home, user)));
  return { email_verified: true as const };
}
