import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "../../shared/domain/identity/password-hash.ts";
import { newUser } from "../../shared/domain/identity/registration.ts";
import { changeUser, putUser, type User, type UserChange, writeUser } from "../../shared/domain/identity/users.ts";
import type { Mail } from "../../shared/ports/mailer.ts";
import { mailboxOf } from "../support/mailbox.ts";
import { mailedToken, newEmail, otpOf, PASSWORD, Person, registered, signIn } from "../support/people.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { findUserByEmail } from "../support/users.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Maximum time for which a process caches a user. */
const TRUST = 10 * SECOND;
const NEW_PASSWORD = "another password of hers";

let now = Date.parse("2026-01-31T12:00:00Z");
let service: LocalService;
let nobody: Person;
let mails: Mail[];

beforeAll(async () => {
  service = await openService({}, () => now);
  mails = mailboxOf(service);
  nobody = new Person(service);
});
afterAll(() => service.close());

const login = (email: string, password = PASSWORD) => nobody.post("/auth/login", { email, password });
const isIn = async (token: string) => (await nobody.as(token).get("/auth/me")).status === 200;
const refresh = (refresh_token: string) => nobody.post("/auth/refresh", { refresh_token });

/** Changes a stored user as an admin would. */
async function administer(email: string, change: UserChange): Promise<User> {
  const { records } = service.runtime.ports;
  const user = await findUserByEmail(records, email);
  if (!user) throw new Error(`nobody has ${email}`);
  const { user: changed, writes } = changeUser(user, change, new Date(now).toISOString());
  await writeUser(records, ...writes);
  return changed;
}

describe("an account lock", () => {
  it("ends fifteen minutes after the tenth failure", async () => {
    const { email } = await registered(nobody);
    for (let failures = 0; failures < 10; failures++) {
      expect((await login(email, "a wrong password")).status).toBe(401);
      now += MINUTE;
    }
    now += 13 * MINUTE;
    const { status, body } = await login(email);
    expect([status, body.error?.details]).toEqual([401, { field: "password", attempts_remaining: 0, retry_after: 60 }]);
    now += MINUTE;
    expect((await login(email)).status).toBe(200);
  });

  it("is not extended by further attempts", async () => {
    const { email } = await registered(nobody);
    for (let failures = 0; failures < 10; failures++) await login(email, "a wrong password");
    for (let minutes = 0; minutes < 15; minutes++) {
      expect((await login(email, "a wrong password")).body.error?.details.attempts_remaining).toBe(0);
      now += MINUTE;
    }
    expect((await login(email)).status).toBe(200);
  });

  it("does not affect signed-in sessions", async () => {
    const { email } = await registered(nobody);
    const { access_token, refresh_token } = await signIn(nobody, email);
    for (let failures = 0; failures < 10; failures++) await login(email, "a wrong password");
    expect(await isIn(access_token)).toBe(true);
    expect((await refresh(refresh_token)).status).toBe(200);
  });
});

describe("token lifetimes:", () => {
  it("access tokens expire after fifteen minutes", async () => {
    const { email } = await registered(nobody);
    const { access_token } = await signIn(nobody, email);
    now += 15 * MINUTE - SECOND;
    expect(await isIn(access_token)).toBe(true);
    now += SECOND;
    expect(await isIn(access_token)).toBe(false);
  });

  it.each([
    ["seven days", {}, 7 * DAY],
    ["thirty days with remember_me", { remember_me: true }, 30 * DAY],
  ])("refresh tokens expire after %s without use", async (_what, given, lifetime) => {
    const { email } = await registered(nobody);
    const { refresh_token } = await signIn(nobody, email, given);
    now += lifetime - SECOND;
    const { status, body } = await refresh(refresh_token);
    expect(status).toBe(200);
    now += lifetime - SECOND;
    const again = await refresh(body.data.refresh_token);
    expect(again.status).toBe(200);
    now += lifetime + SECOND;
    expect((await refresh(again.body.data.refresh_token)).status).toBe(401);
  });

  it("verification tokens expire after 24 hours", async () => {
    const [early, late] = [await registered(nobody), await registered(nobody)];
    now += 24 * HOUR - SECOND;
    expect(
      (await nobody.post("/auth/verify-email", { token: mailedToken(mails, early.email, /confirm/i) })).status,
    ).toBe(200);
    now += 2 * SECOND;
    expect(
      (await nobody.post("/auth/verify-email", { token: mailedToken(mails, late.email, /confirm/i) })).status,
    ).toBe(400);
  });

  it("password reset tokens expire after an hour", async () => {
    const { email } = await registered(nobody);
    await nobody.done("/auth/forgot-password", { email });
    const token = mailedToken(mails, email, /new password/i);
    now += HOUR + SECOND;
    expect((await nobody.post("/auth/reset-password", { token, new_password: NEW_PASSWORD })).status).toBe(400);
  });

  it("two-factor challenges expire after five minutes", async () => {
    const { email } = await registered(nobody);
    const self = nobody.as((await signIn(nobody, email)).access_token);
    const { secret } = await self.done("/auth/2fa/setup");
    await self.done("/auth/2fa/enable", { otp: otpOf(secret, now) });
    const { challenge_token } = await signIn(nobody, email);
    now += 5 * MINUTE + SECOND;
    const late = await nobody.post("/auth/2fa/verify", { challenge_token, otp: otpOf(secret, now) });
    expect(late.body.error?.code).toBe("UNAUTHORIZED");
  });
});

describe("codes of an authenticator app", () => {
  it("are valid for one time step before and after their own, once for each step", async () => {
    const { email } = await registered(nobody);
    const self = nobody.as((await signIn(nobody, email)).access_token);
    const { secret } = await self.done("/auth/2fa/setup");
    await self.done("/auth/2fa/enable", { otp: otpOf(secret, now) });
    const verify = async (otp: string) => {
      const { challenge_token } = await signIn(nobody, email);
      return (await nobody.post("/auth/2fa/verify", { challenge_token, otp })).status;
    };
    now += 5 * MINUTE;
    expect([await verify(otpOf(secret, now, -2)), await verify(otpOf(secret, now, 2))]).toEqual([401, 401]);
    expect(await verify(otpOf(secret, now, 1))).toBe(200);
    expect([await verify(otpOf(secret, now)), await verify(otpOf(secret, now, -1))]).toEqual([401, 401]);
    now += 90 * SECOND;
    expect(await verify(otpOf(secret, now, -1))).toBe(200);
    const { access_token } = await (async () => {
      const { challenge_token } = await signIn(nobody, email);
      return nobody.done("/auth/2fa/verify", { challenge_token, otp: otpOf(secret, now) });
    })();
    const otp = otpOf(secret, now, 1);
    const off = await nobody.as(access_token).post("/auth/2fa/disable", { otp, password: PASSWORD });
    expect(off.status).toBe(200);
  });
});

describe("a blocked user", () => {
  it("that is suspended is signed out immediately and cannot sign in until the suspension ends", async () => {
    const { email } = await registered(nobody);
    const { access_token, refresh_token } = await signIn(nobody, email);
    await nobody.done("/auth/forgot-password", { email });
    const token = mailedToken(mails, email, /new password/i);
    const colleague = newUser(service.runtime, {
      org: await orgOf(email),
      email: newEmail(),
      name: "B",
      role: "admin",
    });
    await writeUser(service.runtime.ports.records, ...putUser(colleague));
    await administer(email, { status: "suspended", suspended_until: new Date(now + HOUR).toISOString() });
    now += TRUST;
    expect([await isIn(access_token), (await refresh(refresh_token)).status]).toEqual([false, 401]);
    const { status, body } = await login(email);
    expect([status, body.error?.code, body.error?.details]).toEqual([403, "FORBIDDEN", { status: "suspended" }]);
    expect((await login(email, "a wrong password")).body.error?.code).toBe("INVALID_CREDENTIALS");
    expect((await nobody.post("/auth/reset-password", { token, new_password: NEW_PASSWORD })).status).toBe(400);
    now += HOUR;
    const again = await login(email);
    expect(again.status).toBe(200);
    expect(await isIn(again.body.data.access_token)).toBe(true);
    expect([await isIn(access_token), (await refresh(refresh_token)).status]).toEqual([false, 401]);
    expect(await findUserByEmail(service.runtime.ports.records, email)).toMatchObject({ status: "active" });
  });

  it.each(["inactive", "deleted"] as const)(
    "that is %s is signed out immediately and cannot sign in",
    async (status) => {
      const { email } = await registered(nobody);
      const colleague = newUser(service.runtime, {
        org: await orgOf(email),
        email: newEmail(),
        name: "B",
        role: "admin",
      });
      await writeUser(service.runtime.ports.records, ...putUser(colleague));
      const { access_token, refresh_token } = await signIn(nobody, email);
      await administer(email, { status });
      now += TRUST;
      expect([await isIn(access_token), (await refresh(refresh_token)).status]).toEqual([false, 401]);
      const answer = await login(email);
      expect([answer.status, answer.body.error?.code]).toEqual(
        status === "deleted" ? [401, "INVALID_CREDENTIALS"] : [403, "FORBIDDEN"],
      );
    },
  );

  async function orgOf(email: string): Promise<string> {
    const user = await findUserByEmail(service.runtime.ports.records, email);
    return user?.org ?? "";
  }
});

describe("a temporary password", () => {
  /** Stores a user as an admin creates one, with all permissions after the password is changed. */
  async function made(): Promise<string> {
    const { org } = await createOrganization(service);
    const email = newEmail();
    const user = newUser(service.runtime, {
      org,
      email,
      name: "Ada",
      role: "admin",
      password_hash: await hashPassword(PASSWORD),
      must_change_password: true,
      temp_password_expires_at: new Date(now + 7 * DAY).toISOString(),
    });
    await writeUser(service.runtime.ports.records, ...putUser(user));
    return email;
  }

  it("only allows its user to change it", async () => {
    const email = await made();
    const answer = await signIn(nobody, email);
    expect(answer).toMatchObject({ password_change_required: true, user: { roles: ["admin"], permissions: [] } });
    const self = nobody.as(answer.access_token);
    expect((await self.get("/auth/me")).body.data).toMatchObject({ password_change_required: true, permissions: [] });
    for (const path of ["/memories", "/search?q=tea"]) {
      const headers = { authorization: `Bearer ${answer.access_token}` };
      expect((await service.request("GET", path, { key: null, headers })).status).toBe(403);
    }
    const refreshed = await refresh(answer.refresh_token);
    expect((await nobody.as(refreshed.body.data.access_token).get("/auth/me")).body.data.permissions).toEqual([]);
    const change = { current_password: PASSWORD, new_password: NEW_PASSWORD, confirm_password: NEW_PASSWORD };
    await self.done("/auth/change-password", change);
    const after = await signIn(nobody, email, { password: NEW_PASSWORD });
    expect(after).toMatchObject({ user: { permissions: ["admin:all"] } });
    expect(after.password_change_required).toBeUndefined();
  });

  it("is valid for seven days, and can be replaced by a mailed reset link afterwards", async () => {
    const email = await made();
    now += 7 * DAY - SECOND;
    expect((await login(email)).status).toBe(200);
    now += SECOND;
    const { status, body } = await login(email);
    expect([status, body.error?.code, body.error?.details?.field]).toEqual([401, "INVALID_CREDENTIALS", "password"]);
    await nobody.done("/auth/forgot-password", { email });
    const token = mailedToken(mails, email, /new password/i);
    await nobody.done("/auth/reset-password", { token, new_password: NEW_PASSWORD });
    const after = await signIn(nobody, email, { password: NEW_PASSWORD });
    expect(after).toMatchObject({ user: { permissions: ["admin:all"] } });
  });
});
