import { randomUUID } from "node:crypto";
import { type NewUser, newUser } from "../../shared/identity/registration.ts";
import { openSignIn } from "../../shared/identity/sign-ins.ts";
import { putUser, type User, writeUser } from "../../shared/identity/users.ts";
import type { TestedService } from "./service.ts";

/** A user of an organization as the records have them, and an access token of theirs; without mail or password. */
export async function signInUser(
  { home }: Pick<TestedService, "home">,
  given: Pick<NewUser, "org" | "role"> & Partial<NewUser>,
): Promise<{ user: User; token: string }> {
  const user = newUser(home, { email: `${randomUUID()}@example.com`, name: "Ada", ...given });
  const { signIn, write } = openSignIn(home, user, false);
  await writeUser(home.ports.records, ...putUser(user), write);
  const claims = { sub: user.id, org: user.org, epoch: user.credential_epoch, session: signIn.id };
  return { user, token: (await home.tokens.issue(home, claims)).access_token };
}

/** Headers that show a token. */
export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
