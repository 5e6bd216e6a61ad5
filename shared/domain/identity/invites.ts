import { randomBytes } from "node:crypto";
import type * as z from "zod";
import { timestamp } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/digest.ts";
import { DAY_SECONDS } from "../../kernel/durations.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { finderOf, getObject, setOrRemove, toItem } from "../../ports/item.ts";
import { filterBy, type Listing, listObjects } from "../../ports/listing.ts";
import type { AttributeTests, RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import type { Permission } from "../../runtime/access/permissions.ts";
import type { OwnedKind } from "./owned-counts.ts";
import type { AdminAction } from "./users.ts";
import type * as wire from "./wire.ts";

export const INVITE_STATES = ["pending", "accepted", "expired", "cancelled"] as const;

export type InviteState = (typeof INVITE_STATES)[number];

/** An invitation to become a user of an organization. */
export interface Invite
  extends Omit<z.output<typeof wire.Invite>, "permissions" | "status" | `cancelled_${"at" | "by" | "reason"}`> {
  org: string;
  permissions: Permission[];
  /** The stored state; `stateOf` returns the current one, because invitations expire without a write. */
  status: Exclude<InviteState, "expired">;
  cancellation?: Omit<AdminAction, "reason"> & { reason?: string };
}

/** A secret link to an invitation: shown to the inviter, or mailed, which proves the address. */
export interface InviteLink {
  org: string;
  invite_id: string;
  is_mailed: boolean;
}

const TOKEN_BYTES = 32;
/** How long an expired link is kept, so that its visitor gets a clear message. */
const KEPT_SECONDS = 90 * DAY_SECONDS;

const inviteKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "invite" });
const invitesOf = (org: string): string => `${org}#invites`;

/** Looked up before the organization is known; SHA-256 is enough for 256 random bits. */
function linkKey(token: string): RecordKey {
  return { pk: `invite_link#${sha256(token)}`, sk: "invite_link" };
}

export function stateOf({ status, expires_at }: Invite, now: number): InviteState {
  return status === "pending" && Date.parse(expires_at) <= now ? "expired" : status;
}

export function putInvite(invite: Invite): Write {
  const listing = { gsi1pk: invitesOf(invite.org), gsi1sk: `${invite.created_at}#${invite.id}` };
  return { put: toItem(inviteKey(invite.org, invite.id), "invite", invite, listing), condition: "absent" };
}

/** A new link to an invitation that expires with it, and the write that stores it. */
export function makeLink({ org, id, expires_at }: Invite, is_mailed: boolean): { token: string; write: Write } {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const link: InviteLink = { org, invite_id: id, is_mailed };
  const ttl = Math.ceil(Date.parse(expires_at) / 1000) + KEPT_SECONDS;
  return { token, write: { put: toItem(linkKey(token), "invite_link", link, { ttl }) } };
}

/** The link of a token, even if its invitation is no longer open; undefined for an unknown token. */
export function findLink(records: RecordStore, token: string): Promise<InviteLink | undefined> {
  return getObject(records, linkKey(token));
}

/** The write that accepts an invitation; refused if it is no longer open. */
export function acceptInvite({ org, id }: Invite, user_id: string, now: number): Write {
  const accepted_at = timestamp(now);
  return {
    update: inviteKey(org, id),
    set: { status: "accepted", accepted_at, user_id },
    condition: { status: "pending", expires_at: { greaterThan: accepted_at } },
  };
}

/** The write that cancels an invitation; refused if it was accepted or cancelled. */
export function cancelInvite({ org, id }: Invite, cancellation: NonNullable<Invite["cancellation"]>): Write {
  const { set } = setOrRemove({ status: "cancelled", cancellation });
  return { update: inviteKey(org, id), set, condition: { status: "pending" } };
}

export const findInvite = finderOf<Invite>(inviteKey);

const STATE_TESTS: Record<InviteState, (now: string) => AttributeTests> = {
  pending: (now) => ({ status: "pending", expires_at: { greaterThan: now } }),
  expired: (now) => ({ status: "pending", expires_at: { atMost: now } }),
  accepted: () => ({ status: "accepted" }),
  cancelled: () => ({ status: "cancelled" }),
};

export const INVITATIONS: OwnedKind = {
  name: "invitations",
  listing: (org, now) => ({ index: "gsi1", pk: invitesOf(org), where: STATE_TESTS.pending(now) }),
};

export interface InviteFilter {
  state?: InviteState;
  /** Normalized by `normalizeEmail`. */
  email?: string;
  /** ISO 8601; decides what has expired. */
  now: string;
}

/** One page of an organization's invitations, newest first, with the total. */
export function listInvites(
  records: RecordStore,
  org: string,
  { state, email, now }: InviteFilter,
  page: PageRequest,
): Promise<Listing<Invite>> {
  const where = filterBy(state && STATE_TESTS[state](now), { email });
  const listing = { index: "gsi1" as const, pk: invitesOf(org), where, descending: true };
  return listObjects(records, listing, page);
}
