import type * as z from "zod";
import { audit } from "../../shared/audit/audit.ts";
import { credentialsAt } from "../../shared/identity/addresses.ts";
import { makeToken } from "../../shared/identity/one-time-tokens.ts";
import { requireGoodPassword } from "../../shared/identity/password-rules.ts";
import { register as makeUser, requireOpenRegistration } from "../../shared/identity/registration.ts";
import { limitSignIns, mayMail } from "../../shared/identity/sign-in-limits.ts";
import { writeUser } from "../../shared/identity/users.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import type { Home } from "../../shared/platform/context.ts";
import { mailVerification } from "./mails.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

/**
 * Makes an organization and its first admin, and mails them a link that verifies the address. Answers alike whether
 * somebody has the address: of several who register with it, the one who follows the link keeps it.
 */
export async function register(home: Home, { password, metadata = {}, ...given }: Input<typeof schemas.Register>) {
  requireOpenRegistration(home.config);
  await limitSignIns(home, given.email);
  await requireGoodPassword(password, given.email);
  const credentials = await credentialsAt(home.ports.records, given, password);
  const password_changed_at = timestamp(home.clock());
  const { user, organization, writes } = makeUser(home, { ...given, ...credentials, metadata, password_changed_at });
  const { token, write } = makeToken(home, "email_verification", user);
  const actor = { kind: "user", id: user.id } as const;
  const entry = { action: "user.registered", actor, target: user.id, details: { method: "password" } } as const;
  await writeUser(home.ports.records, ...writes, write, audit({ ...home, org: user.org }, entry));
  if (await mayMail(home, user.email, "email_verification")) await mailVerification(home, user, token);
  const { id, email, name, email_verified, created_at } = user;
  return {
    id,
    user_id: id,
    email,
    name,
    organization: organization.label,
    email_verified,
    verification_required: true,
    created_at,
  };
}
