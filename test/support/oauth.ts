import { createHash, randomBytes } from "node:crypto";
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { expect } from "vitest";
import { type Answered, type LocalService, openService, type Service } from "./service.ts";

export const PUBLIC_URL = "https://memory.example/base";
export const REDIRECT_URI = "https://client.example/callback";

/** The service as OAuth clients see it: at its public URL, whose prefix a proxy removes. */
export interface OAuthService extends LocalService {
  /** Sends a request to an address below the public URL, or to the host's `/.well-known`. */
  fetch: typeof fetch;
}

export async function openOAuthService(
  environment: Record<string, string> = {},
  clock?: () => number,
): Promise<OAuthService> {
  const service = await openService({ PUBLIC_URL, ...environment }, clock);
  const send = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const prefix = new URL(PUBLIC_URL).pathname;
    if (url.origin !== new URL(PUBLIC_URL).origin) throw new TypeError(`no network: ${url}`);
    if (url.pathname.startsWith(prefix)) url.pathname = url.pathname.slice(prefix.length);
    return service.host.app.fetch(new Request(url, request));
  };
  return { ...service, fetch: send };
}

/** The browser of a signed-in person: its cookie and CSRF token. */
export interface Browser {
  cookie: string;
  csrf: string;
}

/** Turns an access token into a session of a browser. */
export async function openBrowser(service: Service, token: string): Promise<Browser> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await service.request("POST", "/auth/session", { key: null, headers, body: {} });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return { cookie, csrf: answer.body.data.csrf_token };
}

/** The headers of a request that a page of this service sends. */
export function ofBrowser({ cookie, csrf }: Browser): Record<string, string> {
  return { cookie, "x-csrf-token": csrf };
}

/** A verifier of PKCE and its challenge. */
export function newVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** A client that speaks OAuth by hand, so that it can also break its rules. */
export class OAuthClient {
  readonly #service: LocalService;
  readonly id: string;
  readonly pkce = newVerifier();

  constructor(service: LocalService, id: string) {
    this.#service = service;
    this.id = id;
  }

  static async register(service: LocalService, redirect_uris = [REDIRECT_URI]): Promise<OAuthClient> {
    const { status, body } = await service.request("POST", "/oauth/register", {
      key: null,
      body: { client_name: "A client", redirect_uris, token_endpoint_auth_method: "client_secret_post" },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    return new OAuthClient(service, body.client_id);
  }

  /** The parameters of a valid authorization request. */
  request(more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      client_id: this.id,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
      code_challenge: this.pkce.challenge,
      code_challenge_method: "S256",
      state: "the client's",
      resource: `${PUBLIC_URL}/mcp`,
      ...more,
    };
  }

  describe(more: Record<string, unknown> = {}): Promise<Answered> {
    return this.#service.request("POST", "/oauth/authorization", { key: null, body: this.request(more) });
  }

  consent(browser: Browser, more: Record<string, unknown> = {}): Promise<Answered> {
    const body = this.request({ approve: true, access: "write", ...more });
    return this.#service.request("POST", "/oauth/consent", { key: null, headers: ofBrowser(browser), body });
  }

  /** Returns the code of a consent that must succeed. */
  async code(browser: Browser, more: Record<string, unknown> = {}): Promise<string> {
    const { status, body } = await this.consent(browser, more);
    expect(status, JSON.stringify(body)).toBe(200);
    return new URL(body.data.redirect_to).searchParams.get("code") ?? "";
  }

  redeem(code: string, more: Record<string, string> = {}): Promise<Answered> {
    const fields = { code, redirect_uri: REDIRECT_URI, code_verifier: this.pkce.verifier, ...more };
    return this.#token({ grant_type: "authorization_code", ...fields });
  }

  refresh(refresh_token: string, more: Record<string, string> = {}): Promise<Answered> {
    return this.#token({ grant_type: "refresh_token", refresh_token, ...more });
  }

  revoke(token: string, client_id = this.id): Promise<Answered> {
    return this.#post("/oauth/revoke", { token, client_id });
  }

  #token(fields: Record<string, string>): Promise<Answered> {
    return this.#post("/oauth/token", { client_id: this.id, ...fields });
  }

  #post(path: string, fields: Record<string, string>): Promise<Answered> {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return this.#service.request("POST", path, { key: null, headers, body: new URLSearchParams(fields).toString() });
  }
}

/** Tokens of a client that a user connected. */
export async function connect(client: OAuthClient, browser: Browser, more: Record<string, unknown> = {}) {
  const { status, body } = await client.redeem(await client.code(browser, more));
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { access_token: string; refresh_token: string; scope: string; expires_in: number };
}

/** What the official client keeps; `authorizationUrl` is where it sent the browser. */
export interface KeptByClient {
  authorizationUrl?: URL;
  tokens?: StoredOAuthTokens;
}

export const LOOPBACK_REDIRECT = "http://127.0.0.1:33418/callback";

/** The storage that the official client of the Model Context Protocol needs for OAuth. */
export function newProvider(): { kept: KeptByClient; provider: OAuthClientProvider } {
  const kept: KeptByClient = {};
  const stored: { clientInformation?: StoredOAuthClientInformation; discoveryState?: OAuthDiscoveryState } = {};
  let verifier = "";
  const provider: OAuthClientProvider = {
    redirectUrl: LOOPBACK_REDIRECT,
    clientMetadata: { client_name: "The official client", redirect_uris: [LOOPBACK_REDIRECT] },
    state: () => "a state",
    clientInformation: () => stored.clientInformation,
    saveClientInformation: (client) => {
      stored.clientInformation = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      kept.authorizationUrl = url;
    },
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
    discoveryState: () => stored.discoveryState,
    saveDiscoveryState: (state) => {
      stored.discoveryState = state;
    },
  };
  return { kept, provider };
}
