import { randomBytes } from "node:crypto";
import { timestamp } from "../../kernel/clock.ts";
import { keyOf } from "../../ports/preconditions.ts";
import type { RecordStore, Write } from "../../ports/record-store.ts";
import { OPERATOR_ORG } from "../../runtime/access/operator.ts";
import type { Runtime } from "../../runtime/context.ts";
import { hashPassword } from "./password-hash.ts";
import {
  type AddressTransfer,
  changeUser,
  claimKey,
  claimsAt,
  emailExists,
  findUsers,
  holderKey,
  normalizeEmail,
  type User,
} from "./users.ts";

/** Accounts with one email address that may sign in before one of them is verified. */
export const MAX_CLAIMS = 5;
/** Claims per read; concurrent claims may exceed MAX_CLAIMS by a few. */
const MAX_READ = 2 * MAX_CLAIMS;

/** Length of the random password of an account whose password must not work. */
const UNUSABLE_BYTES = 32;

/** The users of an email address in all organizations. */
export interface Address {
  /** The accounts that may sign in with it: the one that verified it, otherwise those that claim it, oldest first. */
  accounts: User[];
  isVerified: boolean;
  /** The user that the address's holder record names. */
  held: { org: string; id: string } | undefined;
}

/** Reads the users of an address with a constant number of reads, so that timing reveals nothing. */
export async function readAddress(records: RecordStore, address: string): Promise<Address> {
  const email = normalizeEmail(address);
  const [held, { items }] = await Promise.all([
    records.get(holderKey(email)),
    records.query({ pk: claimsAt(email), sk: { beginsWith: "claim#" }, limit: MAX_READ }),
  ]);
  const references = new Map(
    [...(held ? [held] : []), ...items].map(({ org, user_id }) => [
      String(user_id),
      { org: String(org), id: String(user_id) },
    ]),
  );
  const users = await findUsers(
    records,
    references.size > 0 ? [...references.values()] : [{ org: OPERATOR_ORG, id: email }],
  );
  const claimants = users.filter((user) => user.status !== "deleted" && user.email === email);
  const holder = claimants.find(({ email_verified }) => email_verified);
  const oldest = claimants
    .toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1))
    .slice(0, MAX_CLAIMS);
  return {
    accounts: holder ? [holder] : oldest,
    isVerified: holder !== undefined,
    held: held && { org: String(held.org), id: String(held.user_id) },
  };
}

/** Whether a user of the organization has the address, verified or not. */
export async function isTakenWithin(records: RecordStore, org: string, email: string): Promise<boolean> {
  const keys = [holderKey(email), claimKey(email, org, "claim"), claimKey(email, org, "surplus")];
  return (await records.getMany(keys)).some((held) => held.org === org);
}

/**
 * The credentials that a new account at an address is stored with. If another user has verified the address, the
 * password cannot be used to sign in. Throws EMAIL_EXISTS if the holder is in the same organization. Accounts of one
 * address share a salt, so that one hash compares a password with all of them.
 */
export async function credentialsAt(
  records: RecordStore,
  { email, org }: { email: string; org?: string },
  password: string,
): Promise<Pick<User, "password_hash" | "address_claim">> {
  const { accounts, isVerified, held } = await readAddress(records, email);
  // A record of a former version has no claim that a write could conflict with.
  if (held !== undefined && held.org === org) throw emailExists();
  const usable = isVerified ? randomBytes(UNUSABLE_BYTES).toString("base64url") : password;
  const sameSalt = isVerified ? undefined : accounts.find(({ password_hash }) => password_hash)?.password_hash;
  return {
    password_hash: await hashPassword(usable, sameSalt),
    address_claim: accounts.length < MAX_CLAIMS ? "claim" : "surplus",
  };
}

/**
 * Makes a user the verified holder of an address: claims of others end and those users become inactive. Throws
 * EMAIL_EXISTS if another user verified it or a user of the same organization claims it.
 */
export async function takeAddress(
  { ports, clock }: Pick<Runtime, "ports" | "clock">,
  { email, org, id }: { email: string; org?: string; id?: string },
): Promise<AddressTransfer> {
  const { accounts, isVerified, held } = await readAddress(ports.records, email);
  const others = accounts.filter((account) => account.id !== id);
  if (others.some((other) => isVerified || other.org === org)) throw emailExists();
  const now = timestamp(clock());
  return {
    replaces: held?.id,
    writes: others.flatMap((other) => endClaim(other, now)),
    ended: others.map((other) => other.id),
  };
}

/**
 * The writes that end a user's claim. An organization may lose its last admin this way, because this admin never
 * verified the address.
 */
function endClaim(user: User, now: string): Write[] {
  const { status, address_claim = "claim" } = user;
  const { writes } = changeUser(user, { status: status === "active" ? "inactive" : status, address_claim }, now);
  return writes
    .filter((write) => keyOf(write).sk !== "email")
    .map((write) => ("update" in write && keyOf(write).sk === "admins" ? { ...write, condition: undefined } : write));
}
