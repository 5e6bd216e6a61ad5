import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, ofBrowser, openBrowser } from "../support/oauth.ts";
import { PASSWORD, Person } from "../support/people.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { bearer, hire } from "../support/users.ts";

const HOUR_MS = 3_600_000;

let now = Date.parse("2026-01-31T12:00:00Z");
let service: LocalService;
let adminKey: string;

beforeAll(async () => {
  service = await openService({}, () => now);
  ({ key: adminKey } = await createOrganization(service));
});
afterAll(() => service.close());

async function begin() {
  const user = await hire(service, adminKey, { role: "user" });
  return { ...user, browser: await openBrowser(service, user.token) };
}

const ask = (method: string, path: string, headers: Record<string, string>, body?: object) =>
  service.request(method, path, { key: null, headers, body });
const statusOf = async ({ cookie }: Browser) => (await ask("GET", "/auth/session", { cookie })).status;

describe("the session of a browser", () => {
  it("authenticates its user on every route, and a change only with its CSRF token", async () => {
    const { id, email, browser } = await begin();
    const read = await ask("GET", "/auth/session", { cookie: browser.cookie });
    expect(read.body.data).toEqual({ user: { id, email, name: "Ada" }, csrf_token: browser.csrf });
    expect(read.headers.get("etag")).toBeNull();
    expect((await ask("GET", "/memories", { cookie: browser.cookie })).status).toBe(200);
    const store = (headers: Record<string, string>) => ask("POST", "/memories", headers, { content: "Tea." });
    expect((await store({ cookie: browser.cookie })).body.error?.code).toBe("PERMISSION_DENIED");
    expect((await store(ofBrowser(browser))).status).toBe(201);
  });

  it("does not count beside another credential", async () => {
    const { browser } = await begin();
    const { status } = await ask("GET", "/memories", { cookie: browser.cookie, authorization: "Bearer wrong" });
    expect(status).toBe(401);
  });

  it("is not opened by a key, or with a temporary password", async () => {
    expect((await service.request("POST", "/auth/session", { key: adminKey, body: {} })).body.error?.code).toBe(
      "FORBIDDEN",
    );
    const temporary = "a temporary password";
    const given = { email: "temporary@example.com", name: "Ada", password: temporary, role: "user" };
    await service.request("POST", "/admin/users", { key: adminKey, body: given });
    const { access_token } = await new Person(service).done("/auth/login", { email: given.email, password: temporary });
    const { body } = await ask("POST", "/auth/session", bearer(access_token), {});
    expect(body.error?.code).toBe("PASSWORD_CHANGE_REQUIRED");
  });

  it("ends after 12 hours", async () => {
    const { browser } = await begin();
    now += 12 * HOUR_MS - 1_000;
    expect(await statusOf(browser)).toBe(200);
    // A process trusts what it has read for ten seconds.
    now += 12_000;
    expect(await statusOf(browser)).toBe(401);
  });

  it("ends when it is signed out, with its sign-in and its cookie", async () => {
    const { browser, token } = await begin();
    const { status, headers } = await ask("DELETE", "/auth/session", ofBrowser(browser), {});
    expect([status, headers.get("set-cookie")]).toEqual([
      200,
      expect.stringMatching(/^__Host-memory_session=;.*Max-Age=0$/),
    ]);
    expect(await statusOf(browser)).toBe(401);
    expect((await ask("GET", "/auth/me", bearer(token))).status).toBe(401);
  });

  it("ends with its sign-in, long after that one's access tokens have expired", async () => {
    const { browser, token } = await begin();
    await new Person(service).as(token).done("/auth/logout");
    expect(await statusOf(browser)).toBe(401);
    now += 2 * HOUR_MS;
    // The user's list of ended sessions forgets this one at the next sign-out.
    expect(await statusOf(browser)).toBe(401);
  });

  it("ends with the password", async () => {
    const { browser, token } = await begin();
    const change = {
      current_password: PASSWORD,
      new_password: "another password of hers",
      confirm_password: "another password of hers",
    };
    await new Person(service).as(token).done("/auth/change-password", change);
    expect(await statusOf(browser)).toBe(401);
  });
});
