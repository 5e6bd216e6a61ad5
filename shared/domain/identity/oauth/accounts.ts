import { ServiceError } from "../../../kernel/errors.ts";
import { ConditionFailedError } from "../../../ports/errors.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { readAddress, takeAddress } from "../addresses.ts";
import { register } from "../registration.ts";
import {
  auditOwn,
  EMAIL_LENGTH,
  type ExternalIdentity,
  findUserByIdentity,
  normalizeEmail,
  reviseUser,
  statusAt,
  type User,
  writeUser,
} from "../users.ts";
import type { ProviderAccount } from "./provider.ts";

const MAX_NAME_LENGTH = 200;

function isConflict(error: unknown): boolean {
  if (error instanceof ConditionFailedError) return true;
  return error instanceof ServiceError && (error.code === "EMAIL_EXISTS" || error.code === "CONFLICT");
}

/**
 * The user of a provider account: the linked one, otherwise the one who verified its email address, otherwise a new one
 * in a new organization. An unverified claim to the address is not linked, because its owner could then sign in too.
 * Throws FORBIDDEN (no verified address, or registration is closed) and EMAIL_EXISTS. Does not check the user's status.
 */
export async function findOrMakeUser(runtime: Runtime, account: ProviderAccount): Promise<User> {
  try {
    return await findOrMake(runtime, account);
  } catch (error) {
    // If two first sign-ins of a person collide, the second attempt finds the user that the other one created.
    if (isConflict(error)) return findOrMake(runtime, account);
    throw error;
  }
}

async function findOrMake(runtime: Runtime, account: ProviderAccount): Promise<User> {
  const { provider, subject } = account;
  const linked = await findUserByIdentity(runtime.ports.records, { provider, subject });
  if (linked) return linked;
  const address = verifiedAddress(account);
  const { accounts, isVerified } = await readAddress(runtime.ports.records, address);
  const [holder] = isVerified ? accounts : [];
  return holder ? link(runtime, holder, { provider, subject }) : makeUser(runtime, account, address);
}

function verifiedAddress({ provider, email }: ProviderAccount): string {
  if (email?.isVerified && email.address.length <= EMAIL_LENGTH) return normalizeEmail(email.address);
  throw new ServiceError("FORBIDDEN", `Verify your email address at ${provider} first, then sign in again.`, {
    provider,
    reason: "email_not_verified",
  });
}

/** A user who is linked to another account of the provider may have owned the address before its present owner. */
function refuseToLink({ identities }: User, { provider, subject }: ExternalIdentity): void {
  if (!identities.some((linked) => linked.provider === provider && linked.subject !== subject)) return;
  const problem = `A user with your email address signs in with another account at ${provider}. Use that account or another sign-in method.`;
  throw new ServiceError("EMAIL_EXISTS", problem, { provider });
}

async function link(runtime: Runtime, user: User, identity: ExternalIdentity): Promise<User> {
  refuseToLink(user, identity);
  // An inactive user gets an error and nothing is linked.
  if (statusAt(user, runtime.clock()) !== "active") return user;
  const entry = { action: "auth.provider_linked", details: { provider: identity.provider } } as const;
  const revise = (current: User) => {
    refuseToLink(current, identity);
    const isLinked = current.identities.some(({ subject }) => subject === identity.subject);
    return isLinked ? undefined : { identities: [...current.identities, identity] };
  };
  return reviseUser(runtime, user, revise, [auditOwn(runtime, user, entry)]);
}

async function makeUser(runtime: Runtime, { provider, subject, name }: ProviderAccount, email: string): Promise<User> {
  const transfer = await takeAddress(runtime, { email });
  const fields = {
    email,
    name: name?.trim().slice(0, MAX_NAME_LENGTH).toWellFormed() || email.replace(/@.*/s, ""),
    email_verified: true,
    identities: [{ provider, subject }],
  };
  const { user, writes } = register(runtime, fields, transfer);
  const entry = { action: "user.registered", details: { provider } } as const;
  await writeUser(runtime.ports.records, ...writes, auditOwn(runtime, user, entry));
  for (const ended of transfer.ended) runtime.authenticator.forget(ended);
  return user;
}
