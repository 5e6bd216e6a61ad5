import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hashDummyPassword } from "../../shared/domain/identity/password-hash.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { listAudit } from "../../shared/runtime/audit/records.ts";
import { expectDocumented, routeAt } from "../support/documented.ts";
import { newEmail, PASSWORD, Person, registered, signIn } from "../support/people.ts";
import { type LocalService, openService } from "../support/service.ts";
import { findUserByEmail } from "../support/users.ts";

let service: LocalService;

/** A fixed clock, because token buckets refill every second and a test may take longer. */
const standstill = () => Date.parse("2026-01-31T12:00:00Z");

async function open(environment: Record<string, string> = {}, clock?: () => number): Promise<Person> {
  service = await openService(environment, clock);
  return new Person(service);
}
afterEach(async () => {
  vi.restoreAllMocks();
  await service.close();
});

/** Sends a request from a network address: a POST if it has a body. */
async function from(
  address: string,
  url: string,
  body?: object,
): Promise<{ status: number; retryAfter: string | null }> {
  const method = body === undefined ? "GET" : "POST";
  const headers = { "content-type": "application/json", "x-forwarded-for": "198.51.100.99" };
  const request = new Request(`http://localhost${url}`, { method, headers, body: JSON.stringify(body) });
  const response = await service.host.app.fetch(request, { incoming: { socket: { remoteAddress: address } } });
  const answer = { status: response.status, headers: response.headers, body: await response.json() };
  expectDocumented(routeAt(method, url), answer);
  return { status: response.status, retryAfter: response.headers.get("retry-after") };
}

describe("the rate limit of sign-in routes", () => {
  it("allows sixty requests a minute from one network, whatever account or credential they name", async () => {
    await open({}, standstill);
    const ask = (address: string) => from(address, "/auth/verify-email", { token: "unknown" });
    const answers = await Promise.all(Array.from({ length: 70 }, () => ask("203.0.113.7")));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(60);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
    const signIn = { email: newEmail(), password: PASSWORD };
    for (const [url, body] of [
      ["/auth/login", signIn],
      ["/auth/register", { ...signIn, name: "A" }],
      ["/auth/forgot-password", { email: newEmail() }],
      ["/auth/reset-password", { token: "unknown", new_password: PASSWORD }],
      ["/auth/2fa/verify", { challenge_token: "unknown", recovery_code: "unknown" }],
      ["/admin/invites/inv_none/accept", { password: PASSWORD, token: "unknown", accept_terms: true }],
    ] as const) {
      expect([url, (await from("203.0.113.7", url, body)).status]).toEqual([url, 429]);
    }
    for (const url of ["/auth/google", "/auth/google/callback?code=x&state=unknown"]) {
      expect([url, (await from("203.0.113.7", url)).status]).toEqual([url, 429]);
    }
    expect((await ask("203.0.113.8")).status).toBe(400);
  });

  it("allows twenty requests a minute for one address, from any network", async () => {
    await open({}, standstill);
    const email = newEmail();
    const statuses: number[] = [];
    for (let sender = 1; sender <= 25; sender++) {
      statuses.push((await from(`203.0.113.${sender}`, "/auth/login", { email, password: PASSWORD })).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });

  it("allows three hundred token refreshes a minute from one network, apart from sign-ins", async () => {
    await open({}, standstill);
    const ask = () => from("203.0.113.7", "/auth/refresh", { refresh_token: "unknown" });
    const statuses: number[] = [];
    for (let round = 0; round < 31; round++) {
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, ask))).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(300);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    const signingIn = await from("203.0.113.7", "/auth/login", { email: newEmail(), password: PASSWORD });
    expect(signingIn.status).toBe(401);
  });

  it("rejects requests with 503 while the store is down", async () => {
    const nobody = await open();
    const { email } = await registered(nobody);
    const { records } = service.runtime.ports;
    vi.spyOn(records, "write").mockRejectedValue(new Error("the store is down"));
    vi.spyOn(service.runtime.logger, "error").mockReturnValue();
    for (const [url, body] of [
      ["/auth/login", { email, password: PASSWORD }],
      ["/auth/register", { email: newEmail(), password: PASSWORD, name: "A" }],
      ["/auth/forgot-password", { email }],
    ] as const) {
      const { status, body: answer } = await nobody.post(url, body);
      expect([url, status, answer.error?.code]).toEqual([url, 503, "SERVICE_UNAVAILABLE"]);
    }
    expect((await from("203.0.113.7", "/auth/verify-email", { token: "unknown" })).status).toBe(503);
    expect((await from("203.0.113.7", "/auth/refresh", { refresh_token: "unknown" })).status).toBe(503);
  });
});

it("a password that could not be verified for lack of capacity does not count as a failure", async () => {
  const nobody = await open();
  const { email } = await registered(nobody);
  const self = nobody.as((await signIn(nobody, email)).access_token);
  let isOver = false;
  const crowd = Array.from({ length: 20 * availableParallelism() + 60 }, async () => {
    while (!isOver) await hashDummyPassword(PASSWORD).catch(() => delay(1));
  });
  const body = {
    current_password: PASSWORD,
    new_password: "another one of hers",
    confirm_password: "another one of hers",
  };
  for (let attempt = 0; attempt < 10; attempt++) {
    expect((await self.post("/auth/change-password", body)).status).toBe(503);
  }
  isOver = true;
  await Promise.all(crowd);
  expect((await self.post("/auth/change-password", body)).status).toBe(200);
});

describe("registration", () => {
  it("can be disabled", async () => {
    const nobody = await open({ ALLOW_REGISTRATION: "false" });
    const { status, body } = await nobody.post("/auth/register", { email: newEmail(), password: PASSWORD, name: "A" });
    expect([status, body.error?.code]).toEqual([403, "FORBIDDEN"]);
  });

  it("assigns the plan that the operator configured", async () => {
    const nobody = await open({ DEFAULT_PLAN: "pro" });
    const { email } = await registered(nobody);
    const { access_token } = await signIn(nobody, email);
    const headers = { authorization: `Bearer ${access_token}` };
    const { headers: told } = await service.request("GET", "/memories", { key: null, headers });
    expect(told.get("ratelimit-policy")).toBe('"general";q=1000;w=60');
  });
});

describe("an organization registered on the local platform", () => {
  it("can store more memories in a minute than the free plan allows", async () => {
    const nobody = await open({});
    const { email } = await registered(nobody);
    const { access_token } = await signIn(nobody, email);
    const headers = { authorization: `Bearer ${access_token}` };
    for (let turn = 0; turn < 12; turn++) {
      const body = { content: `Ada drinks cup ${turn} of tea.` };
      const answer = await service.request("POST", "/memories", { key: null, headers, body });
      expect([answer.status, answer.headers.has("ratelimit")]).toEqual([201, false]);
    }
  });
});

describe("mail", () => {
  it("is written to the outbox on the local platform, with a link to the public URL", async () => {
    const nobody = await open({ PUBLIC_URL: "https://memory.example.com/" });
    const { email } = await registered(nobody);
    const outbox = path.join(service.dataDir, "outbox");
    const [file = ""] = readdirSync(outbox);
    const mail = readFileSync(path.join(outbox, file), "utf8");
    expect(mail).toContain(`To: ${email}`);
    expect(mail).toMatch(/^https:\/\/memory\.example\.com\/auth\/verify-email#token=[\w-]{43}$/m);
  });

  it("that cannot be sent is logged, and the response does not reveal it", async () => {
    const nobody = await open();
    vi.spyOn(service.runtime.ports.mailer, "send").mockRejectedValue(new Error("refused by 192.0.2.1"));
    const logged = vi.spyOn(service.runtime.logger, "error").mockReturnValue();
    const { email } = await registered(nobody);
    const [known, unknown] = [
      await nobody.post("/auth/forgot-password", { email }),
      await nobody.post("/auth/forgot-password", { email: newEmail() }),
    ];
    expect([known.status, known.body.data]).toEqual([unknown.status, unknown.body.data]);
    expect(logged.mock.calls.map(([message, fields]) => [message, fields?.topic])).toEqual([
      ["MAIL_NOT_SENT", "email_verification"],
      ["MAIL_NOT_SENT", "password_reset"],
    ]);
  });
});

describe("the audit log", () => {
  it("records sign-ins that succeed, fail, lock the account or name no account", async () => {
    const nobody = await open();
    const { email, user } = await registered(nobody);
    const stranger = newEmail();
    for (let failures = 0; failures < 10; failures++) {
      await nobody.post("/auth/login", { email, password: "a wrong password" });
    }
    await nobody.post("/auth/login", { email: stranger, password: "a wrong password" });
    const { records } = service.runtime.ports;
    const { org } = (await findUserByEmail(records, email)) ?? { org: "" };
    const page = { limit: 100, offset: 0 };
    const told = async (of: string) =>
      (await listAudit(records, { org: of }, {}, page)).entries.map(({ action, outcome, actor, target }) => ({
        action,
        outcome,
        actor: actor.id ?? actor.kind,
        target,
      }));
    const failure = { outcome: "refused", actor: "anonymous", target: user.id };
    expect(await told(org)).toEqual([
      { ...failure, action: "auth.locked" },
      ...Array(9).fill({ ...failure, action: "auth.login" }),
      { action: "user.registered", outcome: "success", actor: user.id, target: user.id },
    ]);
    expect(await told(OPERATOR_ORG)).toContainEqual({
      action: "auth.login",
      outcome: "refused",
      actor: "anonymous",
      target: undefined,
    });
  });

  it("records changes of passwords, second factors and sessions, without secrets", async () => {
    const nobody = await open();
    const { email, user } = await registered(nobody);
    const { access_token, refresh_token } = await signIn(nobody, email);
    const self = nobody.as(access_token);
    await self.done("/auth/2fa/setup");
    await nobody.done("/auth/refresh", { refresh_token });
    await nobody.post("/auth/refresh", { refresh_token });
    const again = nobody.as((await signIn(nobody, email)).access_token);
    const other = "another password of hers";
    await again.done("/auth/change-password", {
      current_password: PASSWORD,
      new_password: other,
      confirm_password: other,
    });
    const last = nobody.as((await signIn(nobody, email, { password: other })).access_token);
    await last.done("/auth/logout");
    const { records } = service.runtime.ports;
    const { org } = (await findUserByEmail(records, email)) ?? { org: "" };
    const { entries } = await listAudit(records, { org }, {}, { limit: 100, offset: 0 });
    expect(entries.map(({ action }) => action).reverse()).toEqual([
      "user.registered",
      "auth.login",
      "auth.refresh_reused",
      "auth.login",
      "auth.password_changed",
      "auth.login",
      "auth.logout",
    ]);
    for (const { target } of entries) expect(target).toBe(user.id);
    for (const secret of [PASSWORD, other, access_token, refresh_token])
      expect(JSON.stringify(entries)).not.toContain(secret);
  });
});
