import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { otpOf, PASSWORD, Person, registered, signIn } from "../support/people.ts";
import type { TestedService } from "../support/service.ts";
import { openTestedService } from "../support/target.ts";
import { findUserByEmail } from "../support/users.ts";

let service: TestedService;
let nobody: Person;

beforeAll(async () => {
  service = await openTestedService();
  nobody = new Person(service);
});
afterAll(() => service.close());

const now = () => service.runtime.clock();

/** Registers a person who has set up a second factor but not enabled it. */
async function prepared() {
  const { email, user } = await registered(nobody);
  const tokens = await signIn(nobody, email);
  const self = nobody.as(tokens.access_token);
  const offer = await self.done("/auth/2fa/setup");
  return { email, user, tokens, self, offer, secret: offer.secret as string };
}

/** Registers a person with a second factor. `usedOtp` is used up, but the next code is already valid. */
async function protectedPerson() {
  const person = await prepared();
  const usedOtp = otpOf(person.secret, now());
  const { recovery_codes } = await person.self.done("/auth/2fa/enable", { otp: usedOtp });
  return { ...person, usedOtp, codes: recovery_codes as string[], nextOtp: () => otpOf(person.secret, now(), 1) };
}

async function challenged(email: string): Promise<string> {
  const answer = await signIn(nobody, email);
  expect(answer).toEqual({ two_factor_required: true, challenge_token: expect.any(String), expires_in: 300 });
  return answer.challenge_token;
}

const verify = (challenge_token: string, code: object) => nobody.post("/auth/2fa/verify", { challenge_token, ...code });
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

describe("setting up two-factor authentication", () => {
  it("returns a secret, a link and a QR code, and does not change sign-ins yet", async () => {
    const { offer, email } = await prepared();
    expect(offer).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauth_url: expect.stringContaining(`secret=${offer.secret}`),
      qr_svg: expect.stringMatching(/^<svg/),
    });
    expect((await signIn(nobody, email)).access_token).toBeDefined();
  });

  it("again returns another secret and invalidates the first", async () => {
    const { self, secret } = await prepared();
    const again = await self.done("/auth/2fa/setup");
    expect(again.secret).not.toBe(secret);
    expect((await self.post("/auth/2fa/enable", { otp: otpOf(secret, now()) })).status).toBe(401);
    await self.done("/auth/2fa/enable", { otp: otpOf(again.secret, now()) });
  });

  it("stores the secret encrypted", async () => {
    const { email, user, secret } = await prepared();
    const { records } = service.runtime.ports;
    const org = (await findUserByEmail(records, email))?.org;
    const stored = await records.get({ pk: `${org}#${user.id}`, sk: "user" });
    expect(stored?.two_factor).toMatchObject({ enabled: false, secret: expect.stringMatching(/^v1\./) });
    expect(JSON.stringify(stored)).not.toContain(secret);
  });
});

describe("enabling two-factor authentication", () => {
  it("requires a code, ends every session and returns ten recovery codes", async () => {
    const { self, secret, tokens } = await prepared();
    const { status, body } = await self.post("/auth/2fa/enable", { otp: otpOf(secret, now()).replace(/(...)/, "$1 ") });
    expect(status).toBe(200);
    expect(body.data).toEqual({ two_factor_enabled: true, recovery_codes: expect.any(Array) });
    expect(new Set(body.data.recovery_codes).size).toBe(10);
    expect((await self.get("/auth/me")).status).toBe(401);
    expect((await nobody.post("/auth/refresh", { refresh_token: tokens.refresh_token })).status).toBe(401);
  });

  it("rejects a wrong code, and any code before setup", async () => {
    const { self, secret, email } = await prepared();
    const wrong = String((Number(otpOf(secret, now())) + 1) % 1_000_000).padStart(6, "0");
    const { status, body } = await self.post("/auth/2fa/enable", { otp: wrong });
    expect([status, body.error?.code]).toEqual([401, "INVALID_CREDENTIALS"]);
    expect(body.error?.details).toEqual({ field: "otp", attempts_remaining: 9 });
    expect((await signIn(nobody, email)).access_token).toBeDefined();
    const { email: other } = await registered(nobody);
    const bare = nobody.as((await signIn(nobody, other)).access_token);
    expect((await bare.post("/auth/2fa/enable", { otp: wrong })).body.error?.code).toBe("CONFLICT");
    for (const otp of ["", "12345", "1234567", "abcdef", "１２３４５６"]) {
      expect((await self.post("/auth/2fa/enable", { otp })).body.error?.code).toBe("VALIDATION_ERROR");
    }
  });

  it("is rejected, like setup, while it is already enabled", async () => {
    const { email, codes } = await protectedPerson();
    const { data } = (await verify(await challenged(email), { recovery_code: codes[0] })).body;
    const self = nobody.as(data.access_token);
    expect((await self.post("/auth/2fa/setup")).body.error?.code).toBe("CONFLICT");
    expect((await self.post("/auth/2fa/enable", { otp: "123456" })).body.error?.code).toBe("CONFLICT");
    expect((await self.get("/auth/me")).body.data.security.two_factor_enabled).toBe(true);
  });
});

describe("signing in with two factors", () => {
  it("returns the same response as a sign-in once a code is verified", async () => {
    const { email, user, nextOtp } = await protectedPerson();
    const { status, body } = await verify(await challenged(email), { otp: nextOtp() });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 900,
      token_type: "Bearer",
      user: { id: user.id, email, name: "Ada", roles: ["admin"], permissions: ["admin:all"] },
    });
    expect((await nobody.as(body.data.access_token).get("/auth/me")).status).toBe(200);
  });

  it("accepts a code once: not again after enabling, nor after a sign-in", async () => {
    const { email, usedOtp, nextOtp } = await protectedPerson();
    const challenge = await challenged(email);
    const used = await verify(challenge, { otp: usedOtp });
    expect([used.status, used.body.error?.code]).toEqual([401, "INVALID_CREDENTIALS"]);
    const otp = nextOtp();
    expect((await verify(challenge, { otp })).status).toBe(200);
    expect((await verify(await challenged(email), { otp })).status).toBe(401);
  });

  it("accepts a code once if two challenges use it concurrently", async () => {
    const { email, nextOtp } = await protectedPerson();
    const [one, other] = [await challenged(email), await challenged(email)];
    const otp = nextOtp();
    expect(statuses(await Promise.all([verify(one, { otp }), verify(other, { otp })]))).toEqual([200, 401]);
  });

  it("accepts a challenge once", async () => {
    const { email, nextOtp, codes } = await protectedPerson();
    const challenge = await challenged(email);
    const both = await Promise.all([
      verify(challenge, { otp: nextOtp() }),
      verify(challenge, { recovery_code: codes[0] }),
    ]);
    expect(statuses(both)).toEqual([200, 401]);
    const { status, body } = await verify(challenge, { recovery_code: codes[1] });
    expect([status, body.error?.code]).toEqual([401, "UNAUTHORIZED"]);
  });

  it("accepts each recovery code once", async () => {
    const { email, codes } = await protectedPerson();
    const [first = "", second = ""] = codes;
    const typed = first.toLowerCase().replaceAll("-", " ");
    expect((await verify(await challenged(email), { recovery_code: typed })).status).toBe(200);
    const again = await verify(await challenged(email), { recovery_code: first });
    expect([again.status, again.body.error?.details]).toEqual([401, { field: "recovery_code", attempts_remaining: 9 }]);
    const [one, other] = [await challenged(email), await challenged(email)];
    const race = await Promise.all([verify(one, { recovery_code: second }), verify(other, { recovery_code: second })]);
    expect(statuses(race)).toEqual([200, 401]);
  });

  it("locks after ten wrong codes across challenges, without locking the password", async () => {
    const { email, nextOtp } = await protectedPerson();
    const challenge = await challenged(email);
    const wrong = await Promise.all(Array.from({ length: 12 }, () => verify(challenge, { recovery_code: "none" })));
    const remaining = wrong.map(({ body }) => body.error?.details.attempts_remaining).sort((a, b) => a - b);
    expect(remaining).toEqual([0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const locked = await verify(await challenged(email), { otp: nextOtp() });
    expect([locked.status, locked.body.error?.details]).toEqual([
      401,
      { field: "otp", attempts_remaining: 0, retry_after: expect.any(Number) },
    ]);
  });

  it("rejects unknown challenges, and challenge tokens on other routes", async () => {
    const { email, codes } = await protectedPerson();
    const challenge_token = await challenged(email);
    for (const token of ["", "unknown"]) {
      expect((await verify(token, { recovery_code: codes[0] })).status).toBeGreaterThanOrEqual(400);
    }
    expect((await nobody.as(challenge_token).get("/auth/me")).status).toBe(401);
    expect((await nobody.post("/auth/refresh", { refresh_token: challenge_token })).status).toBe(401);
    const stolen = { token: challenge_token, new_password: "what a thief would like" };
    expect((await nobody.post("/auth/reset-password", stolen)).status).toBe(400);
    for (const code of [{}, { otp: "123456", recovery_code: codes[0] }]) {
      expect((await verify(challenge_token, code)).body.error?.code).toBe("VALIDATION_ERROR");
    }
  });

  it("rejects a challenge once the credentials it was issued for change", async () => {
    const { email, codes } = await protectedPerson();
    const stale = await challenged(email);
    const { data } = (await verify(await challenged(email), { recovery_code: codes[0] })).body;
    await nobody.as(data.access_token).done("/auth/logout", { all_sessions: true });
    expect((await verify(stale, { recovery_code: codes[1] })).body.error?.code).toBe("UNAUTHORIZED");
  });
});

describe("disabling two-factor authentication", () => {
  /** Signs in a person with two factors and returns an unused recovery code. */
  async function signedIn() {
    const { email, codes } = await protectedPerson();
    const { data } = (await verify(await challenged(email), { recovery_code: codes[0] })).body;
    return { email, self: nobody.as(data.access_token), code: codes[1] ?? "" };
  }

  it("requires the password and a code, and ends every session", async () => {
    const { email, self, code } = await signedIn();
    const { status, body } = await self.post("/auth/2fa/disable", { otp: code, password: PASSWORD });
    expect([status, body.data]).toEqual([200, { two_factor_enabled: false }]);
    expect((await self.get("/auth/me")).status).toBe(401);
    const again = nobody.as((await signIn(nobody, email)).access_token);
    expect((await again.post("/auth/2fa/disable", { otp: code, password: PASSWORD })).body.error?.code).toBe(
      "CONFLICT",
    );
  });

  it("rejects a wrong password or a wrong code", async () => {
    const { self, code } = await signedIn();
    const wrongPassword = await self.post("/auth/2fa/disable", { otp: code, password: "a wrong password" });
    expect(wrongPassword.body.error).toMatchObject({ code: "INVALID_CREDENTIALS", details: { field: "password" } });
    const wrongCode = await self.post("/auth/2fa/disable", { otp: "none", password: PASSWORD });
    expect(wrongCode.body.error).toMatchObject({ code: "INVALID_CREDENTIALS", details: { field: "otp" } });
    expect((await self.get("/auth/me")).body.data.security.two_factor_enabled).toBe(true);
  });
});
