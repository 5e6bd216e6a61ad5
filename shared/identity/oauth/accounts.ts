import { audit } from "../../audit/audit.ts";
import { ServiceError } from "../../kernel/errors.ts";
import type { Home } from "../../platform/context.ts";
import { register } from "../registration.ts";
import {
  EMAIL_LENGTH,
  type ExternalIdentity,
  findUserByEmail,
  findUserByIdentity,
  normalizeEmail,
  reviseUser,
  statusAt,
  type User,
  writeUser,
} from "../users.ts";
import type { ProviderAccount } from "./provider.ts";

/** A first sign-in that meets another one of the same person finds, the second time, what that one made. */
const MAX_ATTEMPTS = 2;

const MAX_NAME_LENGTH = 200;

function isOvertaken(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === "EMAIL_EXISTS" || error.code === "CONFLICT");
}

/**
 * The user behind an account at a provider: whom it was linked to, else whose e-mail address it has, else a new one with
 * an organization of their own. Says nothing of whether the user may sign in. Throws FORBIDDEN (no verified address, or
 * registration is closed) and EMAIL_EXISTS (`refuseToLink`).
 */
export async function findOrMakeUser(home: Home, account: ProviderAccount): Promise<User> {
  const { provider, subject } = account;
  for (let attempt = 1; ; attempt++) {
    const linked = await findUserByIdentity(home.ports.records, { provider, subject });
    if (linked) return linked;
    const address = verifiedAddress(account);
    const namesake = await findUserByEmail(home.ports.records, address);
    try {
      return await (namesake ? link(home, namesake, { provider, subject }) : makeUser(home, account, address));
    } catch (error) {
      if (!isOvertaken(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function verifiedAddress({ provider, email }: ProviderAccount): string {
  if (email?.isVerified && email.address.length <= EMAIL_LENGTH) return normalizeEmail(email.address);
  throw new ServiceError("FORBIDDEN", `Have ${provider} verify your e-mail address first, then sign in again.`, {
    provider,
    reason: "email_not_verified",
  });
}

/**
 * Whoever registered with an address that was never verified need not be its owner: linking would let both in, one of
 * them by a password, keys or colleagues set up beforehand. A user who is linked to another account of the provider may
 * have had the address before its present owner.
 */
function refuseToLink({ email_verified, identities }: User, { provider, subject }: ExternalIdentity): void {
  const isAnothers = identities.some((each) => each.provider === provider && each.subject !== subject);
  if (email_verified && !isAnothers) return;
  const problem = isAnothers
    ? `A user with your e-mail address signs in by another account at ${provider}. Use that one, or another way.`
    : `A user has your e-mail address, but never verified it. If it is you, sign in by password and verify it; else tell an admin.`;
  throw new ServiceError("EMAIL_EXISTS", problem, { provider });
}

async function link(home: Home, user: User, identity: ExternalIdentity): Promise<User> {
  refuseToLink(user, identity);
  // Who may not sign in is told so; nothing is linked meanwhile.
  if (statusAt(user, home.clock()) !== "active") return user;
  const scope = { ...home, org: user.org };
  const actor = { kind: "user" as const, id: user.id };
  const details = { provider: identity.provider };
  return reviseUser(
    home,
    user,
    (current) => {
      refuseToLink(current, identity);
      const isLinked = current.identities.some(({ subject }) => subject === identity.subject);
      return isLinked ? undefined : { identities: [...current.identities, identity] };
    },
    [audit(scope, { action: "auth.provider_linked", actor, target: user.id, details })],
  );
}

async function makeUser(home: Home, { provider, subject, name }: ProviderAccount, email: string): Promise<User> {
  const { user, writes } = register(home, {
    email,
    name: name?.trim().slice(0, MAX_NAME_LENGTH).toWellFormed() || email.replace(/@.*/s, ""),
    email_verified: true,
    identities: [{ provider, subject }],
  });
  const scope = { ...home, org: user.org };
  const actor = { kind: "user" as const, id: user.id };
  const entry = { action: "user.registered", actor, target: user.id, details: { provider } } as const;
  await writeUser(home.ports.records, ...writes, audit(scope, entry));
  return user;
}
