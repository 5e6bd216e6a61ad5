import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { openService } from "../../../test/support/service.ts";
import { newUser } from "./registration.ts";
import { countSignIns, openSignIn, renewSignIn } from "./sign-ins.ts";
import { findUser, isAdmitted, putUser, type User, writeUser } from "./users.ts";

const service = await openService();
afterAll(() => service.close());

let people = 0;

async function newPerson(): Promise<User> {
  const user = newUser(service.runtime, { org: "org_1", email: `${people++}@example.com`, name: "Ada", role: "user" });
  await writeUser(service.runtime.ports.records, ...putUser(user));
  return user;
}

async function begin(user: User): Promise<{ id: string; token: string }> {
  const { signIn, refreshToken, write } = openSignIn(service.runtime, user, false);
  await service.runtime.ports.records.write(write);
  return { id: signIn.id, token: refreshToken };
}

/** Returns the next token, or undefined if the given one is refused. */
async function renew(token: string): Promise<string | undefined> {
  try {
    return (await renewSignIn(service.runtime, token, async () => {})).refreshToken;
  } catch (error) {
    expect(error).toMatchObject({ code: "UNAUTHORIZED" });
    return undefined;
  }
}

it("a session lasts as long as only its latest token is used, in any order of requests", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { maxLength: 12 }), async (ages) => {
      const user = await newPerson();
      const [{ id, token }, other] = [await begin(user), await begin(user)];
      const issued = [token];
      let isAlive = true;
      for (const age of ages) {
        const shown = issued.at(-1 - Math.min(age, issued.length - 1)) ?? token;
        isAlive &&= shown === issued.at(-1);
        const next = await renew(shown);
        expect(next !== undefined).toBe(isAlive);
        if (next !== undefined) issued.push(next);
      }
      const stored = await findUser(service.runtime.ports.records, user.org, user.id);
      const epoch = user.credential_epoch;
      expect(stored && isAdmitted(stored, { epoch, session: id }, service.runtime.clock())).toBe(isAlive);
      expect(await countSignIns(service.runtime.ports.records, user)).toBe(isAlive ? 2 : 1);
      expect(await renew(other.token)).toBeDefined();
    }),
    { numRuns: 40 },
  );
});

it("a token used by several requests at once is valid for at most one, and then for none", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 8 }), async (times) => {
      const { token } = await begin(await newPerson());
      const next = (await Promise.all(Array.from({ length: times }, () => renew(token)))).filter((each) => each);
      expect(next.length).toBeLessThanOrEqual(1);
      for (const each of next) expect(await renew(each ?? "")).toBeUndefined();
    }),
    { numRuns: 20 },
  );
});
