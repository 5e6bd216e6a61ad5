import { credentialsAt } from "../../shared/domain/identity/addresses.ts";
import { makeToken } from "../../shared/domain/identity/one-time-tokens.ts";
import { requireGoodPassword } from "../../shared/domain/identity/password-rules.ts";
import { register as makeUser, requireOpenRegistration } from "../../shared/domain/identity/registration.ts";
import { limitSignIns, mayMail } from "../../shared/domain/identity/sign-in-limits.ts";
import { auditOwn, writeUser } from "../../shared/domain/identity/users.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { mailVerification } from "./mails.ts";
import type * as schemas from "./schemas.ts";

/**
 * Creates an organization with its first admin and mails a verification link. The response is the same whether or not
 * the address is taken: of several registrations, the one whose link is used keeps the address.
 */
export async function register(
  runtime: Runtime,
  { password, metadata = {}, ...given }: Input<typeof schemas.Register>,
) {
  requireOpenRegistration(runtime.config);
  await limitSignIns(runtime, given.email);
  await requireGoodPassword(password, given.email);
  const credentials = await credentialsAt(runtime.ports.records, given, password);
  const password_changed_at = timestamp(runtime.clock());
  const { user, organization, writes } = makeUser(runtime, { ...given, ...credentials, metadata, password_changed_at });
  const { token, write } = makeToken(runtime, "email_verification", user);
  const entry = auditOwn(runtime, user, { action: "user.registered", details: { method: "password" } });
  await writeUser(runtime.ports.records, ...writes, write, entry);
  if (await mayMail(runtime, user.email, "email_verification")) await mailVerification(runtime, user, token);
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
