import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { putOrganization } from "../../shared/domain/identity/records.ts";
import { type NewUser, newUser } from "../../shared/domain/identity/registration.ts";
import { changeUser, findUser, putUser, type User } from "../../shared/domain/identity/users.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { browse, openGitHub, openGoogle, type TestProvider } from "../fixtures/identity-provider.ts";
import { listenOnLoopback } from "../fixtures/loopback-server.ts";
import { expectDocumented, routeAt } from "../support/documented.ts";
import type { Answered, TestedService } from "../support/service.ts";
import { openTestedService } from "../support/target.ts";
import { findUserByEmail, signInUser } from "../support/users.ts";

const BASE = "https://memory.example";
const AT = "2026-01-01T00:00:00.000Z";
const PAGE = "https://app.example/signed-in";
const PROVIDERS = ["google", "github"] as const;
type Name = (typeof PROVIDERS)[number];

const CHUNK = " ".repeat(64 * 1024);
/** Maximum bytes that are read of an endless response, including buffers on the way. */
const MAX_POURED = 16 * 1024 * 1024;

let service: TestedService;
let poured = 0;
const providers = {} as Record<Name, TestProvider>;
let people = 0;

beforeAll(async () => {
  for (const name of PROVIDERS) {
    const open = name === "google" ? openGoogle : openGitHub;
    providers[name] = await open([`${BASE}/auth/${name}/callback`, `${BASE}/auth/callback/${name}`, PAGE]);
  }
  const { google, github } = providers;
  service = await openTestedService({
    PUBLIC_URL: BASE,
    OAUTH_REDIRECT_URIS: `${PAGE}, https://other.example/`,
    GOOGLE_ISSUER: google.url,
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    GITHUB_URL: github.url,
    GITHUB_API_URL: github.url,
    GITHUB_CLIENT_ID: github.clientId,
    GITHUB_CLIENT_SECRET: github.clientSecret,
  });
});

afterAll(async () => {
  await service.close();
  for (const provider of Object.values(providers)) await provider.close();
});

it("are listed where they are configured", async () => {
  expect((await get("/auth/providers")).body.data).toEqual({ providers: ["google", "github"] });
});

async function get(path: string, token?: string): Promise<Answered> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await service.request("GET", path, { key: null, headers });
  expectDocumented(routeAt("GET", path), answer);
  return answer;
}

const queryOf = (given: Record<string, string>) => new URLSearchParams(given).toString();

async function start(name: Name, given: Record<string, string> = {}) {
  const { status, body } = await get(`/auth/${name}?${queryOf(given)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data as { authorization_url: string; state: string; expires_in: number };
}

/** Returns the parameters that the provider adds to the redirect address. */
const answerIn = (url: URL) => Object.fromEntries(url.searchParams);

function finish(name: string, answer: Record<string, string>): Promise<Answered> {
  return get(`/auth/callback/${name}?${queryOf(answer)}`);
}

/** Adds a person to a provider and returns their id there. */
function join(name: Name, given: { email?: string; verified?: boolean; name?: string } = {}): string {
  const id = String(++people);
  const email = given.email ?? `${randomUUID()}@example.com`;
  providers[name].people.set(id, { name: "Ada Lovelace", verified: true, ...given, email });
  return id;
}

/** Signs in completely: start, the provider, and the callback. */
async function signIn(name: Name, person: string, given: Record<string, string> = {}): Promise<Answered> {
  const { authorization_url } = await start(name, given);
  return finish(name, answerIn(await browse(authorization_url, person)));
}

/** Returns the state of the service, as a browser would see it. */
function stateOf({ authorization_url }: { authorization_url: string }): string {
  return new URL(authorization_url).searchParams.get("state") ?? "";
}

const codeOf = ({ status, body }: Answered) => [status, body.error?.code];

/** Stores a user as registration or an admin would, with a new address by default. */
async function makeLocalUser(given: Partial<NewUser>): Promise<User> {
  const org = service.runtime.ids("organization");
  const organization = { id: org, label: "Local", plan: "free" as const, operator: false, created_at: AT };
  const user = newUser(service.runtime, {
    org,
    email: `${randomUUID()}@example.com`,
    name: "Local",
    role: "admin",
    ...given,
  });
  await service.runtime.ports.records.write(putOrganization(organization), ...putUser(user));
  return user;
}

describe.each(PROVIDERS)("signing in by %s", (name) => {
  it("creates a user and an organization the first time, and finds them the next time", async () => {
    const email = `${randomUUID()}@Example.com`;
    const person = join(name, { email });
    const first = await signIn(name, person);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    const { user, access_token, refresh_token, expires_in, token_type } = first.body.data;
    expect(user).toEqual({
      id: expect.stringMatching(/^user_/),
      email: email.toLowerCase(),
      name: "Ada Lovelace",
      provider: name,
    });
    expect([expires_in, token_type, typeof refresh_token]).toEqual([900, "Bearer", "string"]);
    const { body } = await get("/auth/me", access_token);
    expect(body.data).toMatchObject({ id: user.id, email_verified: true, roles: ["admin"] });
    expect((await signIn(name, person)).body.data.user).toEqual(user);
  });

  it("identifies a person by the provider's id, even if their address and name change", async () => {
    const person = join(name);
    const { user } = (await signIn(name, person)).body.data;
    providers[name].people.set(person, { name: "Countess", email: `${randomUUID()}@example.com`, verified: false });
    expect((await signIn(name, person)).body.data.user).toEqual(user);
  });

  it("creates one user for two concurrent first sign-ins", async () => {
    const person = join(name);
    const both = await Promise.all([signIn(name, person), signIn(name, person)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(both.map(({ body }) => body.data.user.id)).size).toBe(1);
  });

  it("may redirect to either default address, or to a page that the operator allows", async () => {
    for (const [redirect_uri, path] of [
      [`${BASE}/auth/${name}/callback`, `/auth/${name}/callback`],
      [`${BASE}/auth/callback/${name}`, `/auth/callback/${name}`],
      [PAGE, `/auth/callback/${name}`],
    ] as const) {
      const back = await browse((await start(name, { redirect_uri })).authorization_url, join(name));
      expect(back.origin + back.pathname).toBe(redirect_uri);
      expect((await get(`${path}?${queryOf(answerIn(back))}`)).status).toBe(200);
    }
  });

  it("requests a code with PKCE and its own state, and returns the client's state", async () => {
    const { authorization_url, state, expires_in } = await start(name, { state: "the client's" });
    const asked = new URL(authorization_url).searchParams;
    expect([state, expires_in]).toEqual(["the client's", 600]);
    expect(asked.get("state")).toMatch(/^[\w-]{43}$/);
    expect(asked.get("code_challenge") ?? "").toMatch(/^[\w-]{43}$/);
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      client_id: providers[name].clientId,
      redirect_uri: `${BASE}/auth/${name}/callback`,
    });
    const { body } = await finish(name, answerIn(await browse(authorization_url, join(name))));
    expect(body.data.state).toBe("the client's");
    const unnamed = await start(name);
    expect(unnamed.state).toBe(new URL(unnamed.authorization_url).searchParams.get("state"));
  });

  it.each([
    ["an address nobody registered", "https://evil.example/"],
    ["a path below a registered one", `${PAGE}/more`],
    ["a query behind a registered one", `${PAGE}?next=https://evil.example`],
    ["a fragment behind a registered one", `${PAGE}#x`],
    ["a host that begins like a registered one", "https://app.example.evil.example/signed-in"],
    ["a name and password before a registered one", "https://evil.example@app.example/signed-in"],
    ["another scheme", "http://app.example/signed-in"],
    ["a script", "javascript:alert(1)"],
    ["no address at all", "//app.example/signed-in"],
    ["a registered one in capitals", PAGE.toUpperCase()],
    ["nothing", ""],
  ])("does not redirect to %s", async (_what, redirect_uri) => {
    const { status, body } = await get(`/auth/${name}?${queryOf({ redirect_uri })}`);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields[0].field).toBe("redirect_uri");
    expect(JSON.stringify(body)).not.toContain("evil");
  });

  it("refuses an address that the provider did not verify, and creates no user", async () => {
    const email = `${randomUUID()}@example.com`;
    const person = join(name, { email, verified: false });
    const { status, body } = await signIn(name, person);
    expect([status, body.error?.code]).toEqual([403, "FORBIDDEN"]);
    expect(body.error?.details).toEqual({ provider: name, reason: "email_not_verified" });
    expect(await findUserByEmail(service.runtime.ports.records, email)).toBeUndefined();
  });

  it("refuses what the provider refuses, and returns only an error code", async () => {
    const denied = await signIn(name, "nobody");
    expect(codeOf(denied)).toEqual([401, "OAUTH_REFUSED"]);
    expect(denied.body.error?.details).toEqual({ provider: name, reason: "access_denied" });
    const state = stateOf(await start(name));
    const { status, body } = await finish(name, { state, error: "<script>alert(1)</script>" });
    expect([status, body.error?.details.reason]).toEqual([401, "unknown_error"]);
    expect(codeOf(await finish(name, { state, code: "x" }))).toEqual([400, "OAUTH_STATE_INVALID"]);
  });

  it("refuses a response with a field that is too long", async () => {
    for (const part of ["code", "state", "iss"]) {
      const { status, body } = await finish(name, { code: "c", state: "s", [part]: "0".repeat(10_000) });
      expect(status).toBe(400);
      expect(body.error.code).toBe("VALIDATION_ERROR");
    }
  });

  it("refuses a state the second time, also concurrently", async () => {
    const back = answerIn(await browse((await start(name)).authorization_url, join(name)));
    const both = await Promise.all([finish(name, back), finish(name, back)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(codeOf(await finish(name, back))).toEqual([400, "OAUTH_STATE_INVALID"]);
  });

  it("refuses a code the second time", async () => {
    const back = answerIn(await browse((await start(name)).authorization_url, join(name)));
    expect((await finish(name, back)).status).toBe(200);
    const again = await finish(name, { ...back, state: stateOf(await start(name)) });
    expect(codeOf(again)).toEqual([401, "OAUTH_REFUSED"]);
  });

  it("refuses another user's code with the own state", async () => {
    const [mine, theirs] = [await start(name), await start(name)];
    const { code = "" } = answerIn(await browse(theirs.authorization_url, join(name)));
    expect(codeOf(await finish(name, { state: stateOf(mine), code }))).toEqual([401, "OAUTH_REFUSED"]);
  });

  it("refuses a code that was requested with another challenge", async () => {
    const begun = new URL((await start(name)).authorization_url);
    begun.searchParams.set("code_challenge", "x".repeat(43));
    const back = answerIn(await browse(begun.href, join(name)));
    expect(codeOf(await finish(name, back))).toEqual([401, "OAUTH_REFUSED"]);
  });

  it("refuses a state of the other provider, and invalidates it", async () => {
    const other = name === "google" ? "github" : "google";
    const back = answerIn(await browse((await start(other)).authorization_url, join(other)));
    const before = PROVIDERS.map((each) => providers[each].calls.length);
    expect(codeOf(await finish(name, back))).toEqual([400, "OAUTH_STATE_INVALID"]);
    expect(codeOf(await finish(other, back))).toEqual([400, "OAUTH_STATE_INVALID"]);
    expect(PROVIDERS.map((each) => providers[each].calls.length)).toEqual(before);
  });

  it("refuses an unknown state, a missing state and a missing code", async () => {
    const answers: Record<string, string>[] = [{ code: "x", state: "unknown" }, { code: "x" }, {}];
    for (const answer of answers) {
      expect(codeOf(await finish(name, answer))).toEqual([400, "OAUTH_STATE_INVALID"]);
    }
    const { status, body } = await finish(name, { state: stateOf(await start(name)) });
    expect([status, body.error?.details.fields[0].field]).toEqual([400, "code"]);
  });

  it("requests only the scopes that identify a user", async () => {
    const { status, body } = await get(`/auth/${name}?scope=email,repo,user:email`);
    expect([status, body.error?.details.fields[0].field]).toEqual([400, "scope"]);
  });
});

it("requests from each provider the scopes that it supports", async () => {
  const scopesAt = async (name: Name, given?: string) => {
    const { authorization_url } = await start(name, given === undefined ? {} : { scope: given });
    return new URL(authorization_url).searchParams.get("scope");
  };
  expect(await scopesAt("google")).toBe("openid email profile");
  expect(await scopesAt("google", "profile")).toBe("openid email profile");
  expect(await scopesAt("google", "email")).toBe("openid email");
  expect(await scopesAt("github")).toBe("user:email");
  expect(await scopesAt("github", "read:user, user:email")).toBe("user:email read:user");
});

it("refuses an ID token that was issued for another sign-in", async () => {
  const begun = new URL((await start("google")).authorization_url);
  expect(begun.searchParams.get("nonce") ?? "").toMatch(/^[\w-]{43}$/);
  begun.searchParams.set("nonce", "another-one");
  expect(codeOf(await finish("google", answerIn(await browse(begun.href, join("google")))))).toEqual([
    401,
    "OAUTH_REFUSED",
  ]);
});

it("refuses an answer from another issuer", async () => {
  const back = answerIn(await browse((await start("google")).authorization_url, join("google")));
  expect(back.iss).toBe(providers.google.url);
  expect(codeOf(await finish("google", { ...back, iss: "https://evil.example" }))).toEqual([401, "OAUTH_REFUSED"]);
});

it("two providers are supported", async () => {
  const { status, body } = await finish("nobody", { code: "x", state: "y" });
  expect([status, body.error?.code, body.error?.details]).toEqual([
    404,
    "PROVIDER_NOT_FOUND",
    { provider_id: "nobody" },
  ]);
});

describe("signing in with the address of an existing user", () => {
  let email = "";

  beforeEach(() => {
    email = `${randomUUID()}@example.com`;
  });

  it("links the accounts if both sides verified it, with any number of providers", async () => {
    const user = await makeLocalUser({ email, email_verified: true });
    for (const name of PROVIDERS) {
      const { status, body } = await signIn(name, join(name, { email: email.toUpperCase() }));
      expect([status, body.data?.user.id]).toEqual([200, user.id]);
    }
    const { identities, org } = (await findUserByEmail(service.runtime.ports.records, email)) as User;
    expect(identities.map(({ provider }) => provider).toSorted()).toEqual(["github", "google"]);
    expect(org).toBe(user.org);
  });

  it("links no account with an unverified address, and gives the address to the new user", async () => {
    const user = await makeLocalUser({ email, email_verified: false });
    const { status, body } = await signIn("google", join("google", { email }));
    expect(status).toBe(200);
    expect(body.data.user.id).not.toBe(user.id);
    const { records } = service.runtime.ports;
    expect(await findUserByEmail(records, email)).toMatchObject({ id: body.data.user.id, email_verified: true });
    expect(await findUser(records, user.org, user.id)).toMatchObject({ status: "inactive", identities: [] });
  });

  it("links no account if the provider did not verify it", async () => {
    const user = await makeLocalUser({ email, email_verified: true });
    expect(codeOf(await signIn("github", join("github", { email, verified: false })))).toEqual([403, "FORBIDDEN"]);
    expect(await findUserByEmail(service.runtime.ports.records, email)).toEqual(user);
  });

  it("is refused for the next owner of the address at the same provider", async () => {
    expect((await signIn("google", join("google", { email }))).status).toBe(200);
    expect(codeOf(await signIn("google", join("google", { email })))).toEqual([409, "EMAIL_EXISTS"]);
  });

  it("stays impossible for another person who registers it with a password", async () => {
    await signIn("google", join("google", { email }));
    const body = { email, password: "a password nobody would guess", name: "Mallory" };
    const { status } = await service.request("POST", "/auth/register", { key: null, body });
    expect(status).toBe(201);
    const answer = await service.request("POST", "/auth/login", {
      key: null,
      body: { email, password: body.password },
    });
    expect(codeOf(answer)).toEqual([401, "INVALID_CREDENTIALS"]);
  });
});

describe("a linked user", () => {
  async function linkedUser(name: Name, change: Partial<NewUser>) {
    const person = join(name);
    const user = await makeLocalUser({ identities: [{ provider: name, subject: person }], ...change });
    return { person, user };
  }

  it("gets no tokens while suspended, and gets the reason", async () => {
    const { person } = await linkedUser("google", { status: "suspended", suspended_until: "9999-12-31T23:59:59.999Z" });
    const { status, body } = await signIn("google", person);
    expect([status, body.error?.code, body.error?.details]).toEqual([403, "FORBIDDEN", { status: "suspended" }]);
  });

  it("must enter the second factor if it is enabled", async () => {
    const two_factor = { enabled: true, secret: "sealed", recovery_codes: [], last_step: 0 };
    const { person } = await linkedUser("github", { two_factor });
    const { status, body } = await signIn("github", person, { state: "mine" });
    expect([status, body.data]).toEqual([
      200,
      { two_factor_required: true, challenge_token: expect.any(String), expires_in: 300, state: "mine" },
    ]);
  });

  it("gets a new account after the deletion of the former one", async () => {
    const { person, user } = await linkedUser("google", { role: "user" });
    await service.runtime.ports.records.write(...changeUser(user, { status: "deleted" }, AT).writes);
    const { status, body } = await signIn("google", person);
    expect(status).toBe(200);
    expect(body.data.user.id).not.toBe(user.id);
  });
});

describe("a service", () => {
  async function opened(environment: Record<string, string>, use: (other: TestedService) => Promise<void>) {
    const other = await openTestedService({ PUBLIC_URL: BASE, ...environment });
    try {
      await use(other);
    } finally {
      await other.close();
    }
  }
  const ask = (other: TestedService, path: string) => other.request("GET", path, { key: null });

  it("without settings for a provider answers 503", async () => {
    await opened({ GOOGLE_CLIENT_ID: "an id without a secret" }, async (other) => {
      for (const name of PROVIDERS) {
        expect(codeOf(await ask(other, `/auth/${name}`))).toEqual([503, "OAUTH_NOT_CONFIGURED"]);
      }
    });
  });

  it("can read the client secret from the Secrets port", async () => {
    const { url, clientId, clientSecret } = providers.google;
    await opened({ GOOGLE_ISSUER: url, GOOGLE_CLIENT_ID: clientId }, async (other) => {
      await other.runtime.ports.secrets.putIfAbsent("providers/google-client-secret", clientSecret);
      const { body } = await ask(other, "/auth/google");
      const back = await browse(body.data.authorization_url, join("google"));
      expect((await ask(other, `/auth/google/callback${back.search}`)).status).toBe(200);
    });
  });

  it("with registration disabled admits only invited or existing users by providers, too", async () => {
    const { url, clientId, clientSecret } = providers.google;
    const settings = { GOOGLE_ISSUER: url, GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret };
    await opened({ ...settings, ALLOW_REGISTRATION: "0" }, async (other) => {
      const signInThere = async (person: string) => {
        const { body } = await ask(other, "/auth/google");
        return ask(other, `/auth/google/callback${(await browse(body.data.authorization_url, person)).search}`);
      };
      expect(codeOf(await signInThere(join("google")))).toEqual([403, "FORBIDDEN"]);
      const email = `${randomUUID()}@example.com`;
      await signInUser(other, { org: OPERATOR_ORG, role: "user", email, email_verified: true });
      expect((await signInThere(join("google", { email }))).status).toBe(200);
    });
  });

  it.each([
    ["is not there", () => Promise.reject(new Error("gone"))],
    ["answers nonsense", async (answer: ServerResponse) => void answer.end("nonsense")],
    ["never stops", async (answer: ServerResponse) => void pour(answer)],
    [
      "is another one than it should be",
      async (answer: ServerResponse) => void answer.end('{"issuer":"https://a.example"}'),
    ],
  ])("whose provider %s answers that the provider is unavailable", async (_what, respond) => {
    const server = await listenOnLoopback((_request, answer) => {
      answer.setHeader("content-type", "application/json");
      respond(answer).catch(() => answer.destroy());
    });
    const settings = { GOOGLE_ISSUER: server.url, GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" };
    await opened(settings, async (other) => {
      expect(codeOf(await ask(other, "/auth/google"))).toEqual([503, "SERVICE_UNAVAILABLE"]);
    });
    await server.close();
    expect(poured).toBeLessThan(MAX_POURED);
  });
});

/** Sends an endless response as fast as it is read, and counts the bytes. */
function pour(answer: ServerResponse): void {
  const more = () => {
    do poured += CHUNK.length;
    while (!answer.destroyed && answer.write(CHUNK));
  };
  answer.on("drain", more);
  more();
}
