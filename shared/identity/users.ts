import { timestamp } from "../kernel/clock.ts";
import { notFound, ServiceError } from "../kernel/errors.ts";
import { normalized } from "../kernel/normalized.ts";
import type { PageRequest } from "../kernel/pagination.ts";
import type { Home } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { AFTER_ANY_ID, filterBy, readPage } from "../platform/listing.ts";
import type { AttributeTests, Json, JsonObject, RecordKey, RecordStore, Write } from "../platform/ports.ts";
import { identityOf, keyOf } from "../platform/preconditions.ts";
import type { Permission, Role } from "./permissions.ts";

export const USER_STATES = ["active", "inactive", "suspended", "deleted"] as const;

export type UserStatus = (typeof USER_STATES)[number];

export interface Preferences {
  theme: string;
  language: string;
  timezone: string;
}

export const INITIAL_PREFERENCES: Preferences = { theme: "system", language: "en", timezone: "UTC" };

/** Why something was done to a user, by which principal, and when (ISO). */
export interface AdminAction {
  reason: string;
  by: string;
  at: string;
}

/** A person at a social provider: `subject` is the provider's own id of them, which never changes, unlike an e-mail. */
export interface ExternalIdentity {
  provider: string;
  subject: string;
}

/** The second factor. Until `enabled` is true the secret is only offered, and sign-in does not ask for a code. */
export interface TwoFactor {
  enabled: boolean;
  /** The shared secret of RFC 6238, sealed (see sealing.ts). */
  secret: string;
  /** SHA-256 of each recovery code that is not used up. */
  recovery_codes: string[];
  /** Time step of the last code that was accepted; that one and earlier ones are refused. */
  last_step: number;
}

/** A session that was signed out of while others went on. */
export interface EndedSession {
  id: string;
  /** ISO; when the last of its access tokens expires, and this may be forgotten. */
  until: string;
}

/**
 * A person of one organization. What is counted of failed sign-ins is kept by e-mail address, known or not, and is read
 * by `readAttempts` of sign-in-attempts.ts.
 */
export interface User {
  id: string;
  org: string;
  /** As `normalizeEmail` leaves it; one user of the whole deployment has it, unless deleted. */
  email: string;
  name: string;
  role: Role;
  /** What the user holds: the role's permissions unless others were given; a change of role alone resets them. */
  permissions: Permission[];
  /** Stored state; `statusAt` tells the one that holds, as a suspension may have ended. */
  status: UserStatus;
  /** ISO; present while `status` is suspended, NO_END for a suspension without an end. */
  suspended_until?: string;
  /** Of the last suspension, which may be over. */
  suspension?: AdminAction;
  /** Of a deleted user; `hand_over` is the job that ends or hands on what was theirs. */
  deletion?: AdminAction & { transferred_to?: string; hand_over: string };
  /** A label that people see; it decides nothing. */
  organization?: string;
  department?: string;
  metadata: JsonObject;
  preferences: Preferences;
  /** Argon2id in PHC form; absent for who signs in through a provider only. */
  password_hash?: string;
  password_changed_at?: string;
  /** The password is a temporary one: until it is changed the user holds no permission. */
  must_change_password?: boolean;
  /** ISO; from then on the temporary password no longer signs in. */
  temp_password_expires_at?: string;
  email_verified: boolean;
  /** ISO; keys made before it are refused: whoever made them had not shown that the address is theirs. */
  keys_since?: string;
  /** Absent until set up. */
  two_factor?: TwoFactor;
  identities: ExternalIdentity[];
  /**
   * Access and refresh tokens carry the epoch they were issued in; those of another one are refused. `changeUser` moves
   * it when the password, the second factor or the status changes.
   */
  credential_epoch: number;
  /** Sessions whose access tokens are refused although the epoch is theirs. */
  ended_sessions: EndedSession[];
  login_count: number;
  last_login: string | null;
  created_at: string;
  /** Principal that made the user: a user, an API key, or the user itself after registration. */
  created_by: string;
  updated_at: string;
  /** 1.., raised by every change but the counting of sign-ins. */
  version: number;
}

/** Fields to change; one that is named with undefined is removed. A raised `credential_epoch` ends every session. */
export type UserChange = Partial<Omit<User, "id" | "org" | "created_at" | "version">>;

/** End of a suspension that has none; sorts after every other moment. Shown as no end at all. */
export const NO_END = "9999-12-31T23:59:59.999Z";

/** How often a change is repeated that met another one; each repetition starts from what the other stored. */
const MAX_ATTEMPTS = 8;

const userKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "user" });
const usersOf = (org: string): string => `${org}#users`;
/** Asked for before the organization is known, so these keys are the deployment's. */
const emailKey = (email: string): RecordKey => ({ pk: `email#${email}`, sk: "email" });
const identityKey = ({ provider, subject }: ExternalIdentity): RecordKey => ({
  pk: `identity#${provider}#${subject}`,
  sk: "identity",
});
/** How many admins an organization has; kept exactly, since lists may lag. */
const adminsKey = (org: string): RecordKey => ({ pk: org, sk: "admins" });

/** Longest address that mail takes (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const EMAIL_LENGTH = 254;

/** The one form of an address: without white space around it, in Unicode's composed form, lower-cased. */
export function normalizeEmail(email: string): string {
  return normalized(email.trim(), "NFC").toLowerCase();
}

/** The status that holds now (epoch milliseconds): a suspension that has ended is over without anyone's doing. */
export function statusAt({ status, suspended_until = NO_END }: User, now: number): UserStatus {
  return status === "suspended" && Date.parse(suspended_until) <= now ? "active" : status;
}

/** Whether a token issued in this epoch and session still speaks for the user. `now` in epoch milliseconds. */
export function isAdmitted(user: User, token: { epoch: number; session: string }, now: number): boolean {
  return (
    statusAt(user, now) === "active" &&
    user.credential_epoch === token.epoch &&
    !user.ended_sessions.some(({ id }) => id === token.session)
  );
}

/** What the user may do now: nothing but change the password while that is a temporary one. */
export function heldPermissions({ permissions, must_change_password }: User): readonly Permission[] {
  return must_change_password ? [] : permissions;
}

/** What this user alone may have: the address and the identities. A deleted user lets go of them. */
function claimsOf(user: User): RecordKey[] {
  return user.status === "deleted" ? [] : [emailKey(user.email), ...user.identities.map(identityKey)];
}

function isCountedAdmin({ status, permissions }: User): boolean {
  return status === "active" && permissions.includes("admin:all");
}

function claim(key: RecordKey, { org, id }: User): Write {
  return { put: toItem(key, "user_claim", { org, user_id: id }), condition: "absent" };
}

function countAdmins(before: User | undefined, after: User): Write[] {
  const change = Number(isCountedAdmin(after)) - Number(before !== undefined && isCountedAdmin(before));
  if (change === 0) return [];
  const update = { update: adminsKey(after.org), set: { kind: "admins" }, add: { admins: change } };
  return [change > 0 ? update : { ...update, condition: { admins: { greaterThan: 1 } } }];
}

/** The writes that store a new user; refused where the address or an identity is another's. Write them by `writeUser`. */
export function putUser(user: User): Write[] {
  const listing = { gsi1pk: usersOf(user.org), gsi1sk: `${user.created_at}#${user.id}` };
  return [
    { put: toItem(userKey(user.org, user.id), "user", user, listing), condition: "absent" },
    ...claimsOf(user).map((key) => claim(key, user)),
    ...countAdmins(undefined, user),
  ];
}

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

/**
 * The writes that change a user who must not have changed since `user` was read, and the user as it will be. The first
 * write is the one that a change in between fails. Write them by `writeUser`.
 */
export function changeUser(user: User, change: UserChange, now: string): { user: User; writes: Write[] } {
  const { version, credential_epoch } = user;
  const changed: User = { ...user, ...change, updated_at: now, version: version + 1 };
  if (isNewEpoch(user, changed)) changed.credential_epoch = Math.max(changed.credential_epoch, credential_epoch + 1);
  const names = [...Object.keys(change), "updated_at", "version", "credential_epoch"] as (keyof User)[];
  const set = Object.fromEntries(
    names.filter((name) => changed[name] !== undefined).map((name) => [name, changed[name]]),
  );
  const remove = names.filter((name) => changed[name] === undefined);
  const [had, has] = [claimsOf(user), claimsOf(changed)];
  const without = (keys: RecordKey[], others: RecordKey[]) => {
    const known = new Set(others.map(identityOf));
    return keys.filter((key) => !known.has(identityOf(key)));
  };
  const writes: Write[] = [
    { update: userKey(user.org, user.id), set: set as { [attribute: string]: Json }, remove, condition: { version } },
    ...without(had, has).map((key) => ({ delete: key })),
    ...without(has, had).map((key) => claim(key, changed)),
    ...countAdmins(user, changed),
  ];
  return { user: changed, writes };
}

/**
 * Writes what `putUser` or `changeUser` made, and what belongs to it. Throws EMAIL_EXISTS, CONFLICT (the identity is
 * another user's) or FORBIDDEN (it would take the organization's last admin away); ConditionFailed for any other refusal.
 */
export async function writeUser(records: RecordStore, ...writes: Write[]): Promise<void> {
  try {
    await records.write(...writes);
  } catch (error) {
    const refused = error instanceof ConditionFailed ? writes[error.index] : undefined;
    throw (refused && refusalOf(refused)) ?? error;
  }
}

function refusalOf(write: Write): ServiceError | undefined {
  switch (keyOf(write).sk) {
    case "email":
      return new ServiceError("EMAIL_EXISTS", "A user has this e-mail address already. Sign in, or use another one.", {
        field: "email",
      });
    case "identity":
      return new ServiceError("CONFLICT", "This account at the provider belongs to another user already.");
    case "admins":
      return new ServiceError("FORBIDDEN", "An organization keeps at least one active admin. Make another one first.");
    default:
      return undefined;
  }
}

function contended(): ServiceError {
  return new ServiceError("SERVICE_UNAVAILABLE", "This user is changed too often just now. Try again in a moment.", {
    retry_after: 1,
  });
}

/**
 * Reads a user, changes what `revise` says, and begins again where another change came in between, so `revise` must be
 * pure; what it throws is passed on, undefined changes nothing. `besides` are written in the same transaction. Answers
 * the user as it is then. Throws USER_NOT_FOUND, SERVICE_UNAVAILABLE (too many changes at once) and what `writeUser` throws.
 */
export async function reviseUser(
  { ports, clock, authenticator }: Pick<Home, "ports" | "clock" | "authenticator">,
  { org, id }: Pick<User, "org" | "id">,
  revise: (user: User) => UserChange | undefined,
  besides: Write[] = [],
): Promise<User> {
  for (let attempt = 1; ; attempt++) {
    const user = await findUser(ports.records, org, id);
    if (!user) throw notFound("user", id);
    const change = revise(user);
    if (!change) return user;
    const { user: changed, writes } = changeUser(user, change, timestamp(clock()));
    try {
      await writeUser(ports.records, ...writes, ...besides);
      authenticator.forget(id);
      return changed;
    } catch (error) {
      const isOvertaken = error instanceof ConditionFailed && error.index === 0;
      if (!isOvertaken) throw error;
      if (attempt === MAX_ATTEMPTS) throw contended();
    }
  }
}

/** The write that counts a sign-in: no change of the user, but refused once what they signed in with has changed. */
export function countLogin({ org, id, credential_epoch }: User, now: string): Write {
  return {
    update: userKey(org, id),
    add: { login_count: 1 },
    set: { last_login: now },
    condition: { credential_epoch },
  };
}

export async function findUser(records: RecordStore, org: string, id: string): Promise<User | undefined> {
  const record = await records.get(userKey(org, id));
  return record && fromItem<User>(record);
}

async function findClaimant(records: RecordStore, key: RecordKey): Promise<User | undefined> {
  const held = await records.get(key);
  return held && findUser(records, String(held.org), String(held.user_id));
}

/** The user, of whichever organization, who has the address; never a deleted one. */
export function findUserByEmail(records: RecordStore, email: string): Promise<User | undefined> {
  return findClaimant(records, emailKey(normalizeEmail(email)));
}

/** The user, of whichever organization, that an account at a provider was linked to; never a deleted one. */
export function findUserByIdentity(records: RecordStore, identity: ExternalIdentity): Promise<User | undefined> {
  return findClaimant(records, identityKey(identity));
}

export interface UserFilter {
  /** The status that holds now; without it all but the deleted. */
  status?: UserStatus;
  role?: Role;
  /** ISO, inclusive. */
  created_after?: string;
  created_before?: string;
  /** ISO; decides which suspensions have ended. */
  now: string;
}

function statusTests({ status, now }: UserFilter): AttributeTests {
  switch (status) {
    case undefined:
      return { status: { not: "deleted" } };
    case "active":
      return { status: { oneOf: ["active", "suspended"] }, suspended_until: { atMost: now, orAbsent: true } };
    case "suspended":
      return { status, suspended_until: { greaterThan: now } };
    default:
      return { status };
  }
}

/** One page of an organization's users, newest first, and how many match in all. */
export async function listUsers(
  records: RecordStore,
  org: string,
  filter: UserFilter,
  page: PageRequest,
): Promise<{ users: User[]; total: number; hasNext: boolean }> {
  const { role, created_after, created_before } = filter;
  const where = filterBy(statusTests(filter), role && { role });
  const isDated = created_after !== undefined || created_before !== undefined;
  const sk = isDated ? { atLeast: created_after, atMost: created_before && created_before + AFTER_ANY_ID } : undefined;
  const listing = { index: "gsi1" as const, pk: usersOf(org), sk, where, descending: true };
  const { items, total, hasNext } = await readPage(records, listing, page);
  return { users: items.map(fromItem<User>), total, hasNext };
}
