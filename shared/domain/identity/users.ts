import { timestamp } from "../../kernel/clock.ts";
import { existing, ServiceError, unavailable } from "../../kernel/errors.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { normalized } from "../../kernel/strings.ts";
import { retryOnConflict, writeOrThrow } from "../../ports/conflicts.ts";
import type { ConditionFailedError } from "../../ports/errors.ts";
import { finderOf, fromItem, setOrRemove, toItem } from "../../ports/item.ts";
import type { JsonObject } from "../../ports/json.ts";
import { AFTER_ANY_ID, filterBy, listObjects } from "../../ports/listing.ts";
import { identityOf, keyOf } from "../../ports/preconditions.ts";
import type { AttributeTests, RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import type { Permission, Role } from "../../runtime/access/permissions.ts";
import { type AuditEntry, audit } from "../../runtime/audit/audit.ts";
import type { Runtime } from "../../runtime/context.ts";
import type { OwnedKind } from "./owned-counts.ts";

export const USER_STATES = ["active", "inactive", "suspended", "deleted"] as const;

export type UserStatus = (typeof USER_STATES)[number];

export interface Preferences {
  theme: string;
  language: string;
  timezone: string;
}

export const INITIAL_PREFERENCES: Preferences = { theme: "system", language: "en", timezone: "UTC" };

/** An admin's action on a user: the reason, the principal and the time (ISO 8601). */
export interface AdminAction {
  reason: string;
  by: string;
  at: string;
}

/** A person at a social provider: `subject` is the provider's own id, which never changes, unlike an email address. */
export interface ExternalIdentity {
  provider: string;
  subject: string;
}

/** The second factor. Until `enabled` is true the secret is only offered and sign-in does not ask for a code. */
export interface TwoFactor {
  enabled: boolean;
  /** The shared secret of RFC 6238, encrypted (see sealing.ts). */
  secret: string;
  /** SHA-256 of each unused recovery code. */
  recovery_codes: string[];
  /** Time step of the last accepted code; this step and earlier ones are refused. */
  last_step: number;
}

/** Whether an unverified account may sign in with its address (`claim`) or not (`surplus`). */
export type AddressClaim = "claim" | "surplus";

/** What is needed to make a user the holder of an address. */
export interface AddressTransfer {
  /** The user in the holder's record, if there is one: a user of a former version who did not verify the address. */
  replaces?: string;
  /** The writes that end the claims of other users. */
  writes: Write[];
  /** The users whose claims end. */
  ended: string[];
}

const NO_TRANSFER: AddressTransfer = { writes: [], ended: [] };

/** A person of one organization. Failed sign-ins are counted by email address in sign-in-attempts.ts. */
export interface User {
  id: string;
  org: string;
  /** Normalized by `normalizeEmail`. Unique in an organization; one user of the deployment has verified it. */
  email: string;
  name: string;
  role: Role;
  /** The user's permissions: those of the role unless others were given; changing only the role resets them. */
  permissions: Permission[];
  /** The stored state; `statusAt` returns the current one, because a suspension may have ended. */
  status: UserStatus;
  /** ISO 8601; present while `status` is suspended, NO_END for a suspension without an end. */
  suspended_until?: string;
  /** The last suspension, which may have ended. */
  suspension?: AdminAction;
  /** Present for a deleted user; `hand_over` is the job that ends or transfers their resources. */
  deletion?: AdminAction & { transferred_to?: string; hand_over: string };
  /** A display label without effect. */
  organization?: string;
  department?: string;
  metadata: JsonObject;
  preferences: Preferences;
  /** Argon2id in PHC form; absent for a user who signs in only through a provider. */
  password_hash?: string;
  password_changed_at?: string;
  /** The password is temporary: until it is changed the user has no permissions. */
  must_change_password?: boolean;
  /** ISO 8601; when the temporary password expires. */
  temp_password_expires_at?: string;
  email_verified: boolean;
  /** At an unverified address a claim may sign in, a surplus one may not. Absent for holders of former versions. */
  address_claim?: AddressClaim;
  /** ISO 8601; older API keys are refused, because their creator had not verified the address. */
  keys_since?: string;
  /** Absent until set up. */
  two_factor?: TwoFactor;
  identities: ExternalIdentity[];
  /**
   * Access and refresh tokens carry the epoch in which they were issued; those of another epoch are refused.
   * `changeUser` changes it with the password, the second factor or the status.
   */
  credential_epoch: number;
  /** Sessions whose access tokens are refused although their epoch is current. */
  ended_sessions: { id: string; until: string }[];
  login_count: number;
  last_login: string | null;
  created_at: string;
  /** The principal that created the user: a user, an API key, or the user itself after registration. */
  created_by: string;
  updated_at: string;
  /** Starts at 1; incremented by every change except the counting of sign-ins. */
  version: number;
}

/** Fields to change; a field set to undefined is removed. A new `credential_epoch` ends every session. */
export type UserChange = Partial<Omit<User, "id" | "org" | "created_at" | "version">>;

/** The end of an unlimited suspension; sorts after every other moment. Shown as no end. */
export const NO_END = "9999-12-31T23:59:59.999Z";

const userKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "user" });
const usersOf = (org: string): string => `${org}#users`;
/** Looked up before the organization is known, so these keys belong to the deployment. */
export const claimsAt = (email: string): string => `email#${email}`;
/** The record of the user who verified the address. */
export const holderKey = (email: string): RecordKey => ({ pk: claimsAt(email), sk: "email" });
export const claimKey = (email: string, org: string, claim: AddressClaim): RecordKey => ({
  pk: claimsAt(email),
  sk: `${claim}#${org}`,
});
const identityKey = ({ provider, subject }: ExternalIdentity): RecordKey => ({
  pk: `identity#${provider}#${subject}`,
  sk: "identity",
});
/** The exact number of an organization's admins, because lists may lag. */
const adminsKey = (org: string): RecordKey => ({ pk: org, sk: "admins" });

/** Maximum length of an email address (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const EMAIL_LENGTH = 254;

/** The canonical form of an address: trimmed, in Unicode's composed form, lower-cased. */
export function normalizeEmail(email: string): string {
  return normalized(email.trim(), "NFC").toLowerCase();
}

/** The current status (at epoch milliseconds): an expired suspension has ended. */
export function statusAt({ status, suspended_until = NO_END }: User, now: number): UserStatus {
  return status === "suspended" && Date.parse(suspended_until) <= now ? "active" : status;
}

/** Whether a token of this epoch and session is still valid for the user. `now` in epoch milliseconds. */
export function isAdmitted(user: User, token: { epoch: number; session: string }, now: number): boolean {
  return (
    statusAt(user, now) === "active" &&
    user.credential_epoch === token.epoch &&
    !user.ended_sessions.some(({ id }) => id === token.session)
  );
}

/** The user's current permissions; none while the password is temporary. */
export function heldPermissions({ permissions, must_change_password }: User): readonly Permission[] {
  return must_change_password ? [] : permissions;
}

/** The keys that only one undeleted user may hold: those of its address and of its identities. */
function claimsOf({ email, org, status, email_verified, address_claim, identities }: User): RecordKey[] {
  if (status === "deleted") return [];
  const holder = email_verified || address_claim === undefined ? [holderKey(email)] : [];
  const claimed = address_claim === undefined ? [] : [claimKey(email, org, address_claim)];
  return [...holder, ...claimed, ...identities.map(identityKey)];
}

function isCountedAdmin({ status, permissions }: User): boolean {
  return status === "active" && permissions.includes("admin:all");
}

function claim(key: RecordKey, { org, id }: User, { replaces }: AddressTransfer): Write {
  const isReplaced = key.sk === "email" && replaces !== undefined;
  return {
    put: toItem(key, "user_claim", { org, user_id: id }),
    condition: isReplaced ? { user_id: replaces } : "absent",
  };
}

/** The check that no other user of the organization has the other kind of claim to the address. */
function refuseNamesake({ email, org, address_claim }: User): Write[] {
  if (address_claim === undefined) return [];
  return [{ check: claimKey(email, org, address_claim === "claim" ? "surplus" : "claim"), condition: "absent" }];
}

function countAdmins(before: User | undefined, after: User): Write[] {
  const change = Number(isCountedAdmin(after)) - Number(before !== undefined && isCountedAdmin(before));
  if (change === 0) return [];
  const update = { update: adminsKey(after.org), set: { kind: "admins" }, add: { admins: change } };
  return [change > 0 ? update : { ...update, condition: { admins: { greaterThan: 1 } } }];
}

/**
 * The writes that store a new user; refused if a user of the organization has the address, or if the verified address
 * or an identity belongs to another user. A verified address needs `transfer`. Store them with `writeUser`.
 */
export function putUser(user: User, transfer = NO_TRANSFER): Write[] {
  const listing = { gsi1pk: usersOf(user.org), gsi1sk: `${user.created_at}#${user.id}` };
  return [
    { put: toItem(userKey(user.org, user.id), "user", user, listing), condition: "absent" },
    ...claimsOf(user).map((key) => claim(key, user, transfer)),
    ...refuseNamesake(user),
    ...countAdmins(undefined, user),
    ...transfer.writes,
  ];
}

export const USERS: OwnedKind = {
  name: "users",
  listing: (org) => ({ index: "gsi1", pk: usersOf(org), where: { status: { not: "deleted" } } }),
};

function hasTwoFactors({ two_factor }: User): boolean {
  return two_factor?.enabled === true;
}

function isNewEpoch(before: User, after: User): boolean {
  return (
    after.status !== before.status ||
    after.password_hash !== before.password_hash ||
    hasTwoFactors(after) !== hasTwoFactors(before)
  );
}

/** The changed user and its writes for `writeUser`; the first is refused if the user changed since it was read. */
export function changeUser(user: User, change: UserChange, now: string, transfer = NO_TRANSFER) {
  const { version, credential_epoch: epoch } = user;
  const merged = { ...user, ...change };
  const credential_epoch = isNewEpoch(user, merged)
    ? Math.max(merged.credential_epoch, epoch + 1)
    : merged.credential_epoch;
  const changes = { ...change, credential_epoch, updated_at: now, version: version + 1 };
  const changed: User = { ...user, ...changes };
  const [oldClaims, newClaims] = [claimsOf(user), claimsOf(changed)];
  const without = (keys: RecordKey[], others: RecordKey[]) => {
    const excluded = new Set(others.map(identityOf));
    return keys.filter((key) => !excluded.has(identityOf(key)));
  };
  const writes: Write[] = [
    { update: userKey(user.org, user.id), ...setOrRemove(changes), condition: { version } },
    ...without(oldClaims, newClaims).map((key) => ({ delete: key })),
    ...without(newClaims, oldClaims).map((key) => claim(key, changed, transfer)),
    ...countAdmins(user, changed),
    ...transfer.writes,
  ];
  return { user: changed, writes };
}

/**
 * Stores the writes of `putUser` or `changeUser`. Throws EMAIL_EXISTS, CONFLICT (the identity belongs to another user)
 * or FORBIDDEN (the organization would lose its last admin); ConditionFailedError for any other refusal.
 */
export async function writeUser(records: RecordStore, ...writes: Write[]): Promise<void> {
  await writeOrThrow({ ports: { records } }, writes, (conflict) => refusalOfUser(writes, conflict));
}

/** Returns the error for a refused write of a user, or the conflict itself if none is known. */
export function refusalOfUser(writes: Write[], conflict: ConditionFailedError): Error {
  const refused = writes[conflict.index];
  return (refused && refusalOf(refused)) ?? conflict;
}

function refusalOf(write: Write): ServiceError | undefined {
  const { sk } = keyOf(write);
  if (/^(email$|claim#|surplus#)/.test(sk)) return emailExists();
  if (sk === "identity") {
    return new ServiceError("CONFLICT", "This provider account is already linked to another user.");
  }
  if (sk !== "admins") return undefined;
  return new ServiceError("FORBIDDEN", "An organization needs at least one active admin. Create another admin first.");
}

export function emailExists(): ServiceError {
  return new ServiceError(
    "EMAIL_EXISTS",
    "A user with this email address already exists. Sign in, or use another address.",
    { field: "email" },
  );
}

export function contended(): ServiceError {
  return unavailable("The user is being changed by other requests. Try again shortly.", 1);
}

/**
 * Stores the result of the pure function `revise` on the current user, if there is one; retried after a concurrent
 * change. `extraWrites` join the transaction; `transfer` reads what a change that verifies the address needs. Throws
 * USER_NOT_FOUND, SERVICE_UNAVAILABLE (too many concurrent changes), and what `revise` and `writeUser` throw.
 */
export async function reviseUser(
  { ports, clock, authenticator }: Pick<Runtime, "ports" | "clock" | "authenticator">,
  { org, id }: Pick<User, "org" | "id">,
  revise: (user: User) => UserChange | undefined,
  extraWrites: Write[] = [],
  transfer: (user: User) => Promise<AddressTransfer> = async () => NO_TRANSFER,
): Promise<User> {
  let writes: Write[] = [];
  const write = async () => {
    const user = existing(await findUser(ports.records, org, id), "user", id);
    const change = revise(user);
    if (!change) return user;
    const addressTransfer = await transfer(user);
    const changed = changeUser(user, change, timestamp(clock()), addressTransfer);
    writes = changed.writes;
    await writeUser(ports.records, ...writes, ...extraWrites);
    for (const changedId of [id, ...addressTransfer.ended]) authenticator.forget(changedId);
    return changed.user;
  };
  return retryOnConflict(write, { isTransient: ({ index }) => isOfUser(writes[index]), exhausted: contended });
}

/** Whether a write changes a user: this one, or one whose claim ends. */
function isOfUser(write: Write | undefined): boolean {
  return write !== undefined && keyOf(write).sk === "user";
}

/** The audit record of what a user does without a credential, such as a registration. */
export function auditOwn(runtime: Runtime, { org, id }: Pick<User, "org" | "id">, entry: AuditEntry): Write {
  return audit({ ...runtime, org }, { actor: { kind: "user", id }, target: id, ...entry });
}

/** The write that counts a sign-in: it does not change the user, but is refused if their credentials changed. */
export function countLogin({ org, id, credential_epoch }: User, now: string): Write {
  return {
    update: userKey(org, id),
    add: { login_count: 1 },
    set: { last_login: now },
    condition: { credential_epoch },
  };
}

/** Users by organization and id, in any order; missing ones are left out. */
export async function findUsers(records: RecordStore, users: { org: string; id: string }[]): Promise<User[]> {
  const found = await records.getMany(users.map(({ org, id }) => userKey(org, id)));
  return found.map(fromItem<User>);
}

export const findUser = finderOf<User>(userKey);

/** The user, in any organization, that a provider account is linked to; never a deleted one. */
export async function findUserByIdentity(records: RecordStore, identity: ExternalIdentity): Promise<User | undefined> {
  const held = await records.get(identityKey(identity));
  return held && findUser(records, String(held.org), String(held.user_id));
}

export interface UserFilter {
  /** The current status; without it, all but deleted users. */
  status?: UserStatus;
  role?: Role;
  /** ISO 8601, inclusive. */
  created_after?: string;
  created_before?: string;
  /** ISO 8601; decides which suspensions have ended. */
  now: string;
}

function statusTests({ status, now }: UserFilter): AttributeTests {
  if (status === undefined) return { status: { not: "deleted" } };
  if (status === "suspended") return { status, suspended_until: { greaterThan: now } };
  if (status !== "active") return { status };
  return { status: { oneOf: ["active", "suspended"] }, suspended_until: { atMost: now, orAbsent: true } };
}

/** One page of an organization's users, newest first, with the total. */
export function listUsers(records: RecordStore, org: string, filter: UserFilter, page: PageRequest) {
  const { role, created_after, created_before } = filter;
  const where = filterBy(statusTests(filter), { role });
  const isDated = created_after !== undefined || created_before !== undefined;
  const sk = isDated ? { atLeast: created_after, atMost: created_before && created_before + AFTER_ANY_ID } : undefined;
  const listing = { index: "gsi1" as const, pk: usersOf(org), sk, where, descending: true };
  return listObjects<User>(records, listing, page);
}
