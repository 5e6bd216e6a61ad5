import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  connect,
  LOOPBACK_REDIRECT,
  newProvider,
  OAuthClient,
  type OAuthService,
  ofBrowser,
  openBrowser,
  openOAuthService,
  PUBLIC_URL,
} from "../support/oauth.ts";
import { createOrganization } from "../support/service.ts";
import { bearer, hire, signInUser } from "../support/users.ts";

let now = Date.parse("2026-01-31T12:00:00Z");
let service: OAuthService;
let org: string;
let adminKey: string;
let user: { id: string; token: string };
let browser: Browser;

beforeAll(async () => {
  service = await openOAuthService({}, () => now);
  ({ org, key: adminKey } = await createOrganization(service));
  const { user: signedIn, token } = await signInUser(service, { org, role: "editor" });
  user = { id: signedIn.id, token };
  browser = await openBrowser(service, token);
});
afterAll(() => service.close());

/** Decides on the consent page as a person does, and returns the address to which the browser goes. */
async function decide(url: URL, decision: object): Promise<URL> {
  const parameters = Object.fromEntries(url.searchParams);
  const answer = await service.request("POST", "/oauth/consent", {
    key: null,
    headers: ofBrowser(browser),
    body: { ...parameters, ...decision },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return new URL(answer.body.data.redirect_to);
}

const call = (token: string, name: string, given: object) =>
  service.request("POST", "/mcp", {
    key: null,
    headers: { ...bearer(token), "mcp-protocol-version": "2025-11-25" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
  });

describe("the official client of the Model Context Protocol", () => {
  it("connects from nothing but the address, and is used as the user who consented", async () => {
    const { kept, provider } = newProvider();
    const address = new URL(`${PUBLIC_URL}/mcp`);
    const newTransport = () =>
      new StreamableHTTPClientTransport(address, { authProvider: provider, fetch: service.fetch });
    const transport = newTransport();
    const first = new Client({ name: "test", version: "1" });
    await expect(first.connect(transport)).rejects.toThrow(UnauthorizedError);

    const url = kept.authorizationUrl as URL;
    expect(url.origin + url.pathname).toBe(`${PUBLIC_URL}/oauth/authorize`);
    expect(url.searchParams.get("resource")).toBe(`${PUBLIC_URL}/mcp`);
    const back = await decide(url, { approve: true, access: "write", memory_user: "ada" });
    expect(back.href.startsWith(`${LOOPBACK_REDIRECT}?`)).toBe(true);
    expect(back.searchParams.get("state")).toBe("a state");
    await transport.finishAuth(back.searchParams);

    const client = new Client({ name: "test", version: "1" });
    await client.connect(newTransport());
    const stored = await client.callTool({ name: "remember", arguments: { content: "I live in Zurich." } });
    expect(stored.isError).toBeUndefined();
    const recalled = await client.callTool({ name: "recall", arguments: { query: "Where do I live?" } });
    expect(JSON.stringify(recalled)).toContain("Zurich");
    const memories = await service.request("GET", "/memories?user_id=ada", { key: adminKey });
    expect(memories.body.data.pagination.total).toBe(1);

    const issued = kept.tokens?.refresh_token;
    now += 61 * 60_000;
    expect((await client.callTool({ name: "list", arguments: {} })).isError).toBeUndefined();
    expect(kept.tokens?.refresh_token).not.toBe(issued);
    await client.close();
  });
});

it("the challenge of /mcp leads to the metadata of the resource and of its server", async () => {
  const { status, headers } = await service.request("POST", "/mcp", { key: null, body: {} });
  const [, address = ""] = /resource_metadata="([^"]+)"/.exec(headers.get("www-authenticate") ?? "") ?? [];
  expect([status, address]).toEqual([401, `${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`]);
  const read = async (url: string) => (await (await service.fetch(url)).json()) as Record<string, unknown>;
  const resource = await read(address);
  expect(resource).toMatchObject({ resource: `${PUBLIC_URL}/mcp`, authorization_servers: [PUBLIC_URL] });
  for (const found of [
    "https://memory.example/.well-known/oauth-protected-resource/base/mcp",
    "https://memory.example/base/.well-known/oauth-protected-resource/mcp",
  ]) {
    expect(await read(found)).toEqual(resource);
  }
  const server = await read("https://memory.example/.well-known/oauth-authorization-server/base");
  expect(server).toMatchObject({ issuer: PUBLIC_URL, code_challenge_methods_supported: ["S256"] });
  expect(resource.scopes_supported).not.toContain("admin:all");
  expect(server.scopes_supported).not.toContain("admin:all");
});

describe("what a client was granted", () => {
  it("limits it to one user's memories, and to reading", async () => {
    await service.request("POST", "/memories", { key: adminKey, body: { user_id: "bob", content: "Bob likes tea." } });
    const client = await OAuthClient.register(service);
    const { access_token, scope, expires_in } = await connect(client, browser, { access: "read", memory_user: "ada" });
    expect([scope.split(" ").sort(), expires_in]).toEqual([["memory:read", "search:read"], 3600]);
    const texts = async (name: string, given: object) => JSON.stringify((await call(access_token, name, given)).body);
    expect(await texts("list", {})).not.toContain("Bob");
    expect(await texts("list", { user_id: "bob" })).toContain("PERMISSION_DENIED");
    expect(await texts("remember", { content: "x" })).toContain("PERMISSION_DENIED");
    const other = await service.request("POST", "/mcp?user_id=bob", {
      key: null,
      headers: bearer(access_token),
      body: { jsonrpc: "2.0", id: 1, method: "ping" },
    });
    expect(other.status).toBe(403);
  });

  it("is also limited by what the user may do now", async () => {
    const { id, token } = await hire(service, adminKey, { role: "viewer" });
    const client = await OAuthClient.register(service);
    const mine = await openBrowser(service, token);
    expect((await connect(client, mine)).scope.split(" ").sort()).toEqual(["memory:read", "search:read"]);
    const change = (role: string) =>
      service.request("PUT", `/admin/users/${id}`, { key: adminKey, body: { role, permissions: undefined } });
    expect((await change("user")).status).toBe(200);
    const { access_token } = await connect(client, mine);
    const store = async () => JSON.stringify((await call(access_token, "remember", { content: "Tea." })).body);
    expect(await store()).toContain("Stored as");
    expect((await change("viewer")).status).toBe(200);
    expect(await store()).toContain("PERMISSION_DENIED");
  });

  it("is used for the API as a whole with tokens for it", async () => {
    const client = await OAuthClient.register(service);
    const tokens = await connect(client, browser, { resource: PUBLIC_URL, scope: "memory:read agents:manage" });
    const ask = (method: string, path: string, body?: object) =>
      service.request(method, path, { key: null, headers: bearer(tokens.access_token), body });
    expect((await ask("GET", "/memories")).status).toBe(200);
    expect((await ask("GET", "/whoami")).body.data).toMatchObject({ kind: "oauth_client", id: user.id });
    expect((await ask("POST", "/memories", { content: "x" })).body.error?.code).toBe("PERMISSION_DENIED");
    const key = await ask("POST", "/api-keys", { name: "a key", permissions: ["memory:read"] });
    expect(key.body.error?.code).toBe("FORBIDDEN");
    for (const path of ["/auth/2fa/setup", "/auth/session", "/auth/logout"]) {
      expect([path, (await ask("POST", path, {})).body.error?.code]).toEqual([path, "FORBIDDEN"]);
    }
    expect((await ask("GET", "/oauth/grants")).body.error?.code).toBe("FORBIDDEN");
  });

  it("can be seen and ended by the user alone", async () => {
    const client = await OAuthClient.register(service);
    const { token } = await signInUser(service, { org, role: "user" });
    const mine = await openBrowser(service, token);
    const { access_token, refresh_token } = await connect(client, mine);
    const grants = (who: Browser) => service.request("GET", "/oauth/grants", { key: null, headers: ofBrowser(who) });
    const end = (who: Browser, id: string) =>
      service.request("DELETE", `/oauth/grants/${id}`, { key: null, headers: ofBrowser(who) });
    const [grant] = (await grants(mine)).body.data.grants;
    expect(grant).toMatchObject({ client: { id: client.id, name: "A client" }, resource: `${PUBLIC_URL}/mcp` });
    expect((await end(browser, grant.id)).body.error?.code).toBe("GRANT_NOT_FOUND");
    expect((await call(access_token, "list", {})).status).toBe(200);
    expect((await end(mine, grant.id)).status).toBe(200);
    expect((await call(access_token, "list", {})).status).toBe(401);
    expect((await client.refresh(refresh_token)).body.error).toBe("invalid_grant");
    expect((await grants(mine)).body.data.grants).toEqual([]);
  });

  it("can be seen and ended by an admin of the organization, but of no other", async () => {
    const client = await OAuthClient.register(service);
    const { user: member, token } = await signInUser(service, { org, role: "user" });
    const { access_token } = await connect(client, await openBrowser(service, token));
    const asks = (key: string, method: string, path: string) => service.request(method, path, { key });
    const listing = `/oauth/grants?user_id=${member.id}`;
    const [grant] = (await asks(adminKey, "GET", listing)).body.data.grants;
    expect(grant.client).toMatchObject({ id: client.id });
    const asEditor = await service.request("GET", listing, { key: null, headers: ofBrowser(browser) });
    expect(asEditor.body.error?.code).toBe("PERMISSION_DENIED");
    const other = await createOrganization(service);
    expect((await asks(other.key, "GET", listing)).body.error?.code).toBe("USER_NOT_FOUND");
    expect((await asks(other.key, "DELETE", `/oauth/grants/${grant.id}`)).body.error?.code).toBe("GRANT_NOT_FOUND");
    expect((await call(access_token, "list", {})).status).toBe(200);
    expect((await asks(adminKey, "DELETE", `/oauth/grants/${grant.id}`)).status).toBe(200);
    expect((await call(access_token, "list", {})).status).toBe(401);
    expect((await asks(adminKey, "GET", listing)).body.data.grants).toEqual([]);
  });

  it("ends when the client revokes either of its tokens", async () => {
    for (const which of ["access_token", "refresh_token"] as const) {
      const client = await OAuthClient.register(service);
      const tokens = await connect(client, browser);
      expect((await client.revoke(tokens[which], "another client")).status).toBe(200);
      expect((await call(tokens.access_token, "list", {})).status).toBe(200);
      expect((await client.revoke(tokens[which])).status).toBe(200);
      expect((await call(tokens.access_token, "list", {})).status).toBe(401);
      expect((await client.refresh(tokens.refresh_token)).body.error).toBe("invalid_grant");
    }
  });

  it.each([
    [
      "suspended",
      (id: string) =>
        service.request("POST", `/admin/users/${id}/suspend`, { key: adminKey, body: { reason: "a test" } }),
    ],
    [
      "deleted",
      (id: string) => service.request("DELETE", `/admin/users/${id}`, { key: adminKey, body: { reason: "a test" } }),
    ],
  ])("ends when the user is %s", async (_how, act) => {
    const { id, token } = await hire(service, adminKey, { role: "user" });
    const client = await OAuthClient.register(service);
    const mine = await openBrowser(service, token);
    const code = await client.code(mine);
    const tokens = await connect(client, mine);
    const acted = await act(id);
    expect(acted.status, JSON.stringify(acted.body)).toBeLessThan(300);
    expect((await call(tokens.access_token, "list", {})).status).toBe(401);
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await client.redeem(code)).body.error).toBe("invalid_grant");
    expect((await client.consent(mine)).status).toBe(401);
  });

  it("leaves audit records", async () => {
    const client = await OAuthClient.register(service);
    const { refresh_token } = await connect(client, browser);
    await client.revoke(refresh_token);
    const { body } = await service.request("GET", "/admin/logs?limit=100");
    const actions = JSON.stringify(body);
    for (const action of ["oauth.consented", "oauth.connected", "oauth.revoked"]) expect(actions).toContain(action);
  });
});

it("registrations that nobody used end after a day", async () => {
  const client = await OAuthClient.register(service);
  const used = await OAuthClient.register(service);
  await used.code(browser);
  now += 25 * 3_600_000;
  expect((await client.describe()).body.error?.code).toBe("INVALID_CLIENT");
  expect((await used.describe()).status).toBe(200);
});
