import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mail } from "../../shared/ports/mailer.ts";
import { mailboxOf } from "../support/mailbox.ts";
import { mailedToken, newEmail, otpOf, PASSWORD, Person, registered, signIn } from "../support/people.ts";
import { refused } from "../support/refused.ts";
import type { TestedService } from "../support/service.ts";
import { eventually, IS_DEPLOYED, onceAllKnow, openTestedService } from "../support/target.ts";
import { findUserByEmail } from "../support/users.ts";

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const JWT = expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
const REFRESH_TOKEN = expect.stringMatching(/^rt_[\w-]{64}$/);
const TOKENS = { access_token: JWT, refresh_token: REFRESH_TOKEN, expires_in: 900, token_type: "Bearer" };
const OTHER_PASSWORD = "another password of hers";

let service: TestedService;
let nobody: Person;
let mails: Mail[];

beforeAll(async () => {
  service = await openTestedService({ DEFAULT_PLAN: "free" });
  mails = mailboxOf(service);
  nobody = new Person(service);
});
afterAll(() => service.close());

/** Registers a person and signs in. */
async function person(given: Record<string, unknown> = {}) {
  const { email, user } = await registered(nobody, given);
  const tokens = await signIn(nobody, email);
  return { email, user, tokens, self: nobody.as(tokens.access_token) };
}

const isIn = async (token: string) => (await nobody.as(token).get("/auth/me")).status === 200;

describe("registration", () => {
  it("creates an organization and its admin, who can sign in immediately", async () => {
    const email = newEmail();
    const given = { email, password: PASSWORD, name: "Ada Lovelace", organization: "Engines", metadata: { team: "a" } };
    const { status, body } = await nobody.post("/auth/register", given);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^user_/),
      user_id: body.data.id,
      email,
      name: "Ada Lovelace",
      organization: "Engines",
      email_verified: false,
      verification_required: true,
      created_at: ISO,
    });
    const { access_token } = await signIn(nobody, email);
    const me = await nobody.as(access_token).get("/auth/me");
    expect([me.status, me.body.data]).toEqual([
      200,
      {
        id: body.data.id,
        user_id: body.data.id,
        email,
        name: "Ada Lovelace",
        organization: "Engines",
        email_verified: false,
        roles: ["admin"],
        permissions: ["admin:all"],
        preferences: { theme: expect.any(String), language: expect.any(String), timezone: expect.any(String) },
        security: { two_factor_enabled: false, last_login: ISO, login_count: 1 },
        created_at: body.data.created_at,
        updated_at: ISO,
      },
    ]);
  });

  it("with the name of an existing organization does not join it", async () => {
    const [one, other] = [await person({ organization: "Same" }), await person({ organization: "Same" })];
    const made = await service.request("POST", "/memories", {
      key: null,
      headers: { authorization: `Bearer ${one.tokens.access_token}` },
      body: { content: "only ours" },
    });
    expect(made.status).toBe(201);
    const headers = { authorization: `Bearer ${other.tokens.access_token}` };
    const seen = await service.request("GET", `/memories/${made.body.data.id}`, { key: null, headers });
    expect(seen.status).toBe(404);
  });

  it("returns the same response for a registered address in any spelling, also concurrently", async () => {
    const { email } = await registered(nobody);
    const written = [email, email.toUpperCase(), `  ${email} `];
    const answers = await Promise.all(
      written.map((each) => nobody.post("/auth/register", { email: each, password: PASSWORD, name: "B" })),
    );
    expect(answers.map(({ status, body }) => [status, body.data.email])).toEqual(written.map(() => [201, email]));
  });

  it.each([
    ["an invalid address", { email: "ada" }, "email"],
    ["two addresses", { email: "ada@example.com, bob@example.com" }, "email"],
    ["an address with a line break", { email: "ada@example.com\nBcc: bob@example.com" }, "email"],
    ["a long address", { email: `${"a".repeat(250)}@example.com` }, "email"],
    ["a short password", { password: "short" }, "password"],
    ["a long password", { password: "hj3kWq9vLx-".repeat(12) }, "password"],
    ["a common password", { password: "1qaz2wsx3edc" }, "password"],
    [
      "the address as the password",
      { email: "ada.lovelace@example.com", password: "Ada.Lovelace@example.com" },
      "password",
    ],
    ["an empty name", { name: " " }, "name"],
  ])("rejects %s", async (_what, change, field) => {
    const body = { email: newEmail(), password: PASSWORD, name: "Ada", ...change };
    const { status, body: answer } = await nobody.post("/auth/register", body);
    expect([status, answer.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.error?.details.fields.map((each: { field: string }) => each.field)).toEqual([field]);
    expect(JSON.stringify(answer)).not.toContain(body.password.length > 8 ? body.password : "no password is so short");
  });

  it("rejects fields that would grant privileges", async () => {
    const wanted = {
      id: "user_0",
      role: "viewer",
      roles: ["viewer"],
      permissions: ["memory:read"],
      org: "org_operator",
      org_id: "org_operator",
      plan: "enterprise",
      operator: true,
      status: "deleted",
      email_verified: true,
      credential_epoch: 7,
      identities: [{ provider: "google", subject: "1" }],
      password_hash: "x",
      created_by: "user_0",
    };
    const given = { email: newEmail(), password: PASSWORD, name: "Ada", ...wanted };
    expect(refused(await nobody.post("/auth/register", given))).toEqual([400, Object.keys(wanted)]);
    const { email, user, self } = await person();
    const { data } = (await self.get("/auth/me")).body;
    expect(data).toMatchObject({
      id: user.id,
      email,
      roles: ["admin"],
      permissions: ["admin:all"],
      email_verified: false,
    });
    const backup = await service.request("POST", "/signing-keys/rotate", {
      key: null,
      headers: { authorization: `Bearer ${self.token}` },
      body: {},
    });
    expect(backup.status).not.toBe(200);
    const headers = { authorization: `Bearer ${self.token}` };
    const limited = await service.request("GET", "/memories", { key: null, headers });
    expect(limited.headers.get("ratelimit-policy")).toBe('"general";q=100;w=60');
  });
});

describe("signing in", () => {
  it("returns tokens and the user", async () => {
    const { email, user } = await registered(nobody);
    const { status, body, headers } = await nobody.post("/auth/login", { email, password: PASSWORD });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...TOKENS,
      user: { id: user.id, email, name: "Ada", roles: ["admin"], permissions: ["admin:all"] },
    });
    expect(headers.get("cache-control")).toContain("no-store");
  });

  it("normalizes the address and compares the password exactly", async () => {
    const { email } = await registered(nobody);
    expect((await nobody.post("/auth/login", { email: ` ${email.toUpperCase()}`, password: PASSWORD })).status).toBe(
      200,
    );
    for (const password of [PASSWORD.toUpperCase(), `${PASSWORD} `, PASSWORD.slice(0, -1)]) {
      expect((await nobody.post("/auth/login", { email, password })).status).toBe(401);
    }
  });

  it("returns the same error for a wrong password and an unknown address", async () => {
    const { email } = await registered(nobody);
    const failed = async (address: string) => {
      const { status, body, headers } = await nobody.post("/auth/login", { email: address, password: OTHER_PASSWORD });
      return { status, error: body.error, headers: [...headers.keys()].sort() };
    };
    const unknown = newEmail();
    for (const remaining of [9, 8, 7]) {
      const [known, nobodys] = [await failed(email), await failed(unknown)];
      expect(known).toEqual(nobodys);
      expect(known.status).toBe(401);
      expect(known.error).toMatchObject({
        code: "INVALID_CREDENTIALS",
        details: { field: "password", attempts_remaining: remaining },
      });
    }
  });

  // A gateway and starting processes take longer than the compared difference.
  it.skipIf(IS_DEPLOYED)("takes as long for an unknown address as for a wrong password (in one process)", async () => {
    const { email } = await registered(nobody);
    const others = Array.from({ length: 8 }, newEmail);
    const timed = async (address: string) => {
      const start = performance.now();
      await nobody.post("/auth/login", { email: address, password: OTHER_PASSWORD });
      return performance.now() - start;
    };
    const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
    for (const other of others) {
      times.known.push(await timed(email));
      times.unknown.push(await timed(other));
    }
    // Load only adds to a time; an address without a hash to compare would take a tenth.
    const ratio = Math.min(...times.known) / Math.min(...times.unknown);
    expect(ratio).toBeGreaterThan(0.33);
    expect(ratio).toBeLessThan(3);
  });

  it("counts concurrent failures, and locks the account", async () => {
    const { email } = await registered(nobody);
    const wrong = () => nobody.post("/auth/login", { email, password: OTHER_PASSWORD });
    const answers = await Promise.all(Array.from({ length: 15 }, wrong));
    const remaining = answers.map(({ body }) => body.error?.details.attempts_remaining).sort((a, b) => a - b);
    expect(remaining).toEqual([0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const { status, body } = await nobody.post("/auth/login", { email, password: PASSWORD });
    expect([status, body.error?.code]).toEqual([401, "INVALID_CREDENTIALS"]);
    expect(body.error?.details).toEqual({ field: "password", attempts_remaining: 0, retry_after: expect.any(Number) });
    expect(body.error?.details.retry_after).toBeGreaterThan(800);
  });

  it("resets the failure count when it succeeds", async () => {
    const { email } = await registered(nobody);
    for (let times = 0; times < 3; times++) await nobody.post("/auth/login", { email, password: OTHER_PASSWORD });
    await signIn(nobody, email);
    const { body } = await nobody.post("/auth/login", { email, password: OTHER_PASSWORD });
    expect(body.error?.details.attempts_remaining).toBe(9);
  });

  it("is required for routes of a user: an API key is rejected", async () => {
    for (const [method, path, body] of [
      ["GET", "/auth/me", undefined],
      ["POST", "/auth/logout", {}],
      ["POST", "/auth/2fa/setup", undefined],
    ] as const) {
      const answer = await service.request(method, path, { body });
      expect([answer.status, answer.body.error?.code]).toEqual([403, "FORBIDDEN"]);
    }
  });
});

describe("refreshing a token", () => {
  const refresh = (refresh_token: string) => nobody.post("/auth/refresh", { refresh_token });

  it("returns new tokens", async () => {
    const { tokens } = await person();
    const { status, body } = await refresh(tokens.refresh_token);
    expect([status, body.data]).toEqual([200, TOKENS]);
    expect(body.data.refresh_token).not.toBe(tokens.refresh_token);
    expect(await isIn(body.data.access_token)).toBe(true);
    expect((await refresh(body.data.refresh_token)).status).toBe(200);
  });

  it("with a used token ends its session, and no other", async () => {
    const { email, tokens } = await person();
    const other = await signIn(nobody, email);
    const { data: next } = (await refresh(tokens.refresh_token)).body;
    const { status, body } = await refresh(tokens.refresh_token);
    expect([status, body.error?.code]).toEqual([401, "UNAUTHORIZED"]);
    expect((await refresh(next.refresh_token)).status).toBe(401);
    await onceAllKnow(async () =>
      expect([await isIn(tokens.access_token), await isIn(next.access_token)]).toEqual([false, false]),
    );
    expect(await isIn(other.access_token)).toBe(true);
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  it("twice concurrently counts as reuse: the tokens that one request gets are invalid", async () => {
    const { tokens } = await person();
    const both = await Promise.all([refresh(tokens.refresh_token), refresh(tokens.refresh_token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const { data } = both.find(({ status }) => status === 200)!.body;
    expect((await refresh(data.refresh_token)).status).toBe(401);
    await onceAllKnow(async () =>
      expect([await isIn(data.access_token), await isIn(tokens.access_token)]).toEqual([false, false]),
    );
  });

  it("many times concurrently succeeds at most once", async () => {
    const { tokens } = await person();
    const all = await Promise.all(Array.from({ length: 10 }, () => refresh(tokens.refresh_token)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it.each([
    ["garbage", "garbage"],
    ["an unknown token", `rt_${"A".repeat(64)}`],
    ["a token that is too long", `rt_${"A".repeat(68)}`],
  ])("rejects %s", async (_what, token) => {
    const { status, body } = await refresh(token);
    expect([status, body.error?.code]).toEqual([401, "UNAUTHORIZED"]);
  });

  it("rejects an access token, and requests reject a refresh token", async () => {
    const { tokens } = await person();
    expect((await refresh(tokens.access_token)).status).toBe(401);
    expect(await isIn(tokens.refresh_token)).toBe(false);
  });

  it("stores no token in plain text", async () => {
    const { email, tokens, user } = await person();
    const { records } = service.runtime.ports;
    const org = (await findUserByEmail(records, email))?.org;
    const { items } = await records.query({ index: "gsi1", pk: `${org}#${user.id}#sign_ins`, limit: 10 });
    expect(items).toHaveLength(1);
    const stored = JSON.stringify([items, await records.get({ pk: `${org}#${user.id}`, sk: "user" })]);
    for (const secret of [tokens.refresh_token, tokens.access_token, PASSWORD]) expect(stored).not.toContain(secret);
  });
});

describe("logging out", () => {
  const refreshes = async (refresh_token: string) =>
    (await nobody.post("/auth/refresh", { refresh_token })).status === 200;

  it("ends the current session immediately and no other", async () => {
    const { email, tokens, self } = await person();
    const other = await signIn(nobody, email);
    const { status, body } = await self.post("/auth/logout");
    expect([status, body.data]).toEqual([200, { logged_out: true }]);
    await onceAllKnow(async () =>
      expect([await isIn(tokens.access_token), await refreshes(tokens.refresh_token)]).toEqual([false, false]),
    );
    expect([await isIn(other.access_token), await refreshes(other.refresh_token)]).toEqual([true, true]);
  });

  it("also ends the session of a given refresh token", async () => {
    const { email, self } = await person();
    const [named, other] = [await signIn(nobody, email), await signIn(nobody, email)];
    await self.done("/auth/logout", { refresh_token: named.refresh_token });
    await onceAllKnow(async () =>
      expect([await isIn(named.access_token), await refreshes(named.refresh_token)]).toEqual([false, false]),
    );
    expect(await isIn(other.access_token)).toBe(true);
  });

  it("ends every session on request", async () => {
    const { email, tokens, self } = await person();
    const other = await signIn(nobody, email);
    await self.done("/auth/logout", { all_sessions: true });
    for (const each of [tokens, other]) {
      await onceAllKnow(async () =>
        expect([await isIn(each.access_token), await refreshes(each.refresh_token)]).toEqual([false, false]),
      );
    }
    expect(await isIn((await signIn(nobody, email)).access_token)).toBe(true);
  });

  it("cannot end another user's session", async () => {
    const [one, stranger] = [await person(), await person()];
    const email = newEmail();
    await one.self.done("/admin/users", { email, name: "Ada", password: PASSWORD, role: "user" });
    for (const { access_token, refresh_token } of [stranger.tokens, await signIn(nobody, email)]) {
      const own = await signIn(nobody, one.email);
      await nobody.as(own.access_token).done("/auth/logout", { refresh_token });
      expect([await isIn(access_token), await refreshes(refresh_token)]).toEqual([true, true]);
    }
  });
});

describe("changing the password", () => {
  const change = (self: Person, given: object = {}) =>
    self.post("/auth/change-password", {
      current_password: PASSWORD,
      new_password: OTHER_PASSWORD,
      confirm_password: OTHER_PASSWORD,
      ...given,
    });

  it("ends every session and returns how many it ended", async () => {
    const { email, self, tokens } = await person();
    const other = await signIn(nobody, email);
    const { status, body } = await change(self);
    expect([status, body.data]).toEqual([200, { changed_at: ISO, sessions_revoked: 2 }]);
    for (const each of [tokens, other]) {
      await onceAllKnow(async () => expect(await isIn(each.access_token)).toBe(false));
      expect((await nobody.post("/auth/refresh", { refresh_token: each.refresh_token })).status).toBe(401);
    }
    expect((await nobody.post("/auth/login", { email, password: PASSWORD })).status).toBe(401);
    expect(await isIn((await signIn(nobody, email, { password: OTHER_PASSWORD })).access_token)).toBe(true);
    await eventually(async () =>
      expect(mails.at(-1)).toMatchObject({ to: email, subject: expect.stringMatching(/changed/) }),
    );
  });

  it.each([
    ["a different confirmation", { confirm_password: "yet another password" }, "confirm_password"],
    ["the same password", { new_password: PASSWORD, confirm_password: PASSWORD }, "new_password"],
    ["a common password", { new_password: "1qaz2wsx3edc", confirm_password: "1qaz2wsx3edc" }, "new_password"],
  ])("rejects %s without changing anything", async (_what, given, field) => {
    const { email, self } = await person();
    const { status, body } = await change(self, given);
    expect([status, body.error?.details?.fields[0].field]).toEqual([400, field]);
    expect(await isIn((await signIn(nobody, email)).access_token)).toBe(true);
    expect((await self.get("/auth/me")).status).toBe(200);
  });

  it("counts a wrong current password as a failed sign-in", async () => {
    const { email, self } = await person();
    for (const attempts_remaining of [9, 8]) {
      const { status, body } = await change(self, { current_password: OTHER_PASSWORD });
      expect([status, body.error?.code]).toEqual([401, "INVALID_CREDENTIALS"]);
      expect(body.error?.details).toEqual({ field: "current_password", attempts_remaining });
    }
    const { body } = await nobody.post("/auth/login", { email, password: OTHER_PASSWORD });
    expect(body.error?.details.attempts_remaining).toBe(7);
  });

  it("succeeds once if two requests do it concurrently", async () => {
    const { email, self } = await person();
    const both = await Promise.all([
      change(self, { new_password: "the first of the two", confirm_password: "the first of the two" }),
      change(self, { new_password: "the other of the two", confirm_password: "the other of the two" }),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const winner = both[0].status === 200 ? "the first of the two" : "the other of the two";
    await signIn(nobody, email, { password: winner });
  });
});

describe("verifying an email address", () => {
  it("accepts the mailed token once", async () => {
    const { email, self } = await person();
    const token = mailedToken(mails, email, /confirm/i);
    const both = await Promise.all([
      nobody.post("/auth/verify-email", { token }),
      nobody.post("/auth/verify-email", { token }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(both.find(({ status }) => status === 200)?.body.data).toEqual({ email_verified: true });
    expect((await self.get("/auth/me")).body.data.email_verified).toBe(true);
    expect((await nobody.post("/auth/verify-email", { token })).body.error?.code).toBe("VALIDATION_ERROR");
  });

  it("rejects a token issued for another purpose", async () => {
    const { email } = await registered(nobody);
    await nobody.done("/auth/forgot-password", { email });
    const token = mailedToken(mails, email, /new password/i);
    expect((await nobody.post("/auth/verify-email", { token })).status).toBe(400);
    const verification = mailedToken(mails, email, /confirm/i);
    const stolen = { token: verification, new_password: OTHER_PASSWORD };
    expect((await nobody.post("/auth/reset-password", stolen)).status).toBe(400);
    await signIn(nobody, email);
  });
});

describe("resetting a forgotten password", () => {
  const forget = (email: string) => nobody.post("/auth/forgot-password", { email });

  it("accepts the mailed token once, and ends every session", async () => {
    const { email, tokens } = await person();
    expect((await forget(email.toUpperCase())).status).toBe(202);
    const token = mailedToken(mails, email, /new password/i);
    const reset = { token, new_password: OTHER_PASSWORD, confirm_password: OTHER_PASSWORD };
    const both = await Promise.all([
      nobody.post("/auth/reset-password", reset),
      nobody.post("/auth/reset-password", { token, new_password: "what a thief would like" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await nobody.post("/auth/reset-password", reset)).status).toBe(400);
    await onceAllKnow(async () => expect(await isIn(tokens.access_token)).toBe(false));
    expect((await nobody.post("/auth/login", { email, password: PASSWORD })).status).toBe(401);
    const password = both[0].status === 200 ? OTHER_PASSWORD : "what a thief would like";
    const { access_token } = await signIn(nobody, email, { password });
    expect((await nobody.as(access_token).get("/auth/me")).body.data.email_verified).toBe(true);
  });

  it("returns the same response whether or not the address is registered", async () => {
    const { email } = await registered(nobody);
    const sent = mails.length;
    const timed = async (address: string) => {
      const start = performance.now();
      const { status, body } = await forget(address);
      return { status, data: body.data, milliseconds: performance.now() - start };
    };
    const [known, unknown] = await Promise.all([timed(email), timed(newEmail())]);
    const none = await timed("no address");
    expect([known.status, known.data]).toEqual([202, { accepted: true }]);
    expect([unknown.status, unknown.data]).toEqual([known.status, known.data]);
    expect([none.status, none.data]).toEqual([known.status, known.data]);
    // Every answer waits until a mail could have been sent. A timer may fire a few milliseconds early.
    for (const { milliseconds } of [known, unknown, none]) expect(milliseconds).toBeGreaterThan(490);
    expect(mails.slice(sent).map(({ to }) => to)).toEqual([email]);
  });

  it("keeps the token valid if the new password is rejected", async () => {
    const { email } = await registered(nobody);
    await forget(email);
    const token = mailedToken(mails, email, /new password/i);
    for (const given of [{ new_password: "short" }, { new_password: OTHER_PASSWORD, confirm_password: "no" }]) {
      expect((await nobody.post("/auth/reset-password", { token, ...given })).status).toBe(400);
    }
    await nobody.done("/auth/reset-password", { token, new_password: OTHER_PASSWORD });
  });

  it("invalidates earlier reset tokens", async () => {
    const { email } = await registered(nobody);
    await forget(email);
    const first = mailedToken(mails, email, /new password/i);
    await forget(email);
    const token = mailedToken(mails, email, /new password/i);
    await nobody.done("/auth/reset-password", { token, new_password: OTHER_PASSWORD });
    const again = await nobody.post("/auth/reset-password", { token: first, new_password: PASSWORD });
    expect(again.status).toBe(400);
  });

  it("revokes the API keys and second factor of a person who registered someone else's address", async () => {
    const { email, self } = await person();
    const made = { name: "left behind", permissions: ["memory:read"] };
    const { key } = await self.done("/api-keys", made);
    const { secret } = await self.done("/auth/2fa/setup");
    await self.done("/auth/2fa/enable", { otp: otpOf(secret, Date.now()) });
    const readsBy = async (by: string) => (await service.request("GET", "/memories", { key: by })).status;
    expect(await readsBy(key)).toBe(200);
    await forget(email);
    const token = mailedToken(mails, email, /new password/i);
    await nobody.done("/auth/reset-password", { token, new_password: OTHER_PASSWORD });
    await onceAllKnow(async () => expect(await readsBy(key)).toBe(401));
    const { access_token } = await signIn(nobody, email, { password: OTHER_PASSWORD });
    const own = await nobody.as(access_token).done("/api-keys", made);
    expect(await readsBy(own.key)).toBe(200);
    await forget(email);
    const again = mailedToken(mails, email, /new password/i);
    await nobody.done("/auth/reset-password", { token: again, new_password: PASSWORD });
    expect(await readsBy(own.key)).toBe(200);
  });

  it("ends an account lock", async () => {
    const { email } = await registered(nobody);
    const wrong = () => nobody.post("/auth/login", { email, password: OTHER_PASSWORD });
    await Promise.all(Array.from({ length: 10 }, wrong));
    expect((await nobody.post("/auth/login", { email, password: PASSWORD })).status).toBe(401);
    await forget(email);
    const token = mailedToken(mails, email, /new password/i);
    await nobody.done("/auth/reset-password", { token, new_password: OTHER_PASSWORD });
    await signIn(nobody, email, { password: OTHER_PASSWORD });
  });

  it("can be requested three times in a row for one address", async () => {
    const { email } = await registered(nobody);
    const answers = [await forget(email), await forget(email), await forget(email), await forget(email)];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 429]);
    expect(Number(answers[3]?.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
