import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Connection, PROVIDERS, type ProviderName } from "../../shared/domain/knowledge/connections/connection.ts";
import { putConnection, toSyncRecord } from "../../shared/domain/knowledge/connections/records.ts";
import { sealSecrets } from "../../shared/domain/knowledge/connections/secrets.ts";
import { readConfig } from "../../shared/domain/knowledge/connections/settings.ts";
import { builtInAddresses } from "../../shared/runtime/fetching/built-in-addresses.ts";
import { type LoopbackServer, listenOnLoopback } from "../fixtures/loopback-server.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { DEPLOYMENT, secretsOf } from "./deployment-secrets.ts";
import { type Endpoint, openEndpoint, REDIRECTS } from "./endpoint.ts";

/** The required fields of each provider's `config`. The type requires an entry for every provider. */
const REQUIRED_CONFIG: Record<ProviderName, object> = {
  notes_workspace: {},
  cloud_drive: {},
  code_host: { owner: "ada", repo: "notes" },
  team_chat: {},
  object_store: { bucket: "documents", access_key_id: "bucket-key-id" },
  web_crawler: {},
};

const TOKENS = { access_token: "stored-access-token", refresh_token: "stored-refresh-token" };
const CLIENT = { client_id: "own-client-id", client_secret: "own-client-secret" };
const KEYS = { secret_access_key: "stored-secret-key", session_token: "stored-session-token" };
const CODE = { authorization_code: "authorization-code" };
/** All secrets that the tests send to connections. A client's id is not a secret. */
const STORED = new Map(Object.entries({ ...TOKENS, ...KEYS, ...CODE, client_secret: CLIENT.client_secret }));

let service: LocalService;
/** Replaces GitHub through the operator's settings: the only provider whose built-in address is on this machine. */
let github: LoopbackServer;
let handleGitHubRequest: Parameters<typeof listenOnLoopback>[0];
let key: string;
let org: string;
let hostile: Endpoint;

beforeAll(async () => {
  github = await listenOnLoopback((request, response) => handleGitHubRequest(request, response));
  const settings = { GITHUB_URL: github.url, GITHUB_API_URL: `${github.url}/api` };
  service = await openService({ ...DEPLOYMENT, ...settings, LOG_LEVEL: "error", ALLOW_PRIVATE_TARGETS: "1" });
});
afterAll(async () => {
  await service.close();
  await github.close();
});
beforeEach(async () => {
  handleGitHubRequest = (_request, response) => response.writeHead(401).end("{}");
  ({ key, org } = await createOrganization(service));
  hostile = await openEndpoint();
});

const OAUTH = PROVIDERS.filter((name) => builtInAddresses(name, { GITHUB_URL: "", GITHUB_API_URL: "" }));
const ADDRESSES = ["token_url", "base_url", "authorize_url"] as const;
const pairsOf = <A, B>(first: readonly A[], second: readonly B[]) =>
  first.flatMap((a) => second.map((b) => [a, b] as const));

const configOf = (provider: ProviderName, more: object) => ({
  sync_interval_minutes: 0,
  ...REQUIRED_CONFIG[provider],
  ...more,
});

function send(provider: ProviderName, config: object, connection_id?: string) {
  return service.request("POST", `/connections/${provider}`, { key, body: { config, connection_id } });
}

async function connect(provider: ProviderName, more: object): Promise<string> {
  const { status, body } = await send(provider, configOf(provider, more));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

const synchronize = (id: string) => service.request("POST", `/connections/${id}/sync`, { key, body: {} });

/** Stores a connection as earlier releases did, which did not require the connection's own client. */
async function store(provider: ProviderName, config: object, given: Record<string, string>): Promise<string> {
  const runtime = service.runtime;
  const draft = { id: runtime.ids("connection"), org, provider };
  const connection: Connection = {
    ...draft,
    ...(await sealSecrets(runtime, draft, given)),
    config: readConfig(runtime.config, provider, configOf(provider, config)).plain,
    status: "active",
    created_at: new Date().toISOString(),
    updated_at: new Date().toISOString(),
    created_by: "ak_1",
    revision: 1,
  };
  const sync = { put: toSyncRecord({ org, connection_id: draft.id, run: 0 }) };
  await runtime.ports.records.write(putConnection(connection, "absent"), sync);
  return connection.id;
}

/** Expects that no secret of the deployment and no stored secret reached the hostile endpoint. */
async function expectNothingSecret(stored: ReadonlyMap<string, string> = STORED): Promise<void> {
  const secrets = await secretsOf(service);
  expect(hostile.leaks(new Map([...secrets, ...stored]))).toEqual([]);
}

it("every provider is tested", () => {
  expect(Object.keys(REQUIRED_CONFIG).sort()).toEqual([...PROVIDERS].sort());
  expect(OAUTH).toHaveLength(4);
});

describe("an address in a connection's configuration", () => {
  it.each(pairsOf(OAUTH, ADDRESSES))("(%s, %s) never receives the deployment's client", async (provider, name) => {
    const address = { [name]: `${hostile.url}/own` };
    for (const given of [CODE, { refresh_token: "r" }, { access_token: "a", refresh_token: "r" }, {}]) {
      const { status, body } = await send(provider, configOf(provider, { ...address, ...given }));
      expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(body.error?.details.fields).toEqual([
        { field: "config.client_id", problem: expect.stringContaining(`client_secret beside ${name}`) },
      ]);
    }
    for (const incompleteClient of [{ client_id: "own" }, { client_secret: "own-secret" }]) {
      const { status } = await send(provider, configOf(provider, { ...address, ...incompleteClient, ...CODE }));
      expect(status).toBe(400);
    }
    expect(hostile.requests).toEqual([]);
  });

  it.each(OAUTH)("of %s receives the connection's own client", async (provider) => {
    const own = { token_url: `${hostile.url}/token`, base_url: hostile.url };
    await connect(provider, { ...own, ...CLIENT, ...CODE });
    expect(hostile.requests).toEqual(["POST /token"]);
    expect(hostile.leaks(STORED)).toEqual(["authorization_code", "client_secret"]);
    expect(hostile.leaks(await secretsOf(service))).toEqual([]);
  });

  it.each(OAUTH)("of %s cannot be combined with the deployment's client at the built-in address", async (provider) => {
    const id = await connect(provider, { client_id: "own" });
    const { status, body } = await send(provider, CODE, id);
    expect([status, body.error?.details.fields[0].field]).toEqual([400, "config.client_secret"]);
  });
});

describe("another address for a connection that has secrets", () => {
  it.each(pairsOf(OAUTH, ADDRESSES))("(%s, %s) receives none of them", async (provider, name) => {
    const id = await connect(provider, TOKENS);
    const address = { [name]: `${hostile.url}/own` };
    expect((await send(provider, address, id)).status).toBe(400);
    const given = await send(provider, { ...address, base_url: hostile.url, ...CLIENT }, id);
    expect(given.body).toMatchObject({ id, status: "oauth_required" });
    expect((await synchronize(id)).status).toBe(409);
    await send(provider, { access_token: "another" }, id);
    await synchronize(id);
    expect(hostile.requests).not.toEqual([]);
    await expectNothingSecret();
  });

  it("of a bucket receives no keys, and neither does another region or key id", async () => {
    for (const change of [{ base_url: `${hostile.url}/other` }, { region: "other" }, { access_key_id: "other" }]) {
      const id = await connect("object_store", { base_url: `${hostile.url}/first`, ...KEYS });
      const { body } = await send("object_store", change, id);
      expect(body.config).not.toHaveProperty("secret_access_key");
      expect(body.config).not.toHaveProperty("session_token");
    }
    const id = await connect("object_store", { base_url: "http://127.0.0.1:1", ...KEYS });
    await send("object_store", { base_url: hostile.url }, id);
    await synchronize(id);
    expect(hostile.requests).toHaveLength(1);
    await expectNothingSecret();
  });
});

describe("a stored connection with its own addresses and without a client", () => {
  it.each(OAUTH)("of %s does not receive the deployment's client when the token is refreshed", async (provider) => {
    const own = { token_url: `${hostile.url}/token`, base_url: hostile.url };
    for (const tokens of [TOKENS, { refresh_token: TOKENS.refresh_token }]) {
      const id = await store(provider, own, tokens);
      const { status, body } = await synchronize(id);
      expect([status, body.error?.details.status]).toEqual([409, "oauth_required"]);
    }
    expect(hostile.requests).toEqual([]);
  });

  it("must be authorized again if the built-in address refuses its token", async () => {
    const id = await store("code_host", { token_url: `${hostile.url}/token` }, TOKENS);
    const { status, body } = await synchronize(id);
    expect([status, body.error?.details.status]).toEqual([409, "oauth_required"]);
    expect(hostile.requests).toEqual([]);
  });
});

describe("a redirect", () => {
  /** Opens an endpoint that redirects every request to the hostile endpoint. */
  async function openRedirectingEndpoint(status: number) {
    return openEndpoint(({ path }) => ({ status, location: `${hostile.url}${path}` }));
  }

  it.each(pairsOf(OAUTH, REDIRECTS))(
    "of %s's token endpoint with status %d forwards no code and no client",
    async (provider, status) => {
      const endpoint = await openRedirectingEndpoint(status);
      const own = { token_url: `${endpoint.url}/token`, base_url: endpoint.url, ...CLIENT };
      const { body } = await send(provider, configOf(provider, { ...own, ...CODE }));
      expect(body.id === undefined || body.status === "active").toBe(true);
      expect(endpoint.leaks(STORED)).toEqual(["authorization_code", "client_secret"]);
      await expectNothingSecret();
    },
  );

  it.each(pairsOf(OAUTH, REDIRECTS))(
    "of %s's API with status %d forwards no token, not even during a refresh",
    async (provider, status) => {
      const endpoint = await openRedirectingEndpoint(status);
      const refusing = await openEndpoint(() => ({ status: 401 }));
      const client = { token_url: `${endpoint.url}/token`, ...CLIENT };
      await synchronize(await connect(provider, { base_url: endpoint.url, ...client, ...TOKENS }));
      await synchronize(await connect(provider, { base_url: refusing.url, ...client, ...TOKENS }));
      expect(endpoint.leaks(STORED)).toEqual(["access_token", "refresh_token", "client_secret"]);
      await expectNothingSecret();
    },
  );

  it.each(REDIRECTS)("of an object store with status %d forwards no session token and no signature", async (status) => {
    const endpoint = await openRedirectingEndpoint(status);
    await synchronize(await connect("object_store", { base_url: endpoint.url, ...KEYS }));
    expect(endpoint.leaks(STORED)).toEqual(["session_token"]);
    await expectNothingSecret();
    expect(hostile.leaks(new Map([["signature", "AWS4-HMAC-SHA256"]]))).toEqual([]);
  });

  it.each(REDIRECTS)("of a website with status %d forwards no secret", async (status) => {
    const endpoint = await openRedirectingEndpoint(status);
    await synchronize(await connect("web_crawler", { url: endpoint.url }));
    expect(endpoint.requests).not.toEqual([]);
    await expectNothingSecret();
    expect(hostile.leaks(new Map([["header", "uthorization"]]))).toEqual([]);
  });

  it.each(REDIRECTS)("of the built-in token endpoint with status %d forwards no client", async (status) => {
    const seen: string[] = [];
    handleGitHubRequest = async (request, response) => {
      for await (const chunk of request) seen.push(String(chunk));
      response.writeHead(status, { location: hostile.url }).end();
    };
    await send("code_host", configOf("code_host", CODE));
    const id = await store("code_host", {}, { refresh_token: TOKENS.refresh_token });
    await synchronize(id);
    expect(seen.filter((body) => body.includes(DEPLOYMENT.GITHUB_CLIENT_SECRET))).toHaveLength(2);
    await expectNothingSecret();
  });
});
