import { timestamp } from "../../kernel/clock.ts";
import { ServiceError } from "../../kernel/errors.ts";
import type { Write } from "../../ports/record-store.ts";
import { ROLE_PERMISSIONS } from "../../runtime/access/permissions.ts";
import type { Runtime } from "../../runtime/context.ts";
import { registrationPlanOf } from "./config.ts";
import { type Organization, putOrganization } from "./records.ts";
import { type AddressTransfer, INITIAL_PREFERENCES, normalizeEmail, putUser, type User } from "./users.ts";

type RegistrationRuntime = Pick<Runtime, "ids" | "clock" | "config">;

/** The required fields of a new user; the others have initial values. */
export type NewUser = Pick<User, "org" | "email" | "name" | "role"> & Partial<User>;

/** A user to be stored with `putUser`. By default, `created_by` is the user itself. */
export function newUser({ ids, clock }: Pick<RegistrationRuntime, "ids" | "clock">, fields: NewUser): User {
  const [id, now] = [ids("user"), timestamp(clock())];
  return {
    id,
    permissions: [...ROLE_PERMISSIONS[fields.role]],
    status: "active",
    metadata: {},
    preferences: INITIAL_PREFERENCES,
    email_verified: false,
    address_claim: "claim",
    identities: [],
    credential_epoch: 1,
    ended_sessions: [],
    login_count: 0,
    last_login: null,
    created_at: now,
    created_by: id,
    updated_at: now,
    version: 1,
    ...fields,
    email: normalizeEmail(fields.email),
  };
}

/** Throws FORBIDDEN if ALLOW_REGISTRATION is off. */
export function requireOpenRegistration({ ALLOW_REGISTRATION }: Runtime["config"]): void {
  if (ALLOW_REGISTRATION) return;
  throw new ServiceError("FORBIDDEN", "Registration is closed. Ask an admin for an invitation.");
}

/**
 * A self-registered user: a new organization, labelled `organization` or the user's name, with the user as admin.
 * A verified address needs `transfer`. Store it with `writeUser`. Throws FORBIDDEN if ALLOW_REGISTRATION is off.
 */
export function register(
  runtime: RegistrationRuntime,
  fields: Omit<NewUser, "org" | "role">,
  transfer?: AddressTransfer,
): { user: User; organization: Organization; writes: Write[] } {
  requireOpenRegistration(runtime.config);
  const organization: Organization = {
    id: runtime.ids("organization"),
    label: fields.organization ?? fields.name,
    plan: registrationPlanOf(runtime.config),
    operator: false,
    created_at: timestamp(runtime.clock()),
  };
  const user = newUser(runtime, { ...fields, org: organization.id, role: "admin" });
  return { user, organization, writes: [putOrganization(organization), ...putUser(user, transfer)] };
}
