import { IssuerMismatchError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isRedirectUri, isRegistered } from "../../shared/domain/identity/authorization-server/redirects.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { listenOnLoopback } from "../fixtures/loopback-server.ts";
import {
  type Browser,
  connect,
  newProvider,
  newVerifier,
  OAuthClient,
  type OAuthService,
  ofBrowser,
  openBrowser,
  openOAuthService,
  PUBLIC_URL,
  REDIRECT_URI,
} from "../support/oauth.ts";
import { createOrganization } from "../support/service.ts";
import { bearer, signInUser } from "../support/users.ts";

let service: OAuthService;
let org: string;
let browser: Browser;
let token: string;
let client: OAuthClient;

beforeAll(async () => {
  service = await openOAuthService();
  ({ org } = await createOrganization(service));
  ({ token } = await signInUser(service, { org, role: "admin" }));
  browser = await openBrowser(service, token);
  client = await OAuthClient.register(service);
});
afterAll(() => service.close());

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const mcp = (access: string) => service.request("POST", "/mcp", { key: null, headers: bearer(access), body: PING });
const invalidGrant = { status: 400, body: { error: "invalid_grant" } };

describe("a code", () => {
  it("that is replayed is refused, and ends what it was redeemed for", async () => {
    const code = await client.code(browser);
    const { body: tokens } = await client.redeem(code);
    expect((await mcp(tokens.access_token)).status).toBe(200);
    expect(await client.redeem(code)).toMatchObject(invalidGrant);
    expect((await mcp(tokens.access_token)).status).toBe(401);
    expect(await client.refresh(tokens.refresh_token)).toMatchObject(invalidGrant);
  });

  it("that is redeemed by many requests at once gives tokens to none in the end", async () => {
    const code = await client.code(browser);
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.redeem(code)));
    const issued = answers.filter(({ status }) => status === 200);
    expect(issued.length).toBeLessThanOrEqual(1);
    for (const { body } of issued) expect((await mcp(body.access_token)).status).toBe(401);
  });

  it("is useless to another client, to another redirect URI, and without its verifier", async () => {
    const foreign = await OAuthClient.register(service);
    const code = await client.code(browser);
    const verifier = client.pkce.verifier;
    expect(await foreign.redeem(code, { code_verifier: verifier })).toMatchObject(invalidGrant);
    expect(await client.redeem(code, { redirect_uri: `${REDIRECT_URI}/` })).toMatchObject(invalidGrant);
    for (const wrong of [newVerifier().verifier, client.pkce.challenge, "", "short", `${verifier}x`]) {
      expect(await client.redeem(code, { code_verifier: wrong })).toMatchObject(invalidGrant);
    }
    expect((await client.redeem(code)).status).toBe(200);
  });
});

describe("a refresh token", () => {
  it("that is used again ends its family", async () => {
    const first = await connect(client, browser);
    const { body: second } = await client.refresh(first.refresh_token);
    expect((await mcp(second.access_token)).status).toBe(200);
    expect(await client.refresh(first.refresh_token)).toMatchObject(invalidGrant);
    expect(await client.refresh(second.refresh_token)).toMatchObject(invalidGrant);
    for (const each of [first, second]) expect((await mcp(each.access_token)).status).toBe(401);
  });

  it("is useless to another client and at the sign-in's own refresh, and stays valid", async () => {
    const tokens = await connect(client, browser);
    const foreign = await OAuthClient.register(service);
    expect(await foreign.refresh(tokens.refresh_token)).toMatchObject(invalidGrant);
    const body = { refresh_token: tokens.refresh_token };
    expect((await service.request("POST", "/auth/refresh", { key: null, body })).status).toBe(401);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it("does not widen what was granted", async () => {
    const tokens = await connect(client, browser, { access: "read" });
    for (const scope of ["memory:write", "memory:read memory:write", "admin:all"]) {
      const refused = await client.refresh(tokens.refresh_token, { scope });
      expect([scope, refused.body.error]).toEqual([scope, "invalid_scope"]);
    }
    const { body } = await client.refresh(tokens.refresh_token, {
      scope: "memory:read",
      resource: `${PUBLIC_URL}/mcp`,
    });
    expect(body.scope).toBe("memory:read");
  });
});

describe("an access token", () => {
  it("is refused by every resource but its own", async () => {
    const forMcp = await connect(client, browser);
    const forApi = await connect(client, browser, { resource: `${PUBLIC_URL}/` });
    const read = (access: string) => service.request("GET", "/memories", { key: null, headers: bearer(access) });
    expect([(await mcp(forMcp.access_token)).status, (await read(forMcp.access_token)).status]).toEqual([200, 401]);
    expect([(await mcp(forApi.access_token)).status, (await read(forApi.access_token)).status]).toEqual([401, 200]);
    for (const resource of ["https://other.example/mcp", `${PUBLIC_URL}/mcp/x`, `${PUBLIC_URL}x/mcp`, "memory", ""]) {
      const { status, body } = await client.consent(browser, { resource });
      expect([resource, status, body.error?.code]).toEqual([resource, 400, "INVALID_TARGET"]);
    }
    const code = await client.code(browser);
    expect((await client.redeem(code, { resource: PUBLIC_URL })).body.error).toBe("invalid_target");
  });

  it("of another deployment is refused, even with the same keys", async () => {
    const { access_token } = await connect(client, browser);
    const { tokens } = service.runtime;
    expect(await tokens.verify(access_token, `${PUBLIC_URL}/mcp`)).toBeDefined();
    expect(await tokens.verify(access_token, "https://other.example/mcp")).toBeUndefined();
    expect(await tokens.verify(access_token)).toBeUndefined();
  });
});

describe("an authorization request", () => {
  it.each([
    ["without PKCE", { code_challenge: undefined, code_challenge_method: undefined }],
    ["with a plain challenge", { code_challenge_method: "plain" }],
    ["without a method, which means plain", { code_challenge_method: undefined }],
    ["with an empty challenge", { code_challenge: "" }],
    ["with a short challenge", { code_challenge: "abc" }],
  ])("%s is refused", async (_what, change) => {
    for (const answer of [await client.consent(browser, change), await client.describe(change)]) {
      expect([answer.status, answer.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
      const back = new URL(answer.body.error?.details.redirect_to);
      expect([back.searchParams.get("error"), back.searchParams.get("code")]).toEqual(["invalid_request", null]);
    }
  });

  it.each(["token", "id_token", "code token", undefined])(
    "for the response type %s is refused",
    async (response_type) => {
      const { body } = await client.consent(browser, { response_type });
      expect(body.error?.code).toBe("UNSUPPORTED_RESPONSE_TYPE");
    },
  );

  it.each(["admin:all", "memory:read admin:all", "nothing:known"])("for the scope %s is refused", async (scope) => {
    const { body } = await client.consent(browser, { scope });
    expect(body.error?.code).toBe("INVALID_SCOPE");
  });

  it("of an admin gives exactly what was asked for", async () => {
    const { scope, access_token } = await connect(client, browser, { scope: "memory:read", resource: PUBLIC_URL });
    expect(scope).toBe("memory:read");
    const ask = (method: string, path: string) =>
      service.request(method, path, {
        key: null,
        headers: bearer(access_token),
        body: method === "GET" ? undefined : {},
      });
    for (const [method, path] of [
      ["GET", "/admin/users"],
      ["POST", "/memories"],
      ["GET", "/webhooks"],
      ["POST", "/admin/backup"],
    ]) {
      expect([path, (await ask(method ?? "", path ?? "")).status]).toEqual([path, 403]);
    }
  });

  it("of an admin of the operator's organization gives nothing that only the operator may do", async () => {
    const { token: operator } = await signInUser(service, { org: OPERATOR_ORG, role: "admin" });
    const own = { key: null, headers: bearer(operator) };
    expect((await service.request("GET", "/admin/metrics", own)).status).toBe(200);
    const { access_token } = await connect(client, await openBrowser(service, operator), { resource: PUBLIC_URL });
    for (const path of ["/admin/metrics", "/admin/logs", "/admin/backups"]) {
      const refused = await service.request("GET", path, { key: null, headers: bearer(access_token) });
      expect([path, refused.status]).toEqual([path, 403]);
    }
  });

  it("leads to no address that is not registered", async () => {
    for (const redirect_uri of TRICKS) {
      for (const answer of [await client.consent(browser, { redirect_uri }), await client.describe({ redirect_uri })]) {
        expect([redirect_uri, answer.status, answer.body.error?.code]).toEqual([
          redirect_uri,
          400,
          "INVALID_REDIRECT_URI",
        ]);
        expect(JSON.stringify(answer.body)).not.toContain("redirect_to");
      }
    }
    const page = await service.request("GET", "/oauth/authorize?redirect_uri=https://evil.example/", { key: null });
    expect([page.status, page.headers.get("location"), page.body.includes("evil")]).toEqual([200, null, false]);
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  it("of an unknown client leads nowhere", async () => {
    for (const client_id of ["oc_unknown", "", "client", "https://client.example/", "javascript:alert(1)"]) {
      const { status, body } = await client.describe({ client_id });
      expect([client_id, status, body.error?.code]).toEqual([client_id, 400, "INVALID_CLIENT"]);
      expect(JSON.stringify(body)).not.toContain("redirect_to");
    }
  });
});

/** Addresses that resemble `REDIRECT_URI`. */
const TRICKS = [
  "https://client.example/callback/",
  "https://client.example/callback/../evil",
  "https://client.example/callback%2f..%2fevil",
  "https://client.example/callback?next=https://evil.example",
  "https://client.example/callback#fragment",
  "https://client.example/callbackevil",
  "https://client.example/",
  "https://client.example.evil.example/callback",
  "https://client.example@evil.example/callback",
  "https://evil.example/https://client.example/callback",
  "https://evil.example\\@client.example/callback",
  "https://CLIENT.example/callback",
  "https://client.example:443/callback",
  "https://client.example:8443/callback",
  "http://client.example/callback",
  "//client.example/callback",
  " https://client.example/callback",
  "https://client.example/callback ",
  "javascript:alert(1)",
  "",
];

describe("a redirect URI", () => {
  it.each([
    "https://client.example",
    "http://127.0.0.1/callback",
    "http://[::1]:8080/callback?a=1",
    "http://localhost:3000",
    "cursor://anysphere.cursor-retrieval/oauth/callback",
    "com.example.app://callback",
  ])("can be %s", (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    "http://client.example/callback",
    "http://127.0.0.1.evil.example/",
    "http://127.0.0.1:80@evil.example/",
    "http://localhost.evil.example/",
    "http://127.0.0.1:1#fragment",
    "https://user@client.example/",
    "https://client.example/#",
    "https://client.example\\evil",
    "https://client.example/ä",
    "javascript://client.example/%0aalert(1)",
    "JavaScript://x",
    "data:text/html,x",
    "file:///etc/passwd",
    "blob:https://client.example/1",
    "app:callback",
    "callback",
    "",
  ])("cannot be %s", (uri) => expect(isRedirectUri(uri)).toBe(false));

  it("of the loopback may have any port, and nothing else", () => {
    const registered = ["http://127.0.0.1/callback", "http://localhost:1/cb?x=1"];
    for (const uri of ["http://127.0.0.1:4711/callback", "http://127.0.0.1/callback", "http://localhost/cb?x=1"]) {
      expect([uri, isRegistered(uri, registered)]).toEqual([uri, true]);
    }
    for (const uri of [
      ...["http://127.0.0.1:4711/callback/", "http://127.0.0.1:4711/callback?x", "http://127.0.0.2:4711/callback"],
      ...["http://[::1]:4711/callback", "http://localhost:4711/callback", "https://127.0.0.1:4711/callback"],
      ...[
        "http://127.0.0.1:80:80/callback",
        "http://127.0.0.1:4711@evil.example/callback",
        "http://127.0.0.1:x/callback",
      ],
    ]) {
      expect([uri, isRegistered(uri, registered)]).toEqual([uri, false]);
    }
  });

  it("that is not one cannot be registered", async () => {
    for (const uri of ["http://evil.example/", "javascript://%0aalert(1)"]) {
      const { status, body } = await service.request("POST", "/oauth/register", {
        key: null,
        body: { redirect_uris: [REDIRECT_URI, uri] },
      });
      expect([status, body.error]).toEqual([400, "invalid_redirect_uri"]);
    }
  });
});

describe("a consent that another site forges", () => {
  const send = (headers: Record<string, string>, body: unknown = client.request({ approve: true })) =>
    service.request("POST", "/oauth/consent", { key: null, headers, body });

  it("is refused: the browser sends at most the cookie", async () => {
    const { cookie } = browser;
    const refused = await Promise.all([
      send({ cookie }),
      send({ cookie, origin: "https://evil.example" }),
      send({ cookie, "x-csrf-token": "" }),
      send({ cookie, "x-csrf-token": "a".repeat(64) }),
      send({ cookie, "content-type": "text/plain" }, JSON.stringify(client.request({ approve: true }))),
      send({ cookie, "content-type": "application/x-www-form-urlencoded" }, "approve=true"),
    ]);
    expect(refused.map(({ status, body }) => [status, body.error?.code])).toEqual(
      refused.map(() => [403, "PERMISSION_DENIED"]),
    );
  });

  it("is refused with the CSRF token of another session", async () => {
    const other = await openBrowser(service, token);
    expect((await send({ cookie: browser.cookie, "x-csrf-token": other.csrf })).status).toBe(403);
    expect((await send(ofBrowser(other))).status).toBe(200);
  });

  it("is refused without a session, by a key, and by a client", async () => {
    expect((await send({})).status).toBe(401);
    expect((await send({ "x-csrf-token": browser.csrf })).status).toBe(401);
    const keyed = await service.request("POST", "/oauth/consent", { body: client.request({ approve: true }) });
    expect(keyed.body.error?.code).toBe("FORBIDDEN");
    const { access_token } = await connect(client, browser, { resource: PUBLIC_URL });
    expect((await send(bearer(access_token))).body.error?.code).toBe("FORBIDDEN");
  });

  it("gets no cookie that another host could set or read", async () => {
    const answer = await service.request("POST", "/auth/session", { key: null, headers: bearer(token), body: {} });
    expect(answer.headers.get("set-cookie")).toMatch(
      /^__Host-memory_session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    );
  });
});

describe("a client id metadata document", () => {
  const describeAs = (target: OAuthService, id: string) => new OAuthClient(target, id).describe();
  const refused = async (target: OAuthService, id: string) => {
    const { status, body } = await describeAs(target, id);
    expect([id, status, body.error?.code]).toEqual([id, 400, "INVALID_CLIENT"]);
    expect(JSON.stringify(body)).not.toMatch(/redirect_to|refused|ECONN|private/);
  };

  it("at a private address is not read", async () => {
    let reached = 0;
    const server = await listenOnLoopback((_request, response) => {
      reached += 1;
      response.end("{}");
    });
    onTestFinished(() => server.close());
    const { port } = new URL(server.url);
    for (const id of [
      ...[`${server.url}/client.json`, `http://localhost:${port}/client.json`, `https://127.0.0.1:${port}/client.json`],
      ...["https://169.254.169.254/latest/meta-data", "https://10.0.0.1/c", "https://[::1]/c", "https://localhost/c"],
      ...["https://metadata.google.internal/c", "https://2130706433/c", "https://[::ffff:127.0.0.1]/c"],
      ...[
        "http://client.example/client.json",
        "https://client.example/a/../client.json",
        "https://u:p@client.example/c",
      ],
    ]) {
      await refused(service, id);
    }
    expect(reached).toBe(0);
  });

  it("is read from the address that it names, and must describe itself", async () => {
    const open = await openOAuthService({ ALLOW_PRIVATE_TARGETS: "1" });
    onTestFinished(() => open.close());
    const documents = new Map<string, { status?: number; location?: string; body?: unknown }>();
    const server = await listenOnLoopback(({ url = "" }, response) => {
      const { status = 200, location, body } = documents.get(url) ?? { status: 404 };
      response.writeHead(status, location === undefined ? {} : { location }).end(JSON.stringify(body));
    });
    onTestFinished(() => server.close());
    const at = (path: string) => `${server.url}${path}`;
    const valid = { client_id: at("/client"), client_name: "By document", redirect_uris: [REDIRECT_URI] };
    documents.set("/client", { body: valid });
    documents.set("/other", { body: valid });
    documents.set("/moved", { status: 302, location: "/target" });
    documents.set("/target", { body: { ...valid, client_id: at("/moved") } });
    documents.set("/large", { body: { ...valid, client_id: at("/large"), padding: "x".repeat(20_000) } });
    documents.set("/secret", {
      body: { ...valid, client_id: at("/secret"), token_endpoint_auth_method: "client_secret_basic" },
    });
    documents.set("/script", { body: { ...valid, client_id: at("/script"), redirect_uris: ["javascript://x"] } });
    documents.set("/list", { body: [] });
    const { status, body } = await describeAs(open, at("/client"));
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data.client).toMatchObject({ name: "By document", host: new URL(server.url).host });
    for (const path of ["/other", "/moved", "/large", "/secret", "/script", "/list", "/absent"])
      await refused(open, at(path));
  });
});

describe("a mixed-up authorization server", () => {
  /** The official client, which waits for the browser to come back. */
  async function begin() {
    const { kept, provider } = newProvider();
    const transport = new StreamableHTTPClientTransport(new URL(`${PUBLIC_URL}/mcp`), {
      authProvider: provider,
      fetch: service.fetch,
    });
    await transport.start();
    await transport.send({ jsonrpc: "2.0", id: 1, method: "ping" }).catch(() => {});
    const asked = Object.fromEntries((kept.authorizationUrl as URL).searchParams);
    const answer = await service.request("POST", "/oauth/consent", {
      key: null,
      headers: ofBrowser(browser),
      body: { ...asked, approve: true },
    });
    return { transport, kept, back: new URL(answer.body.data.redirect_to).searchParams };
  }

  it("is noticed by the official client, because each answer names its issuer", async () => {
    const { transport, kept, back } = await begin();
    expect(back.get("iss")).toBe(PUBLIC_URL);
    const mixed = new URLSearchParams(back);
    mixed.set("iss", "https://evil.example");
    await expect(transport.finishAuth(mixed)).rejects.toThrow(IssuerMismatchError);
    const missing = new URLSearchParams(back);
    missing.delete("iss");
    await expect(transport.finishAuth(missing)).rejects.toThrow(IssuerMismatchError);
    expect(kept.tokens).toBeUndefined();
    await transport.finishAuth(back);
    expect(kept.tokens).toBeDefined();
  });

  it("is noticed in errors too", async () => {
    const denied = await client.consent(browser, { approve: false });
    const back = new URL(denied.body.data.redirect_to).searchParams;
    expect(Object.fromEntries(back)).toMatchObject({ error: "access_denied", iss: PUBLIC_URL, state: "the client's" });
  });
});

it("a token request that repeats a parameter, or is no form, is refused", async () => {
  const post = (body: string, type = "application/x-www-form-urlencoded") =>
    service.request("POST", "/oauth/token", { key: null, headers: { "content-type": type }, body });
  const twice = await post("grant_type=authorization_code&client_id=a&client_id=b");
  expect([twice.status, twice.body.error]).toEqual([400, "invalid_request"]);
  expect((await post("{}", "application/json")).body.error).toBe("invalid_request");
  expect((await post("grant_type=password&client_id=a")).body.error).toBe("unsupported_grant_type");
  expect((await post(`grant_type=refresh_token&client_id=a&refresh_token=${"r".repeat(2_000)}`)).body.error).toBe(
    "invalid_grant",
  );
  expect((await post("x".repeat(20_000))).status).toBe(413);
});
