import type * as z from "zod";
import { audit } from "../../shared/audit/audit.ts";
import { beginErasure } from "../../shared/erasure/begin.ts";
import { credentialsAt } from "../../shared/identity/addresses.ts";
import { requireHeld } from "../../shared/identity/grants.ts";
import { makeToken } from "../../shared/identity/one-time-tokens.ts";
import { beginHandOver, findHandOver, handOverNow, isHandedOn } from "../../shared/identity/ownership.ts";
import { requireGoodPassword } from "../../shared/identity/password-rules.ts";
import { ROLE_PERMISSIONS } from "../../shared/identity/permissions.ts";
import { labelOf } from "../../shared/identity/records.ts";
import { newUser } from "../../shared/identity/registration.ts";
import { linkWithToken } from "../../shared/identity/secret-link.ts";
import { mayMail } from "../../shared/identity/sign-in-limits.ts";
import {
  findUser,
  INITIAL_PREFERENCES,
  NO_END,
  type Preferences,
  putUser,
  listUsers as readUsers,
  reviseUser,
  statusAt,
  type User,
  type UserChange,
  writeUser,
} from "../../shared/identity/users.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { invalid, notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Context } from "../../shared/platform/context.ts";
import { mailAccount, mailSuspension } from "./mails.ts";
import { presentUser, presentUsers } from "./presentation.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

const HOUR_MS = 3_600_000;
const TEMP_PASSWORD_MS = 7 * 24 * HOUR_MS;

async function getUser(ctx: Context, id: string): Promise<User> {
  const user = await findUser(ctx.ports.records, ctx.org, id);
  if (!user) throw notFound("user", id);
  return user;
}

/** Who is gone stays as they are. */
function refuseDeleted({ id, status }: User): void {
  if (status !== "deleted") return;
  throw new ServiceError("CONFLICT", "The user is deleted. Invite or create them anew.", { user_id: id, status });
}

/** Nobody locks themselves out, by their own credential or a key that they answer for. */
function refuseSelf(ctx: Context, id: string, what: string): void {
  if (ctx.principal.id !== id && ctx.principal.owner !== id) return;
  throw new ServiceError("FORBIDDEN", `Nobody can ${what} themselves. Ask another admin.`, { user_id: id });
}

/**
 * Makes a user with a temporary password, and mails them a link to choose their own. Answers alike whether another
 * organization has the address: then the link is the only way to join. Throws EMAIL_EXISTS for a colleague.
 */
export async function createUser(ctx: Context, { password, timezone, ...given }: Input<typeof schemas.CreateUser>) {
  requireHeld(ctx.principal.permissions, given.permissions ?? ROLE_PERMISSIONS[given.role]);
  await requireGoodPassword(password, given.email);
  const expires_at = timestamp(ctx.clock() + TEMP_PASSWORD_MS);
  const user = newUser(ctx, {
    ...given,
    ...(await credentialsAt(ctx.ports.records, { email: given.email, org: ctx.org }, password)),
    permissions: given.permissions ?? [...ROLE_PERMISSIONS[given.role]],
    metadata: given.metadata ?? {},
    preferences: inTimezone(INITIAL_PREFERENCES, timezone),
    org: ctx.org,
    created_by: ctx.principal.id,
    must_change_password: true,
    temp_password_expires_at: expires_at,
  });
  const { id: target, role, permissions } = user;
  const made = { action: "user.created", target, details: { role, permissions } } as const;
  const { token, write } = makeToken(ctx, "password_reset", user, {}, TEMP_PASSWORD_MS / 1000);
  await writeUser(ctx.ports.records, ...putUser(user), write, audit(ctx, made));
  if (await mayMail(ctx, user.email, "account")) {
    const url = linkWithToken(ctx, `/auth/reset-password#token=${token}`);
    await mailAccount(ctx, user, await labelOf(ctx), url, expires_at);
  }
  return { user: await presentUser(ctx, user), credentials: { temp_password: password, expires_at } };
}

export async function listUsers(ctx: Context, { limit, offset, ...filter }: Input<typeof schemas.ListUsers>) {
  const page = { limit, offset };
  const now = timestamp(ctx.clock());
  const { users, total, hasNext } = await readUsers(ctx.ports.records, ctx.org, { ...filter, now }, page);
  return { users: await presentUsers(ctx, users), pagination: pagination(page, total, hasNext) };
}

export async function readUser(ctx: Context, id: string) {
  return presentUser(ctx, await getUser(ctx, id));
}

/** A change of role alone brings the role's permissions with it. */
function rightsAfter({
  role,
  permissions,
}: Input<typeof schemas.UpdateUser>): Pick<UserChange, "role" | "permissions"> {
  if (permissions !== undefined) return { ...(role && { role }), permissions };
  return role === undefined ? {} : { role, permissions: [...ROLE_PERMISSIONS[role]] };
}

function inTimezone(preferences: Preferences, timezone: string | undefined): Preferences {
  return timezone === undefined ? preferences : { ...preferences, timezone };
}

export async function updateUser(ctx: Context, id: string, change: Input<typeof schemas.UpdateUser>) {
  const rights = rightsAfter(change);
  requireHeld(ctx.principal.permissions, rights.permissions ?? []);
  const { name, organization, department, metadata, timezone } = change;
  const details = { fields: Object.keys(change), ...rights };
  const changed = await reviseUser(
    ctx,
    { org: ctx.org, id },
    (user) => {
      refuseDeleted(user);
      const preferences = timezone === undefined ? undefined : inTimezone(user.preferences, timezone);
      const given = { name, organization, department, metadata, preferences, ...rights };
      const named = Object.entries(given).filter(([, value]) => value !== undefined);
      return named.length === 0 ? undefined : Object.fromEntries(named);
    },
    [audit(ctx, { action: rights.permissions ? "user.role_changed" : "user.updated", target: id, details })],
  );
  ctx.authenticator.forget(id);
  return presentUser(ctx, changed);
}

/** Who inherits: an active user of the organization, if anyone. */
async function heirOf(ctx: Context, id: string, given: Input<typeof schemas.DeleteUser>): Promise<string | undefined> {
  const { transfer_data, transfer_to } = given;
  if (transfer_data === true && transfer_to === undefined) {
    throw invalid({ field: "transfer_to", problem: "must name who gets the data, where transfer_data is true" });
  }
  if (transfer_data === false || transfer_to === undefined) return undefined;
  const heir = transfer_to === id ? undefined : await findUser(ctx.ports.records, ctx.org, transfer_to);
  if (heir && statusAt(heir, ctx.clock()) === "active") return heir.id;
  throw invalid({ field: "transfer_to", problem: "must be the id of another active user of the organization" });
}

/** What is left of somebody: who they were, what they were called, and why they went. */
function goneWith(deletion: NonNullable<User["deletion"]>): UserChange {
  return {
    status: "deleted",
    deletion,
    suspended_until: undefined,
    password_hash: undefined,
    must_change_password: undefined,
    temp_password_expires_at: undefined,
    two_factor: undefined,
    identities: [],
  };
}

/**
 * Ends a user for good: every credential, every session, and their claim to the e-mail address. What they made goes to
 * the heir, where one is named; else it stays with the organization, and their API keys are revoked. Repeating it
 * answers what was done the first time. With `erase` workers then erase what is stored of them.
 */
export async function deleteUser(ctx: Context, id: string, given: Input<typeof schemas.DeleteUser>) {
  if (given.erase && given.transfer_to !== undefined) {
    throw invalid({ field: "transfer_to", problem: "must be left out where the data is erased" });
  }
  const deleted = await endUser(ctx, id, given);
  return given.erase ? { ...deleted, erasure_job_id: (await beginErasure(ctx, id)).id } : deleted;
}

async function endUser(ctx: Context, id: string, given: Input<typeof schemas.DeleteUser>) {
  const found = await getUser(ctx, id);
  if (found.deletion) return describeDeletion(ctx, id, found.deletion);
  refuseSelf(ctx, id, "delete");
  const to = await heirOf(ctx, id, given);
  const { reason } = given;
  const { handOver, write } = beginHandOver(ctx, { from: id, to });
  const did = { reason, by: ctx.principal.id, at: timestamp(ctx.clock()), hand_over: handOver.id };
  const besides = [
    write,
    audit(ctx, { action: "user.deleted", target: id, details: { reason, transferred_to: to ?? null } }),
  ];
  const { deletion } = await reviseUser(
    ctx,
    found,
    (user) => (user.deletion ? undefined : goneWith(to === undefined ? did : { ...did, transferred_to: to })),
    besides,
  );
  ctx.authenticator.forget(id);
  if (deletion?.hand_over === handOver.id) await handOverNow(ctx, handOver);
  return describeDeletion(ctx, id, deletion ?? did);
}

async function describeDeletion(ctx: Context, id: string, deletion: NonNullable<User["deletion"]>) {
  const { at, by, reason, transferred_to = null, hand_over } = deletion;
  const handOver = transferred_to === null ? undefined : await findHandOver(ctx.ports.records, ctx.org, hand_over);
  return {
    id,
    status: "deleted" as const,
    deleted_at: at,
    deleted_by: by,
    reason,
    data_transferred: handOver !== undefined && isHandedOn(handOver),
    transferred_to,
  };
}

/** Stops every credential of a user, for some hours or until somebody activates them, and tells them by mail. */
export async function suspendUser(ctx: Context, id: string, given: Input<typeof schemas.SuspendUser>) {
  const { reason, duration_hours, notify_user } = given;
  await getUser(ctx, id);
  refuseSelf(ctx, id, "suspend");
  const now = ctx.clock();
  const suspension = { reason, by: ctx.principal.id, at: timestamp(now) };
  const suspended_until = duration_hours === undefined ? NO_END : timestamp(now + duration_hours * HOUR_MS);
  const details = { reason, duration_hours: duration_hours ?? null };
  const user = await reviseUser(
    ctx,
    { org: ctx.org, id },
    (current) => {
      refuseDeleted(current);
      return { status: "suspended", suspended_until, suspension };
    },
    [audit(ctx, { action: "user.suspended", target: id, details })],
  );
  ctx.authenticator.forget(id);
  if (notify_user) await mailSuspension(ctx, user);
  return presentUser(ctx, user);
}

/** Lets a user in again who is suspended or inactive; an active one stays as they are. Sessions of before stay ended. */
export async function activateUser(ctx: Context, id: string, { reason }: Input<typeof schemas.ActivateUser>) {
  const details = { reason: reason ?? null };
  const user = await reviseUser(
    ctx,
    { org: ctx.org, id },
    (current) => {
      refuseDeleted(current);
      return current.status === "active" ? undefined : { status: "active", suspended_until: undefined };
    },
    [audit(ctx, { action: "user.activated", target: id, details })],
  );
  ctx.authenticator.forget(id);
  return presentUser(ctx, user);
}
