import { credentialsAt, isTakenWithin, takeAddress } from "../../shared/domain/identity/addresses.ts";
import { heldNow, requireHeld } from "../../shared/domain/identity/grants.ts";
import {
  acceptInvite as accept,
  cancelInvite as cancel,
  findInvite,
  findLink,
  INVITATIONS,
  type Invite,
  makeLink,
  putInvite,
  listInvites as readInvites,
  stateOf,
} from "../../shared/domain/identity/invites.ts";
import { linkWithToken } from "../../shared/domain/identity/mail.ts";
import { ownerOf, storeOwned } from "../../shared/domain/identity/owned-counts.ts";
import { requireGoodPassword } from "../../shared/domain/identity/password-rules.ts";
import { findOrganization, labelOf } from "../../shared/domain/identity/records.ts";
import { newUser } from "../../shared/domain/identity/registration.ts";
import { limitMails } from "../../shared/domain/identity/sign-in-limits.ts";
import { contended, putUser, refusalOfUser, USERS } from "../../shared/domain/identity/users.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { DAY_MS } from "../../shared/kernel/durations.ts";
import { existing, notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { tryWrite } from "../../shared/ports/conflicts.ts";
import { covers, ROLE_PERMISSIONS } from "../../shared/runtime/access/permissions.ts";
import { audit } from "../../shared/runtime/audit/audit.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type { PublicRuntime } from "../../shared/runtime/http/group.ts";
import { mailInvitation } from "./mails.ts";
import type * as schemas from "./schemas.ts";

async function getInvite(ctx: Pick<Context, "ports" | "org">, id: string): Promise<Invite> {
  return existing(await findInvite(ctx.ports.records, ctx.org, id), "invite", id);
}

function present(invite: Invite, now: number) {
  const { cancellation } = invite;
  const cancelled = { cancelled_at: cancellation?.at, cancelled_by: cancellation?.by };
  return { ...invite, ...cancelled, cancelled_reason: cancellation?.reason, status: stateOf(invite, now) };
}

function closed({ id }: Invite, status: string): ServiceError {
  return new ServiceError("INVITE_CLOSED", `The invitation is ${status}. Ask for another one.`, {
    invite_id: id,
    status,
  });
}

/**
 * Creates two links, one mailed and one returned: using the mailed one verifies the address. Throws EMAIL_EXISTS for a
 * member of the organization; users of other organizations are not revealed.
 */
export async function createInvite(ctx: Context, given: Input<typeof schemas.CreateInvite>) {
  const { email, role, name, send_email, metadata = {}, expires_in_days } = given;
  const permissions = given.permissions.length > 0 ? given.permissions : [...ROLE_PERMISSIONS[role]];
  requireHeld(ctx.principal.permissions, permissions);
  if (await isTakenWithin(ctx.ports.records, ctx.org, email)) {
    throw new ServiceError(
      "EMAIL_EXISTS",
      "A user of your organization already has this email address. Use another address.",
      { field: "email" },
    );
  }
  if (send_email) await limitMails(ctx, email, "invitation");
  const now = ctx.clock();
  const invite: Invite = {
    id: ctx.ids("invite"),
    org: ctx.org,
    email,
    name,
    role,
    permissions,
    metadata,
    status: "pending",
    expires_at: timestamp(now + expires_in_days * DAY_MS),
    send_email,
    created_at: timestamp(now),
    created_by: ctx.principal.id,
  };
  const [shown, mailed] = [makeLink(invite, false), makeLink(invite, true)];
  const entry = { action: "invite.created", target: invite.id, details: { role, permissions } } as const;
  const links = send_email ? [shown.write, mailed.write] : [shown.write];
  await storeOwned(ctx, INVITATIONS, ownerOf(ctx), [putInvite(invite), ...links, audit(ctx, entry)]);
  if (send_email) await mailInvitation(ctx, invite, await labelOf(ctx), urlOf(ctx, invite, mailed.token));
  return { ...present(invite, now), invitation_url: urlOf(ctx, invite, shown.token) };
}

function urlOf(ctx: Context, { id }: Invite, token: string): string {
  return linkWithToken(ctx, `/admin/invites/${id}/accept?token=${token}`);
}

export async function listInvites(ctx: Context, { status, email, ...page }: Input<typeof schemas.ListInvites>) {
  const now = ctx.clock();
  const filter = { state: status, email, now: timestamp(now) };
  const { items: invites, total, hasNext } = await readInvites(ctx.ports.records, ctx.org, filter, page);
  return { invites: invites.map((invite) => present(invite, now)), pagination: pagination(page, total, hasNext) };
}

export async function readInvite(ctx: Context, id: string) {
  return present(await getInvite(ctx, id), ctx.clock());
}

/** Cancels a pending invitation; a repetition returns the first result. */
export async function cancelInvite(ctx: Context, id: string, { reason }: Input<typeof schemas.CancelInvite>) {
  const invite = await getInvite(ctx, id);
  const cancellation = { by: ctx.principal.id, at: timestamp(ctx.clock()), reason };
  const entry = { action: "invite.cancelled", target: id, details: { reason: reason ?? null } } as const;
  if (invite.status === "pending") await tryWrite(ctx, cancel(invite, cancellation), audit(ctx, entry));
  const current = await getInvite(ctx, id);
  if (current.status === "accepted") throw closed(current, current.status);
  return present(current, ctx.clock());
}

type Acceptor = Pick<Input<typeof schemas.AcceptInvite>, "password" | "token">;

interface Acceptance {
  invite: Invite;
  /** The grantable permissions: those of the inviter, or of the admin who accepts for the invited person. */
  grantable: Context["principal"]["permissions"];
  isAddressProven: boolean;
  actor?: Pick<Context["principal"], "kind" | "id">;
}

/** Opens an invitation with a link's token or an admin's credential. A wrong token counts as a missing invitation. */
async function openInvite(runtime: PublicRuntime, id: string, token: string | undefined): Promise<Acceptance> {
  if (token === undefined) return openAsAdmin(runtime, id);
  const link = await findLink(runtime.ports.records, token);
  if (link?.invite_id !== id) throw notFound("invite", id);
  const invite = await getInvite({ ...runtime, org: link.org }, id);
  const grantable = await heldNow(runtime, invite.org, invite.created_by);
  return { invite, grantable, isAddressProven: link.is_mailed };
}

async function openAsAdmin(runtime: PublicRuntime, id: string): Promise<Acceptance> {
  const { kind, id: caller, org, permissions } = await runtime.authenticate();
  if (!covers(permissions, "admin:all")) {
    throw new ServiceError("PERMISSION_DENIED", "This requires the permission 'admin:all' or the invitation's token.", {
      required: "admin:all",
    });
  }
  const invite = await getInvite({ ...runtime, org }, id);
  return { invite, grantable: permissions, isAddressProven: false, actor: { kind, id: caller } };
}

/** Creates the user of an invitation once: of several concurrent requests one succeeds. */
export async function acceptInvite(runtime: PublicRuntime, id: string, { password, token }: Acceptor) {
  const { invite, grantable, isAddressProven, actor } = await openInvite(runtime, id, token);
  const now = runtime.clock();
  const state = stateOf(invite, now);
  if (state !== "pending") throw closed(invite, state);
  requireGrantable(grantable, invite);
  await requireGoodPassword(password, invite.email);
  const { org, email, name, role, permissions, metadata, created_by } = invite;
  const { records } = runtime.ports;
  const credentials = await credentialsAt(records, { email, org }, password);
  const transfer = isAddressProven ? await takeAddress(runtime, { email, org }) : undefined;
  const user = newUser(runtime, {
    ...credentials,
    ...{ org, email, name, role, permissions, metadata, created_by },
    password_changed_at: timestamp(now),
    email_verified: isAddressProven,
  });
  const by = actor ?? { kind: "user" as const, id: user.id };
  const entry = { action: "invite.accepted", target: id, actor: by, details: { user_id: user.id, role } } as const;
  const owner = { org, plan: (await findOrganization(records, org))?.plan ?? "free" };
  const writes = [accept(invite, user.id, now), ...putUser(user, transfer), audit({ ...runtime, org }, entry)];
  await storeOwned(runtime, USERS, owner, writes, (conflict) => {
    if (conflict.index === 0) return closed(invite, "accepted or cancelled");
    const refusal = refusalOfUser(writes, conflict);
    return refusal === conflict ? contended() : refusal;
  });
  for (const ended of transfer?.ended ?? []) runtime.authenticator.forget(ended);
  return { id, status: "accepted" as const, accepted_at: timestamp(now), user };
}

function requireGrantable(grantable: Acceptance["grantable"], { id, permissions }: Invite): void {
  if (permissions.every((permission) => covers(grantable, permission))) return;
  throw new ServiceError(
    "FORBIDDEN",
    "The user who invited you can no longer grant this. Ask for another invitation.",
    { invite_id: id },
  );
}
