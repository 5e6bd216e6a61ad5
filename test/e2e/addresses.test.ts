import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_CLAIMS, readAddress } from "../../shared/domain/identity/addresses.ts";
import { newUser } from "../../shared/domain/identity/registration.ts";
import { findUser, putUser, type User, writeUser } from "../../shared/domain/identity/users.ts";
import type { Mail } from "../../shared/ports/mailer.ts";
import { mailboxOf } from "../support/mailbox.ts";
import { mailedToken, newEmail, PASSWORD, Person } from "../support/people.ts";
import { type Answered, createOrganization, type LocalService, openService } from "../support/service.ts";
import { findUserByEmail, tokenFor } from "../support/users.ts";

const OTHER_PASSWORD = "another password of somebody";
const ACCOUNT = /account was made/i;
const CONFIRM = /confirm/i;
const RESET = /new password/i;

let service: LocalService;
let mails: Mail[];
let nobody: Person;

beforeAll(async () => {
  service = await openService();
  mails = mailboxOf(service);
  nobody = new Person(service);
});
afterAll(() => service.close());

const records = () => service.runtime.ports.records;
const register = (email: string, password = PASSWORD) =>
  nobody.post("/auth/register", { email, password, name: "Ada" });
const login = (email: string, password = PASSWORD) => nobody.post("/auth/login", { email, password });
const verify = (token: string) => nobody.post("/auth/verify-email", { token });
const reset = (token: string, new_password: string) => nobody.post("/auth/reset-password", { token, new_password });

function create(key: string, email: string, password = PASSWORD): Promise<Answered> {
  return service.request("POST", "/admin/users", { key, body: { email, name: "Ada", password, role: "user" } });
}

async function registered(email: string, password = PASSWORD): Promise<User> {
  const { body } = await register(email, password);
  const { accounts } = await readAddress(records(), email);
  const user = accounts.find(({ id }) => id === body.data.id);
  return user ?? Promise.reject(new Error(`${email} is not among the address's accounts`));
}

/** Stores a user as an earlier version did: the address itself identifies the user, verified or not. */
async function formerUser(email: string, email_verified: boolean, org: string): Promise<User> {
  const { body } = await register(newEmail());
  const { password_hash } = (await findUserByEmail(records(), body.data.email)) as User;
  const user = newUser(service.runtime, {
    org,
    email,
    name: "Ada",
    role: "user",
    email_verified,
    password_hash,
    address_claim: undefined,
  });
  await writeUser(records(), ...putUser(user));
  return user;
}

/** The possible states of an address before the request under test. */
const HELD = {
  free: async () => {},
  "verified in another organization": async (email: string) => {
    await register(email);
    expect((await verify(mailedToken(mails, email, CONFIRM))).status).toBe(200);
  },
  "claimed in another organization": async (email: string) => void (await register(email)),
  "claimed by another organization's admin": async (email: string) => {
    await create((await createOrganization(service)).key, email);
  },
  "verified in another organization, by a former version": async (email: string) => {
    await formerUser(email, true, (await createOrganization(service)).org);
  },
  "claimed in another organization, by a former version": async (email: string) => {
    await formerUser(email, false, (await createOrganization(service)).org);
  },
  "claimed in as many as may be": async (email: string) => {
    for (let claims = 0; claims <= MAX_CLAIMS; claims++) await create((await createOrganization(service)).key, email);
  },
};

/** Returns the answer without the values that differ between requests; the rest must be equal. */
function withoutIds(answer: Answered, email: string) {
  const text = JSON.stringify(answer.body)
    .replaceAll(email, "EMAIL")
    .replace(/\b(user|req|inv|org|ak)_[0-9A-Z]{26}/g, "$1_ID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/token=[\w-]+/g, "token=TOKEN")
    .replace(/"processing_time_ms":\d+/, "");
  return [answer.status, text];
}

/** Every route that takes an address, called by somebody without a claim on it. */
const ROUTES: Record<string, (email: string, asker: { org: string; key: string }) => Promise<Answered>> = {
  "POST /auth/register": (email) => register(email, OTHER_PASSWORD),
  "POST /auth/login with a wrong password": (email) => login(email, "a password that is wrong"),
  "POST /auth/forgot-password": (email) => nobody.post("/auth/forgot-password", { email }),
  "POST /admin/users": (email, { key }) => create(key, email, OTHER_PASSWORD),
  "GET /admin/users/{id} of the created user": async (email, { key }) => {
    const { body } = await create(key, email, OTHER_PASSWORD);
    return service.request("GET", `/admin/users/${body.data.user.id}`, { key });
  },
  "POST /admin/invites": (email, { key }) =>
    service.request("POST", "/admin/invites", { key, body: { email, name: "Ada", role: "user", permissions: [] } }),
  "POST /admin/invites/{id}/accept with the returned link": async (email, { key }) => {
    const invite = { email, name: "Ada", role: "user", permissions: [] };
    const { body } = await service.request("POST", "/admin/invites", { key, body: invite });
    const { pathname, searchParams } = new URL(body.data.invitation_url);
    return service.request("POST", pathname, {
      key: null,
      body: { token: searchParams.get("token"), password: OTHER_PASSWORD },
    });
  },
};

describe.each(Object.entries(ROUTES))("%s", (_, ask) => {
  it("returns the same answer whichever user of another organization has the address", async () => {
    const answers = new Map<string, unknown>();
    for (const [held, prepare] of Object.entries(HELD)) {
      const email = newEmail();
      await prepare(email);
      answers.set(held, withoutIds(await ask(email, await createOrganization(service)), email));
    }
    const expected = answers.get("free");
    expect([...answers]).toEqual([...answers.keys()].map((held) => [held, expected]));
  });
});

describe("creating or inviting a user with the address of a colleague", () => {
  it.each([
    ["created by an admin", (email: string, { key }: { key: string }) => create(key, email)],
    ["stored by an earlier version", (email: string, { org }: { org: string }) => formerUser(email, false, org)],
    [
      "stored by an earlier version, and verified",
      (email: string, { org }: { org: string }) => formerUser(email, true, org),
    ],
  ])("%s is rejected with EMAIL_EXISTS", async (_what, prepare) => {
    const asker = await createOrganization(service);
    const email = newEmail();
    await prepare(email, asker);
    for (const route of ["POST /admin/users", "POST /admin/invites"] as const) {
      const { status, body } = await (ROUTES[route] as NonNullable<(typeof ROUTES)[string]>)(email, asker);
      expect([route, status, body.error?.code]).toEqual([route, 409, "EMAIL_EXISTS"]);
    }
  });
});

describe("accounts that claim the same address", () => {
  it("sign in with their own passwords until one verifies the address; the others become inactive", async () => {
    const email = newEmail();
    const { org, key } = await createOrganization(service);
    const made = (await create(key, email, "temporary but long enough")).body.data.user;
    const owner = await registered(email);
    const first = await login(email, "temporary but long enough");
    expect([first.status, first.body.data.user.id]).toEqual([200, made.id]);
    expect((await login(email)).body.data.user.id).toBe(owner.id);
    expect((await verify(mailedToken(mails, email, CONFIRM))).status).toBe(200);
    expect((await login(email)).body.data.user.id).toBe(owner.id);
    expect((await login(email, "temporary but long enough")).status).toBe(401);
    expect((await nobody.as(first.body.data.access_token).get("/auth/me")).status).toBe(401);
    expect(await findUser(records(), org, made.id)).toMatchObject({ status: "inactive", email_verified: false });
    const link = await reset(mailedToken(mails, email, ACCOUNT), OTHER_PASSWORD);
    expect([link.status, link.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  it("are reduced to one when all verify concurrently", async () => {
    const email = newEmail();
    const tokens: string[] = [];
    for (let claims = 0; claims < 3; claims++) {
      await registered(email, `${PASSWORD} ${claims}`);
      tokens.push(mailedToken(mails, email, CONFIRM));
    }
    const answers = await Promise.all(tokens.map(verify));
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const { accounts, isVerified } = await readAddress(records(), email);
    expect([accounts.length, isVerified]).toEqual([1, true]);
    const logins = await Promise.all(tokens.map((_, claims) => login(email, `${PASSWORD} ${claims}`)));
    expect(logins.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("each get a link in the password reset mail; the account whose link is used keeps the address", async () => {
    const email = newEmail();
    const [first, second] = [await registered(email), await registered(email, OTHER_PASSWORD)];
    await nobody.done("/auth/forgot-password", { email });
    const text = mails.findLast(({ to, subject }) => to === email && RESET.test(subject))?.text ?? "";
    const tokens = [...text.matchAll(/#token=([\w-]+)/g)].map(([, token = ""]) => token);
    expect(tokens).toHaveLength(2);
    expect((await reset(tokens[1] as string, "a password of the owner")).status).toBe(200);
    expect((await login(email, "a password of the owner")).body.data.user.id).toBe(second.id);
    expect((await login(email)).status).toBe(401);
    expect(await findUser(records(), first.org, first.id)).toMatchObject({ status: "inactive" });
    expect((await reset(tokens[0] as string, PASSWORD)).status).toBe(400);
  });

  it("share one count of failed sign-ins", async () => {
    const email = newEmail();
    await registered(email);
    await registered(email, OTHER_PASSWORD);
    for (let failures = 0; failures < 9; failures++)
      expect((await login(email, "a wrong guess of mine")).status).toBe(401);
    expect((await login(email, OTHER_PASSWORD)).status).toBe(200);
    expect((await login(email, "a wrong guess of mine")).body.error?.details.attempts_remaining).toBe(0);
  });

  it("share a salt, so that a sign-in computes one hash", async () => {
    const email = newEmail();
    const users = [await registered(email), await registered(email, OTHER_PASSWORD)];
    const salts = users.map(({ password_hash = "" }) => password_hash.split("$").at(-2));
    expect(new Set(salts).size).toBe(1);
  });

  it("may outnumber those that can sign in by password; each of them can verify the address", async () => {
    const email = newEmail();
    for (let claims = 0; claims < MAX_CLAIMS; claims++) await create((await createOrganization(service)).key, email);
    const { body } = await register(email, OTHER_PASSWORD);
    expect((await login(email, OTHER_PASSWORD)).status).toBe(401);
    expect((await verify(mailedToken(mails, email, CONFIRM))).status).toBe(200);
    expect((await login(email, OTHER_PASSWORD)).body.data.user.id).toBe(body.data.id);
  });
});

describe("a user created with an address that another organization's user verified", () => {
  it("cannot sign in with the temporary password, even after the other user is deleted", async () => {
    const email = newEmail();
    const owner = await registered(email);
    await verify(mailedToken(mails, email, CONFIRM));
    const { key } = await createOrganization(service);
    const answer = await create(key, email, OTHER_PASSWORD);
    expect(answer.body.data.credentials.temp_password).toBe(OTHER_PASSWORD);
    expect((await login(email, OTHER_PASSWORD)).status).toBe(401);
    const token = mailedToken(mails, email, ACCOUNT);
    const refused = await reset(token, "a password of the owner");
    expect([refused.status, refused.body.error?.code]).toEqual([409, "EMAIL_EXISTS"]);
    expect((await login(email)).body.data.user.id).toBe(owner.id);
    await deleteUser(owner);
    expect((await login(email, OTHER_PASSWORD)).status).toBe(401);
    expect((await reset(token, "a password of the owner")).status).toBe(200);
    expect((await login(email, "a password of the owner")).body.data.user.id).toBe(answer.body.data.user.id);
  });
});

/** Deletes a user who may be the only admin of an organization, through a second admin. */
async function deleteUser({ org, id }: User): Promise<void> {
  const colleague = newUser(service.runtime, { org, email: newEmail(), name: "Eve", role: "admin" });
  await writeUser(records(), ...putUser(colleague));
  const headers = { authorization: `Bearer ${await tokenFor(service, org, colleague.id)}` };
  const body = { reason: "gone" };
  const { status } = await service.request("DELETE", `/admin/users/${id}`, { key: null, headers, body });
  expect(status).toBe(200);
}

describe("users stored by earlier versions", () => {
  it("sign in, verify and keep their address, unless another account verifies it first", async () => {
    const { org } = await createOrganization(service);
    const [verified, claimed] = [newEmail(), newEmail()];
    await formerUser(verified, true, org);
    const claimant = await formerUser(claimed, false, org);
    for (const email of [verified, claimed]) expect((await login(email)).status).toBe(200);
    await registered(claimed, OTHER_PASSWORD);
    expect((await login(claimed)).body.data.user.id).toBe(claimant.id);
    expect((await verify(mailedToken(mails, claimed, CONFIRM))).status).toBe(200);
    expect((await login(claimed)).status).toBe(401);
    expect((await login(claimed, OTHER_PASSWORD)).status).toBe(200);
    expect(await findUser(records(), org, claimant.id)).toMatchObject({ status: "inactive", address_claim: "claim" });
    const reclaimed = newEmail();
    const former = await formerUser(reclaimed, false, org);
    await nobody.done("/auth/forgot-password", { email: reclaimed });
    expect((await reset(mailedToken(mails, reclaimed, RESET), OTHER_PASSWORD)).status).toBe(200);
    expect(await findUserByEmail(records(), reclaimed)).toMatchObject({ id: former.id, email_verified: true });
  });
});
