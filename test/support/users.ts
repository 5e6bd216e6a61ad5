import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { readAddress } from "../../shared/domain/identity/addresses.ts";
import { type NewUser, newUser } from "../../shared/domain/identity/registration.ts";
import { openSignIn } from "../../shared/domain/identity/sign-ins.ts";
import { findUser, putUser, type User, writeUser } from "../../shared/domain/identity/users.ts";
import type { RecordStore } from "../../shared/ports/record-store.ts";
import type { Permission, Role } from "../../shared/runtime/access/permissions.ts";
import { newEmail, PASSWORD, Person } from "./people.ts";
import type { Service, TestedService } from "./service.ts";

/** Stores a user of an organization and returns it with an access token, without mail or password. */
export async function signInUser(
  { runtime }: Pick<TestedService, "runtime">,
  given: Pick<NewUser, "org" | "role"> & Partial<NewUser>,
): Promise<{ user: User; token: string }> {
  const user = newUser(runtime, { email: `${randomUUID()}@example.com`, name: "Ada", ...given });
  await writeUser(runtime.ports.records, ...putUser(user));
  return { user, token: await tokenFor({ runtime }, user.org, user.id) };
}

/** Signs in an existing user once more, without mail or password, and returns the access token. */
export async function tokenFor({ runtime }: Pick<TestedService, "runtime">, org: string, id: string): Promise<string> {
  const user = await findUser(runtime.ports.records, org, id);
  if (!user) throw new Error(`no user of ${org} has the id '${id}'`);
  const { signIn, write } = openSignIn(runtime, user, false);
  await runtime.ports.records.write(write);
  const claims = { sub: id, org, epoch: user.credential_epoch, session: signIn.id };
  return (await runtime.tokens.issue(runtime, claims)).access_token;
}

/** Returns the user who verified the address, otherwise the first who claims it; never a deleted one. */
export async function findUserByEmail(records: RecordStore, email: string): Promise<User | undefined> {
  return (await readAddress(records, email)).accounts[0];
}

/** Returns the headers that authenticate with a token. */
export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** Creates a user as an admin, who signs in and changes the temporary password, all over HTTP. */
export async function hire(
  service: Service,
  adminKey: string,
  given: { role: Role; permissions?: Permission[] },
): Promise<{ id: string; email: string; token: string }> {
  const email = newEmail();
  const temporary = `temporary ${randomUUID()}`;
  const body = { email, name: "Ada", password: temporary, ...given };
  const made = await service.request("POST", "/admin/users", { key: adminKey, body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const nobody = new Person(service);
  const first = await nobody.done("/auth/login", { email, password: temporary });
  const changed = { current_password: temporary, new_password: PASSWORD, confirm_password: PASSWORD };
  await nobody.as(first.access_token).done("/auth/change-password", changed);
  const { access_token } = await nobody.done("/auth/login", { email, password: PASSWORD });
  return { id: made.body.data.user.id, email, token: access_token };
}
