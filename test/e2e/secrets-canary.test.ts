import { randomUUID } from "node:crypto";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { browse, openGoogle, type TestProvider } from "../fixtures/identity-provider.ts";
import { findLeaks, type Place, placesIn } from "../support/canary.ts";
import { routeAt } from "../support/documented.ts";
import { mailboxOf } from "../support/mailbox.ts";
import { mailedToken, newEmail, otpOf } from "../support/people.ts";
import { createOrganization, type LocalService, openService, type RequestOptions } from "../support/service.ts";
import { bearer } from "../support/users.ts";

const BASE = "https://memory.example";
/** The test hashes passwords many times. */
const RUN_MS = 60_000;

/** Routes whose answers contain a secret on purpose, each for the first and only time. */
const TELLS_A_SECRET = [
  "createApiKey",
  "rotateApiKey",
  "login",
  "refreshTokens",
  "verifySecondFactor",
  "setUpSecondFactor",
  "enableSecondFactor",
  "createUser",
  "createInvite",
  "startGoogleSignIn",
  "finishSocialSignIn",
];

/** Mails contain links on purpose, and the Secrets port stores keys. */
const MAY_HOLD_SECRETS = ["outbox", "secrets.json"];

let service: LocalService;
let provider: TestProvider;
const secrets = new Map<string, string>();
/** Contents that are no secrets, but that no log line and no audit record may contain. */
const contents = new Map<string, string>();
const logged: string[] = [];
const answered: Place[] = [];

/** Registers a secret by name and returns it. Throws an error if it is too short to exclude a match by chance. */
function note(what: string, value: string | undefined): string {
  if (value === undefined || value.length < 10) throw new Error(`'${what}' is no secret: ${value}`);
  secrets.set(what, value);
  return value;
}

function invent(what: string): string {
  return note(what, `${what.replaceAll(" ", "-")}-${randomUUID()}`);
}

async function ask(method: string, url: string, options: RequestOptions = {}) {
  const { status, body, headers } = await service.request(method, url, { key: null, ...options });
  const name = routeAt(method, url);
  const text = JSON.stringify([...headers, body]);
  if (status >= 400 || !TELLS_A_SECRET.includes(name)) {
    answered.push({ name: `${status} of ${name}`, bytes: Buffer.from(text) });
  }
  return { status, body, data: body?.data };
}

async function done(method: string, url: string, options: RequestOptions = {}) {
  const { status, body, data } = await ask(method, url, options);
  expect(status, `${method} ${url}: ${JSON.stringify(body)}`).toBeLessThan(300);
  return data;
}

async function refused(method: string, url: string, options: RequestOptions = {}) {
  const { status, body } = await ask(method, url, options);
  expect(status, `${method} ${url}: ${JSON.stringify(body)}`).toBeGreaterThanOrEqual(400);
}

/** Registers the tokens of a sign-in by their owner. */
function noteTokens(whose: string, { access_token, refresh_token }: { access_token: string; refresh_token: string }) {
  note(`access token of ${whose}`, access_token);
  note(`signature of the access token of ${whose}`, access_token.split(".")[2]);
  note(`refresh token of ${whose}`, refresh_token);
  return bearer(access_token);
}

async function useAccount(mails: { to: string; subject: string; text: string }[]): Promise<void> {
  const email = newEmail();
  const password = invent("registered password");
  await done("POST", "/auth/register", { body: { email, password, name: "Ada" } });
  const verification = note("verification token", mailedToken(mails, email, /Confirm/));
  await done("POST", "/auth/verify-email", { body: { token: verification } });
  await refused("POST", "/auth/verify-email", { body: { token: verification } });
  await refused("POST", "/auth/login", { body: { email, password: invent("mistyped password") } });
  await refused("POST", "/auth/login", { body: { email: invent("password in the place of an address"), password } });
  await done("POST", "/auth/register", {
    body: { email, password: invent("password of a second registration"), name: "Ada" },
  });
  await refused("POST", "/auth/register", { body: { email: invent("address that is none"), password, name: 7 } });
  const malformed = `{"email": "${email}", "password": "${invent("password in malformed JSON")}" "name": }`;
  const json = { "content-type": "application/json" };
  await refused("POST", "/auth/login", { body: malformed, headers: json });
  await refused("POST", "/auth/login", { body: malformed, headers: { "content-type": "text/plain" } });
  await refused("POST", "/auth/login", { body: note("short and malformed body", "hunter2.hunter2"), headers: json });
  await refused("POST", "/auth/login", { body: { email, password: [invent("password in a list")] } });

  const first = await done("POST", "/auth/login", { body: { email, password, remember_me: true } });
  let headers = noteTokens("a first sign-in", first);
  await refused("POST", "/auth/change-password", {
    headers,
    body: {
      current_password: password,
      new_password: invent("new password"),
      confirm_password: invent("confirmation"),
    },
  });
  const changed = invent("changed password");
  const change = { current_password: password, new_password: changed, confirm_password: changed };
  await done("POST", "/auth/change-password", { headers, body: change });
  await refused("GET", "/auth/me", { headers });

  const second = await done("POST", "/auth/login", { body: { email, password: changed } });
  headers = noteTokens("a second sign-in", second);
  const renewed = await done("POST", "/auth/refresh", { body: { refresh_token: second.refresh_token } });
  noteTokens("a renewed sign-in", renewed);
  await refused("POST", "/auth/refresh", { body: { refresh_token: second.refresh_token } });

  const third = await done("POST", "/auth/login", { body: { email, password: changed } });
  headers = noteTokens("a third sign-in", third);
  const offer = await done("POST", "/auth/2fa/setup", { headers });
  const shared = note("TOTP secret", offer.secret);
  const now = service.runtime.clock();
  await refused("POST", "/auth/2fa/enable", { headers, body: { otp: invent("code that is none") } });
  const { recovery_codes } = await done("POST", "/auth/2fa/enable", { headers, body: { otp: otpOf(shared, now) } });
  for (const [index, code] of recovery_codes.entries()) note(`recovery code ${index}`, code);
  const challenge = await done("POST", "/auth/login", { body: { email, password: changed } });
  const challenge_token = note("challenge", challenge.challenge_token);
  await refused("POST", "/auth/2fa/verify", {
    body: { challenge_token, recovery_code: invent("wrong recovery code") },
  });
  const [code] = recovery_codes;
  const fourth = await done("POST", "/auth/2fa/verify", { body: { challenge_token, recovery_code: code } });
  headers = noteTokens("a fourth sign-in", fourth);
  await done("POST", "/auth/2fa/disable", { headers, body: { otp: recovery_codes[1], password: changed } });

  await done("POST", "/auth/forgot-password", { body: { email } });
  const token = note("reset token", mailedToken(mails, email, /new password/));
  await refused("POST", "/auth/reset-password", { body: { token: invent("wrong token"), new_password: changed } });
  await done("POST", "/auth/reset-password", { body: { token, new_password: invent("reset password") } });
}

async function useKeys(key: string): Promise<void> {
  const made = await done("POST", "/api-keys", { key, body: { name: "canary", permissions: ["memory:write"] } });
  const own = note("key", made.key);
  const headers = { "idempotency-key": "canary" };
  const rotate = () => done("POST", `/api-keys/${made.id}/rotate`, { key, headers, body: {} });
  const rotated = await rotate();
  expect((await rotate()).new_key).toEqual(rotated.new_key);
  note("rotated key", rotated.new_key.key);
  await refused("GET", "/memories", { key: own });
  await refused("GET", "/memories", { key: invent("key that is none") });
  await refused("GET", "/memories", { headers: { authorization: `Bearer ${invent("bearer that is none")}` } });
  await refused("GET", "/memories", { headers: { authorization: `Basic ${invent("basic credential")}` } });
  await refused("GET", "/memories", { key: rotated.new_key.key });
  const content = "Ada keeps her diary under the floorboards of the observatory.";
  contents.set("content of a memory", content);
  const memory = await done("POST", "/memories", { key: rotated.new_key.key, body: { content } });
  await done("PUT", `/memories/${memory.id}`, { key: rotated.new_key.key, body: { content: `${content} No more.` } });
  await done("GET", "/search?q=floorboards+of+the+observatory", { key });
  contents.set("query of a search", "floorboards of the observatory");
  await done("DELETE", `/api-keys/${rotated.new_key.id}`, { key, body: { reason: "canary" } });
}

/** Creates a webhook that also receives later events, at an address that does not exist. */
async function useWebhooks(key: string): Promise<void> {
  const webhook = { name: "Nowhere", url: "https://nowhere.invalid/", events: ["memory.created"] };
  const definition = { ...webhook, delivery_config: { timeout_ms: 100, retry_count: 0 } };
  const body = { ...definition, secret: invent("secret of a webhook") };
  const { id } = await done("POST", "/webhooks", { key, body });
  await done("PUT", `/webhooks/${id}`, { key, body: { secret: invent("next secret of a webhook") } });
  await done("POST", `/webhooks/${id}/test`, { key, body: { event: "webhook.test" } });
  await done("GET", "/webhooks", { key });
  await refused("POST", "/webhooks", {
    key,
    body: { ...definition, url: "ftp://", secret: invent("secret of no webhook") },
  });
  const told = await service.request("POST", "/webhooks", { key, body: definition });
  note("secret that was made for a webhook", told.body.data.secret);
}

async function useContents(key: string): Promise<void> {
  const tell = (what: string, content: string) => {
    contents.set(what, content);
    return content;
  };
  const session = await done("POST", "/sessions", { key, body: { agent_id: "guide", user_id: "ada" } });
  const said = tell("message of a session", "My sister Charlotte must never hear of the orchard.");
  await done("POST", `/sessions/${session.id}/messages`, { key, body: { role: "user", content: said } });
  const noted = tell("metadata of a memory", "kept-between-the-two-of-us");
  const stored = tell("content of a second memory", "The ledger lies beneath the weathercock.");
  await done("POST", "/memories", { key, body: { content: stored, metadata: { note: noted } } });
  const read = tell("content of a source", "Chapter one: how the lighthouse keeper vanished in March.");
  await done("POST", "/sources/ingest", { key, body: { type: "text", content: read, title: "Canary" } });
  const action = tell("action of a skill", "Whisper the pass phrase of the harbour to nobody.");
  await done("POST", "/skills", { key, body: { name: "Canary", trigger: "a canary", action, domain: "test" } });
  const wrong = tell("content of a memory that is refused", "A refused thought about the locksmith.");
  await refused("POST", "/memories", { key, body: { content: wrong, metadata: 7 } });
  const path = tell("path that no route takes", "path-of-no-route-with-something-personal");
  await service.request("GET", `/${path}`, { key });
}

async function managePeople(key: string, mails: { to: string; subject: string; text: string }[]): Promise<void> {
  const email = newEmail();
  const password = invent("temporary password");
  const hired = { email, name: "Grace", role: "viewer", password };
  const { user } = await done("POST", "/admin/users", { key, body: hired });
  await refused("POST", "/admin/users", { key, body: { ...hired, password: invent("password of a second user") } });
  noteTokens("a new user", await done("POST", "/auth/login", { body: { email, password } }));
  await done("PUT", `/admin/users/${user.id}`, { key, body: { role: "editor" } });
  await done("POST", `/admin/users/${user.id}/suspend`, { key, body: { reason: "canary" } });
  await refused("POST", "/auth/login", { body: { email, password } });
  await done("POST", `/admin/users/${user.id}/activate`, { key, body: {} });
  await done("DELETE", `/admin/users/${user.id}`, { key, body: { reason: "canary" } });

  const invited = newEmail();
  const offer = { email: invited, name: "Alan", role: "viewer", permissions: [] };
  const invite = await done("POST", "/admin/invites", { key, body: offer });
  const shown = note("invitation's token", new URL(invite.invitation_url).searchParams.get("token") ?? "");
  const mail = mails.findLast(({ to }) => to === invited)?.text ?? "";
  note("mailed invitation's token", /token=([\w-]+)/.exec(mail)?.[1]);
  const accept = `/admin/invites/${invite.id}/accept`;
  const chosen = invent("password of the invited");
  await refused("POST", `${accept}?token=${invent("invitation's token that is none")}`, {
    body: { password: chosen, accept_terms: true },
  });
  await done("POST", `${accept}?token=${shown}`, { body: { password: chosen, accept_terms: true } });
  await refused("POST", accept, { body: { password: chosen, accept_terms: true, token: shown } });
}

async function signInAtProvider(): Promise<void> {
  note("client secret", provider.clientSecret);
  provider.people.set("1", { name: "Barbara", email: newEmail(), verified: true });
  const { authorization_url } = await done("GET", "/auth/google");
  const query = (await browse(authorization_url, "1")).searchParams;
  note("authorization code", query.get("code") ?? "");
  note("state", query.get("state") ?? "");
  noteTokens("a sign-in at a provider", await done("GET", `/auth/callback/google?${query}`));
  await refused("GET", `/auth/callback/google?${query}`);
}

/** Registers the keys that the Secrets port stores for the service itself. */
async function noteOwnSecrets(): Promise<void> {
  const { secrets: port } = service.runtime.ports;
  note("private half of the signing key", JSON.parse((await port.get("signing/signing-key-1")) ?? "{}").d);
  note("data key", await port.get("sealing/data-key"));
  await done("POST", "/admin/signing-keys/rotate", { key: service.adminKey, body: {} });
  note("private half of the next signing key", JSON.parse((await port.get("signing/signing-key-2")) ?? "{}").d);
}

beforeAll(async () => {
  const keep = (chunk: string | Uint8Array) => logged.push(Buffer.from(chunk).toString()) > 0;
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockImplementation(keep);
  provider = await openGoogle([`${BASE}/auth/callback/google`, `${BASE}/auth/google/callback`]);
  service = await openService({
    LOG_LEVEL: "debug",
    PUBLIC_URL: BASE,
    BOOTSTRAP_API_KEY: invent("first admin key"),
    GOOGLE_ISSUER: provider.url,
    GOOGLE_CLIENT_ID: provider.clientId,
    GOOGLE_CLIENT_SECRET: provider.clientSecret,
  });
  const mails = mailboxOf(service);
  const { key } = await createOrganization(service);
  note("key of an organization", key);
  await useAccount(mails);
  await useKeys(key);
  await useWebhooks(key);
  await useContents(key);
  await managePeople(key, mails);
  await signInAtProvider();
  await noteOwnSecrets();
  await service.runtime.rollups.flush();
  await new Promise(setImmediate);
}, RUN_MS);

afterAll(async () => {
  vi.restoreAllMocks();
  await service.close();
  await provider.close();
});

const logLines = (): Place[] =>
  logged.map((line) => ({ name: `log: ${line.slice(0, 120)}`, bytes: Buffer.from(line) }));

function kept(): Place[] {
  return placesIn(service.dataDir).filter(({ name }) => !MAY_HOLD_SECRETS.includes(name.split(path.sep)[0] ?? ""));
}

describe("the secrets used in a run of everything about identity", () => {
  it("are many", () => {
    expect(new Set(secrets.values()).size).toBeGreaterThan(60);
  });

  it("are in no log line", () => {
    expect(logged.join("").split("\n").length).toBeGreaterThan(50);
    expect(findLeaks(new Map([...secrets, ...contents]), logLines())).toEqual([]);
  });

  it("are neither in the stored logs nor in the responses that list them", async () => {
    const all = new Map([...secrets, ...contents]);
    const answers: Place[] = [];
    for (let offset = 0, isMore = true; isMore; offset += 500) {
      const { body } = await service.request("GET", `/admin/logs?limit=500&offset=${offset}`);
      answers.push({ name: `logs from ${offset}`, bytes: Buffer.from(JSON.stringify(body)) });
      isMore = body.data.pagination.has_next;
      expect(body.data.logs.length).toBeGreaterThan(offset === 0 ? 100 : 0);
    }
    const files = kept().filter(({ name }) => name.startsWith("logs"));
    expect(files.length).toBeGreaterThan(0);
    expect(findLeaks(all, [...answers, ...files])).toEqual([]);
  });

  it("are in no store, except the sent mails and the Secrets port", () => {
    const places = kept();
    expect(places.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["records.sqlite", "records.sqlite records"]),
    );
    expect(findLeaks(secrets, places)).toEqual([]);
  });

  it("are in the Secrets port only if they are the service's own keys, and in mails only if the mail is for them", () => {
    const places = placesIn(service.dataDir);
    const inSecrets = findLeaks(
      secrets,
      places.filter(({ name }) => name === "secrets.json"),
    );
    expect(inSecrets.map((leak) => leak.secret).sort()).toEqual([
      "data key",
      "private half of the next signing key",
      "private half of the signing key",
    ]);
    const mailed = findLeaks(
      secrets,
      places.filter(({ name }) => name.startsWith("outbox")),
    );
    expect([...new Set(mailed.map((leak) => leak.secret))].sort()).toEqual([
      "mailed invitation's token",
      "reset token",
      "verification token",
    ]);
  });

  it("are in no error, and only in the responses that exist to return them", () => {
    expect(answered.filter(({ name }) => name.startsWith("4")).length).toBeGreaterThan(20);
    expect(findLeaks(secrets, answered)).toEqual([]);
  });
});

describe("a leaked secret is found", () => {
  const leaksIn = (places: Place[]) => findLeaks(secrets, places).map((leak) => leak.secret);
  const sample = () => secrets.get("changed password") ?? "";

  it("in a log line", async () => {
    const before = logged.length;
    service.runtime.logger.debug("CANARY", { headers: { nested: [`Bearer ${sample()}`] } });
    await new Promise(setImmediate);
    expect(leaksIn(logLines())).toEqual(["changed password"]);
    logged.length = before;
    const { logs } = service.runtime.ports;
    await logs.find({ from: "1970-01-01", to: "9999-12-31" }, 1);
    const inLogs = () => leaksIn(kept().filter(({ name }) => name.startsWith("logs")));
    expect(inLogs()).toEqual(["changed password"]);
    await logs.prune(Date.now() + 60_000, false);
    expect(inLogs()).toEqual([]);
  });

  it.each([
    ["as it is", (value: string) => value],
    ["in base64", (value: string) => Buffer.from(value).toString("base64")],
    ["in hex", (value: string) => Buffer.from(value).toString("hex")],
  ])("in a record, %s", async (_how, form) => {
    const key = { pk: "canary", sk: randomUUID() };
    await service.runtime.ports.records.write({ put: { ...key, kind: "canary", nested: { told: form(sample()) } } });
    expect(leaksIn(kept())).toContain("changed password");
    await service.runtime.ports.records.write({ delete: key });
  });

  it("in a blob", async () => {
    const bytes = Buffer.from(`a backup that holds ${sample()}`);
    await service.runtime.ports.blobs.put("canary/blob", { bytes, contentType: "text/plain" });
    expect(leaksIn(kept().filter(({ name }) => name.startsWith("blobs")))).toEqual(["changed password"]);
    await service.runtime.ports.blobs.delete("canary/blob");
  });

  it("in an answer", () => {
    const bytes = Buffer.from(JSON.stringify({ error: { details: { given: sample() } } }));
    expect(leaksIn([...answered, { name: "400", bytes }])).toEqual(["changed password"]);
  });
});
