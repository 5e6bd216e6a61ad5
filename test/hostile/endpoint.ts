import { onTestFinished } from "vitest";
import { listenOnLoopback, textOf } from "../fixtures/loopback-server.ts";
import { findLeaks, type Leak } from "../support/canary.ts";

/** Every status that redirects. */
export const REDIRECTS = [301, 302, 303, 307, 308] as const;

/** How an endpoint responds to a request. */
export interface EndpointAnswer {
  status?: number;
  location?: string;
  json?: unknown;
}

export type Answerer = (asked: { method: string; path: string; body: string }) => EndpointAnswer;

/** A server that records every byte that reaches it, for one test. */
export interface Endpoint {
  url: string;
  /** `METHOD /path` of each request. */
  requests: string[];
  /** Names of the secrets that reached it, as plain text or in any usual encoding. */
  leaks(secrets: ReadonlyMap<string, string>): string[];
}

/** Decodes Basic credentials, because a secret within them has another base64 form than by itself. */
function decoded(authorization = ""): string {
  return authorization.startsWith("Basic ") ? Buffer.from(authorization.slice(6), "base64").toString() : "";
}

/** Opens an endpoint; by default it accepts every request and grants its own tokens. */
export async function openEndpoint(answer: Answerer = () => ({ json: { access_token: "of the endpoint" } })) {
  const requests: string[] = [];
  const received: Buffer[] = [];
  const server = await listenOnLoopback(async (request, response) => {
    const { method = "", url = "", rawHeaders, headers } = request;
    requests.push(`${method} ${url}`);
    const body = await textOf(request);
    received.push(Buffer.from([url, ...rawHeaders, decoded(headers.authorization), body].join("\n")));
    const { status = 200, location, json = {} } = answer({ method, path: url, body });
    response.writeHead(status, { "content-type": "application/json", ...(location !== undefined && { location }) });
    response.end(JSON.stringify(json));
  });
  onTestFinished(server.close);
  const leaks = (secrets: ReadonlyMap<string, string>) => {
    const found = findLeaks(new Map(secrets), [{ name: server.url, bytes: Buffer.concat(received) }]);
    return found.map(({ secret }: Leak) => secret);
  };
  return { url: server.url, requests, leaks } satisfies Endpoint;
}
