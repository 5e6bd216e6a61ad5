import { timestamp } from "../kernel/clock.ts";
import { registrationPlanOf } from "../kernel/config.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Home } from "../platform/context.ts";
import type { Write } from "../platform/ports.ts";
import { ROLE_PERMISSIONS } from "./permissions.ts";
import { type Organization, putOrganization } from "./records.ts";
import { type AddressTransfer, INITIAL_PREFERENCES, normalizeEmail, putUser, type User } from "./users.ts";

type Maker = Pick<Home, "ids" | "clock" | "config">;

/** What must be said of a new user; the rest has a beginning of its own. */
export type NewUser = Pick<User, "org" | "email" | "name" | "role"> & Partial<User>;

/** A user who is yet to be stored, by `putUser`. Made by itself unless told otherwise. */
export function newUser({ ids, clock }: Pick<Maker, "ids" | "clock">, given: NewUser): User {
  const [id, now] = [ids("user"), timestamp(clock())];
  return {
    id,
    permissions: [...ROLE_PERMISSIONS[given.role]],
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
    ...given,
    email: normalizeEmail(given.email),
  };
}

/** Throws FORBIDDEN where ALLOW_REGISTRATION is off. */
export function requireOpenRegistration({ ALLOW_REGISTRATION }: Home["config"]): void {
  if (ALLOW_REGISTRATION) return;
  throw new ServiceError("FORBIDDEN", "Registration is closed here. Ask an admin for an invitation.");
}

/**
 * Somebody who comes by themselves: a new organization, whose label is `organization` or their name, and them as its
 * admin. `transfer` is that of a verified address. Write it by `writeUser`. Throws FORBIDDEN where ALLOW_REGISTRATION is off.
 */
export function register(
  home: Maker,
  given: Omit<NewUser, "org" | "role">,
  transfer?: AddressTransfer,
): { user: User; organization: Organization; writes: Write[] } {
  requireOpenRegistration(home.config);
  const organization: Organization = {
    id: home.ids("organization"),
    label: given.organization ?? given.name,
    plan: registrationPlanOf(home.config),
    operator: false,
    created_at: timestamp(home.clock()),
  };
  const user = newUser(home, { ...given, org: organization.id, role: "admin" });
  return { user, organization, writes: [putOrganization(organization), ...putUser(user, transfer)] };
}
