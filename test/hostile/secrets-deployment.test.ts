import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { PROVIDERS } from "../../shared/domain/identity/oauth/provider.ts";
import { openProvider } from "../../shared/domain/identity/oauth/providers.ts";
import { createOpenAiEmbedder } from "../../shared/domain/models/openai-embedder.ts";
import { createOpenAiModel } from "../../shared/domain/models/openai-model.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import type { LanguageTask } from "../../shared/ports/language-model.ts";
import { mailboxOf } from "../support/mailbox.ts";
import { newEmail, PASSWORD } from "../support/people.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { DEPLOYMENT, secretsOf } from "./deployment-secrets.ts";
import { type Answerer, type Endpoint, openEndpoint, REDIRECTS } from "./endpoint.ts";

const PUBLIC_URL = "https://memory.example";

let service: LocalService;
let hostile: Endpoint;

beforeAll(async () => {
  service = await openService({ ...DEPLOYMENT, PUBLIC_URL, ALLOW_PRIVATE_TARGETS: "1" });
});
afterAll(() => service.close());
beforeEach(async () => {
  hostile = await openEndpoint();
});

async function expectNothingSecret(more: ReadonlyMap<string, string> = new Map()): Promise<void> {
  expect(hostile.leaks(new Map([...(await secretsOf(service)), ...more]))).toEqual([]);
}

describe("social sign-in", () => {
  const AUTHORIZATION = { redirectUri: `${PUBLIC_URL}/back`, state: "state", verifier: "the-verifier", nonce: "nonce" };
  const OWN = new Map([
    ["code", "the-authorization-code"],
    ["verifier", AUTHORIZATION.verifier],
    ["token", "token-of-a-person"],
  ]);

  /** Signs in with a provider that responds like this; the base of its addresses is known once it is open. */
  async function signIn(name: (typeof PROVIDERS)[number], answer: (base: string) => Answerer) {
    let answerer: Answerer = () => ({});
    const endpoint = await openEndpoint((asked) => answerer(asked));
    answerer = answer(endpoint.url);
    const { url } = endpoint;
    const settings = { GOOGLE_ISSUER: url, GITHUB_URL: url, GITHUB_API_URL: `${url}/api` };
    const runtime = { ...service.runtime, config: loadConfig({ ...DEPLOYMENT, ...settings }) };
    const identified = openProvider(name, runtime).then((provider) =>
      provider.identify({ code: "the-authorization-code" }, AUTHORIZATION),
    );
    await expect(identified).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    return endpoint;
  }

  /** A provider whose metadata names this token endpoint, with these other responses. */
  const provider = (token_endpoint: string, others: Answerer) => (issuer: string) => (asked: Parameters<Answerer>[0]) =>
    asked.path.startsWith("/.well-known/")
      ? {
          json: {
            issuer,
            token_endpoint: new URL(token_endpoint, issuer).href,
            authorization_endpoint: `${issuer}/authorize`,
            jwks_uri: `${issuer}/keys`,
            response_types_supported: ["code"],
          },
        }
      : others(asked);

  it.each(PROVIDERS.flatMap((name) => REDIRECTS.map((status) => ({ name, status }))))(
    "sends $name's client to no host that its token endpoint redirects to by $status",
    async ({ name, status }) => {
      const redirect = provider("/token", ({ path }) => ({ status, location: `${hostile.url}${path}` }));
      const endpoint = await signIn(name, redirect);
      const secret = DEPLOYMENT[name === "google" ? "GOOGLE_CLIENT_SECRET" : "GITHUB_CLIENT_SECRET"];
      expect(endpoint.leaks(new Map([["client", secret]]))).toEqual(["client"]);
      expect(hostile.requests).toEqual([]);
    },
  );

  it("sends Google's client to no token endpoint of another origin", async () => {
    const endpoint = await signIn(
      "google",
      provider(`${hostile.url}/token`, () => ({})),
    );
    expect(endpoint.requests).toEqual(["GET /.well-known/openid-configuration"]);
    expect(hostile.requests).toEqual([]);
  });

  it.each(REDIRECTS)("sends no user's token to the target of GitHub's redirect by %d", async (status) => {
    const endpoint = await signIn(
      "github",
      () =>
        ({ path }) =>
          path.startsWith("/api")
            ? { status, location: hostile.url }
            : { json: { access_token: "token-of-a-person", token_type: "bearer" } },
    );
    expect(endpoint.leaks(OWN)).toContain("token");
    expect(hostile.requests).toEqual([]);
  });
});

describe("a model's key", () => {
  const text = "What Ada told nobody else.";
  const OWN = new Map([["text", text]]);
  const options = { sleep: async () => undefined };
  const TASK: LanguageTask<string, { colour: string }> = {
    name: "name_colour",
    schema: z.object({ colour: z.string() }),
    prompt: (thing) => ({ system: "Name the colour.", user: thing }),
    builtIn: () => ({ colour: "grey" }),
  };

  it.each(REDIRECTS)(
    "is not sent to the target of the model server's redirect by %d, and neither are people's texts",
    async (status) => {
      const endpoint = await openEndpoint(() => ({ status, location: hostile.url }));
      const address = { baseUrl: `${endpoint.url}/v1`, apiKey: DEPLOYMENT.OPENAI_API_KEY, model: "any" };
      const embedder = createOpenAiEmbedder({ ...address, dimensions: 3 }, options);
      await expect(embedder.embed([text], { purpose: "query" })).rejects.toThrow();
      expect(await createOpenAiModel(address, options).run(TASK, text)).toMatchObject({ fallback: true });
      expect(endpoint.leaks(await secretsOf(service))).toEqual(["OPENAI_API_KEY"]);
      expect(endpoint.requests).toEqual(["POST /v1/embeddings", "POST /v1/chat/completions"]);
      expect(hostile.requests).toEqual([]);
      await expectNothingSecret(OWN);
    },
  );
});

describe("a link in a mail", () => {
  /** Headers by which a request may claim to have been sent to another host. */
  const headers = () => {
    const { host } = new URL(hostile.url);
    const forwarded = { "x-forwarded-host": host, "x-forwarded-proto": "http", forwarded: `host=${host};proto=http` };
    return { ...forwarded, "x-original-url": hostile.url, origin: hostile.url, referer: `${hostile.url}/` };
  };

  it("points to PUBLIC_URL, whatever host the request names", async () => {
    const mails = mailboxOf(service);
    const ask = (path: string, body: object, key: string | null = null) =>
      service.request("POST", path, { key, body, headers: headers() });
    const email = newEmail();
    await ask("/auth/register", { email, password: PASSWORD, name: "Ada" });
    await ask("/auth/forgot-password", { email });
    const { key } = await createOrganization(service);
    const invited = { email: newEmail(), name: "Bob", role: "user", permissions: [], send_email: true };
    const invite = await ask("/admin/invites", invited, key);
    expect(new URL(invite.body.data.invitation_url).origin).toBe(PUBLIC_URL);
    const links = mails.flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? []);
    expect(links.length).toBeGreaterThanOrEqual(3);
    expect(new Set(links.map((link) => new URL(link).origin))).toEqual(new Set([PUBLIC_URL]));
    expect(hostile.requests).toEqual([]);
  });
});

describe("a webhook's secret", () => {
  const OWN = new Map([["secret", "signing-secret-of-a-webhook"]]);

  async function define(url: string) {
    const { key } = await createOrganization(service);
    const given = { name: "Hook", url, events: ["memory.created"], secret: OWN.get("secret") };
    const { body } = await service.request("POST", "/webhooks", { key, body: given });
    const path = `/webhooks/${body.data.id}`;
    const test = () => service.request("POST", `${path}/test`, { key, body: { event: "webhook.test" } });
    return { test, change: (change: object) => service.request("PUT", path, { key, body: change }) };
  }

  it.each(REDIRECTS)("signs nothing for a host that the receiver redirects to by %d", async (status) => {
    const endpoint = await openEndpoint(() => ({ status, location: hostile.url }));
    await (await define(endpoint.url)).test();
    expect(endpoint.requests).toHaveLength(1);
    expect(endpoint.leaks(OWN)).toEqual([]);
    expect(hostile.requests).toEqual([]);
  });

  it("is sent to no receiver, and neither is the next one", async () => {
    const first = await openEndpoint();
    const webhook = await define(first.url);
    await webhook.test();
    await webhook.change({ url: hostile.url });
    await webhook.test();
    expect([first.requests.length, hostile.requests.length]).toEqual([1, 1]);
    expect(first.leaks(OWN)).toEqual([]);
    await expectNothingSecret(OWN);
  });
});
