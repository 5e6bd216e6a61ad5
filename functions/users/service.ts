import { credentialsAt } from "../../shared/domain/identity/addresses.ts";
import { requireHeld } from "../../shared/domain/identity/grants.ts";
import { linkWithToken } from "../../shared/domain/identity/mail.ts";
import { makeToken } from "../../shared/domain/identity/one-time-tokens.ts";
import { ownerOf, storeOwned } from "../../shared/domain/identity/owned-counts.ts";
import { requireGoodPassword } from "../../shared/domain/identity/password-rules.ts";
import { labelOf } from "../../shared/domain/identity/records.ts";
import { newUser } from "../../shared/domain/identity/registration.ts";
import { mayMail } from "../../shared/domain/identity/sign-in-limits.ts";
import {
  findUser,
  INITIAL_PREFERENCES,
  NO_END,
  type Preferences,
  putUser,
  listUsers as readUsers,
  refusalOfUser,
  reviseUser,
  statusAt,
  USERS,
  type User,
  type UserChange,
} from "../../shared/domain/identity/users.ts";
import { beginErasure } from "../../shared/domain/operations/erasure/begin.ts";
import {
  beginOwnershipTransfer,
  findOwnershipTransfer,
  isTransferred,
  transferOwnershipNow,
} from "../../shared/domain/operations/offboarding/ownership.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { HOUR_MS } from "../../shared/kernel/durations.ts";
import { existing, invalid, ServiceError } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { ROLE_PERMISSIONS } from "../../shared/runtime/access/permissions.ts";
import { type AuditEntry, audit } from "../../shared/runtime/audit/audit.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { mailAccount, mailSuspension } from "./mails.ts";
import { presentUser, presentUsers } from "./presentation.ts";
import type * as schemas from "./schemas.ts";

const TEMP_PASSWORD_MS = 7 * 24 * HOUR_MS;

async function getUser(ctx: Context, id: string): Promise<User> {
  return existing(await findUser(ctx.ports.records, ctx.org, id), "user", id);
}

/** A deleted user cannot be changed. */
function refuseDeleted({ id, status }: User): void {
  if (status !== "deleted") return;
  throw new ServiceError("CONFLICT", "The user is deleted. Invite or create the user again.", { user_id: id, status });
}

/** Nobody can lock themselves out, neither with their own credential nor with one of their keys. */
function refuseSelf(ctx: Context, id: string, what: string): void {
  if (ctx.principal.id !== id && ctx.principal.owner !== id) return;
  throw new ServiceError("FORBIDDEN", `You cannot ${what} yourself. Ask another admin.`, { user_id: id });
}

/**
 * Creates a user with a temporary password and mails a link to choose another one. The response is the same if another
 * organization has the address: then the link is the only way to join. Throws EMAIL_EXISTS for a member of the
 * organization.
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
  const entry = { action: "user.created", target, details: { role, permissions } } as const;
  const { token, write } = makeToken(ctx, "password_reset", user, {}, TEMP_PASSWORD_MS / 1000);
  const writes = [...putUser(user), write, audit(ctx, entry)];
  await storeOwned(ctx, USERS, ownerOf(ctx), writes, (conflict) => refusalOfUser(writes, conflict));
  if (await mayMail(ctx, user.email, "account")) {
    const url = linkWithToken(ctx, `/auth/reset-password#token=${token}`);
    await mailAccount(ctx, user, await labelOf(ctx), url, expires_at);
  }
  return { user: await presentUser(ctx, user), credentials: { temp_password: password, expires_at } };
}

export async function listUsers(ctx: Context, { limit, offset, ...filter }: Input<typeof schemas.ListUsers>) {
  const page = { limit, offset };
  const now = timestamp(ctx.clock());
  const { items: users, total, hasNext } = await readUsers(ctx.ports.records, ctx.org, { ...filter, now }, page);
  return { users: await presentUsers(ctx, users), pagination: pagination(page, total, hasNext) };
}

export async function readUser(ctx: Context, id: string) {
  return presentUser(ctx, await getUser(ctx, id));
}

/** Changing only the role also sets the role's permissions. */
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
  const action = rights.permissions ? "user.role_changed" : "user.updated";
  const changed = await changeUser(ctx, id, { action, details }, (user) => {
    const preferences = timezone === undefined ? undefined : inTimezone(user.preferences, timezone);
    const given = { name, organization, department, metadata, preferences, ...rights };
    const named = Object.entries(given).filter(([, value]) => value !== undefined);
    return named.length === 0 ? undefined : Object.fromEntries(named);
  });
  return presentUser(ctx, changed);
}

/** Changes a user who is not deleted, and records it; see `reviseUser`. */
async function changeUser(
  ctx: Context,
  id: string,
  entry: Pick<AuditEntry, "action" | "details">,
  revise: (user: User) => UserChange | undefined,
): Promise<User> {
  const change = (user: User) => {
    refuseDeleted(user);
    return revise(user);
  };
  const changed = await reviseUser(ctx, { org: ctx.org, id }, change, [audit(ctx, { ...entry, target: id })]);
  ctx.authenticator.forget(id);
  return changed;
}

/** Returns the successor's id; undefined if none is named. Throws VALIDATION_ERROR unless it is another active user. */
async function successorOf(ctx: Context, id: string, given: Input<typeof schemas.DeleteUser>) {
  const { transfer_data, transfer_to } = given;
  if (transfer_data === true && transfer_to === undefined) {
    throw invalid({ field: "transfer_to", problem: "is required if transfer_data is true" });
  }
  if (transfer_data === false || transfer_to === undefined) return undefined;
  const successor = transfer_to === id ? undefined : await findUser(ctx.ports.records, ctx.org, transfer_to);
  if (successor && statusAt(successor, ctx.clock()) === "active") return successor.id;
  throw invalid({ field: "transfer_to", problem: "must be the id of another active user of the organization" });
}

/** The change that deletes a user: it removes all credentials, and keeps identity, name and the reason. */
function deletedState(deletion: NonNullable<User["deletion"]>): UserChange {
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
 * Deletes a user: every credential, every session, and their claim to the email address. Their resources pass to the
 * successor if one is named; otherwise they stay with the organization, and their API keys are revoked. A repetition
 * returns the first result.
 */
export async function deleteUser(ctx: Context, id: string, given: Input<typeof schemas.DeleteUser>) {
  if (given.erase && given.transfer_to !== undefined) {
    throw invalid({ field: "transfer_to", problem: "must be absent if the data is erased" });
  }
  const deleted = await endUser(ctx, id, given);
  return given.erase ? { ...deleted, erasure_job_id: (await beginErasure(ctx, id)).id } : deleted;
}

async function endUser(ctx: Context, id: string, given: Input<typeof schemas.DeleteUser>) {
  const found = await getUser(ctx, id);
  if (found.deletion) return describeDeletion(ctx, id, found.deletion);
  refuseSelf(ctx, id, "delete");
  const to = await successorOf(ctx, id, given);
  const { reason } = given;
  const { transfer, write } = beginOwnershipTransfer(ctx, { from: id, to });
  const newDeletion = { reason, by: ctx.principal.id, at: timestamp(ctx.clock()), hand_over: transfer.id };
  const entry = { action: "user.deleted", target: id, details: { reason, transferred_to: to ?? null } } as const;
  const change = (user: User) =>
    user.deletion ? undefined : deletedState(to === undefined ? newDeletion : { ...newDeletion, transferred_to: to });
  const { deletion } = await reviseUser(ctx, found, change, [write, audit(ctx, entry)]);
  ctx.authenticator.forget(id);
  if (deletion?.hand_over === transfer.id) await transferOwnershipNow(ctx, transfer);
  return describeDeletion(ctx, id, deletion ?? newDeletion);
}

async function describeDeletion(ctx: Context, id: string, deletion: NonNullable<User["deletion"]>) {
  const { at, by, reason, transferred_to = null, hand_over } = deletion;
  const transfer =
    transferred_to === null ? undefined : await findOwnershipTransfer(ctx.ports.records, ctx.org, hand_over);
  return {
    id,
    status: "deleted" as const,
    deleted_at: at,
    deleted_by: by,
    reason,
    data_transferred: transfer !== undefined && isTransferred(transfer),
    transferred_to,
  };
}

/** Disables every credential of a user, for some hours or until activation, and notifies them by mail. */
export async function suspendUser(ctx: Context, id: string, given: Input<typeof schemas.SuspendUser>) {
  const { reason, duration_hours, notify_user } = given;
  await getUser(ctx, id);
  refuseSelf(ctx, id, "suspend");
  const now = ctx.clock();
  const suspension = { reason, by: ctx.principal.id, at: timestamp(now) };
  const suspended_until = duration_hours === undefined ? NO_END : timestamp(now + duration_hours * HOUR_MS);
  const entry = { action: "user.suspended", details: { reason, duration_hours: duration_hours ?? null } } as const;
  const user = await changeUser(ctx, id, entry, () => ({ status: "suspended", suspended_until, suspension }));
  if (notify_user) await mailSuspension(ctx, user);
  return presentUser(ctx, user);
}

/** Activates a suspended or inactive user; an active one is not changed. Former sessions stay ended. */
export async function activateUser(ctx: Context, id: string, { reason }: Input<typeof schemas.ActivateUser>) {
  const entry = { action: "user.activated", details: { reason: reason ?? null } } as const;
  const user = await changeUser(ctx, id, entry, ({ status }) =>
    status === "active" ? undefined : { status: "active", suspended_until: undefined },
  );
  return presentUser(ctx, user);
}
