import { afterAll, expect, it } from "vitest";
import { openService } from "../../../test/support/service.ts";
import { newUser } from "./registration.ts";
import { signInAs } from "./sign-in.ts";
import { putUser, reviseUser, type UserChange, writeUser } from "./users.ts";

const service = await openService();
afterAll(() => service.close());

const changes: [what: string, change: UserChange][] = [
  ["another password", { password_hash: "another" }],
  ["been suspended", { status: "suspended" }],
  ["turned a second factor on", { two_factor: { enabled: true, secret: "s", recovery_codes: [], last_step: 0 } }],
];

it.each(changes)("nobody is signed in who has %s after the password was checked", async (what, change) => {
  const { runtime } = service;
  const given = { org: "org_1", email: `${what.replaceAll(" ", "-")}@example.com`, name: "Ada", role: "user" } as const;
  const user = newUser(runtime, given);
  await writeUser(runtime.ports.records, ...putUser(user));
  await reviseUser(runtime, user, () => change);
  await expect(signInAs(runtime, user, { method: "password" })).rejects.toMatchObject({ code: "CONFLICT" });
});
