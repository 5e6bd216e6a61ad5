import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Permission, Role } from "../../shared/identity/permissions.ts";
import { type NewUser, newUser } from "../../shared/identity/registration.ts";
import { openSignIn } from "../../shared/identity/sign-ins.ts";
import { findUser, putUser, type User, writeUser } from "../../shared/identity/users.ts";
import { newEmail, PASSWORD, Person } from "./people.ts";
import type { Service, TestedService } from "./service.ts";

/** A user of an organization as the records have them, and an access token of theirs; without mail or password. */
export async function signInUser(
  { home }: Pick<TestedService, "home">,
  given: Pick<NewUser, "org" | "role"> & Partial<NewUser>,
): Promise<{ user: User; token: string }> {
  const user = newUser(home, { email: `${randomUUID()}@example.com`, name: "Ada", ...given });
  await writeUser(home.ports.records, ...putUser(user));
  return { user, token: await tokenFor({ home }, user.org, user.id) };
}

/** An access token of another sign-in of a user who is there; without mail or password. */
export async function tokenFor({ home }: Pick<TestedService, "home">, org: string, id: string): Promise<string> {
  const user = await findUser(home.ports.records, org, id);
  if (!user) throw new Error(`no user of ${org} has the id '${id}'`);
  const { signIn, write } = openSignIn(home, user, false);
  await home.ports.records.write(write);
  const claims = { sub: id, org, epoch: user.credential_epoch, session: signIn.id };
  return (await home.tokens.issue(home, claims)).access_token;
}

/** Headers that show a token. */
export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** Somebody whom an admin made a user, who has signed in and changed the temporary password; all of it over HTTP. */
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
