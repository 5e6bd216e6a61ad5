import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Host, type HostSeams, openHost } from "../../infra/local/host.ts";
import { hashSecret, newSecret, visiblePrefix } from "../../shared/identity/api-keys.ts";
import type { Plan } from "../../shared/identity/plans.ts";
import { type ApiKey, putApiKey, putOrganization } from "../../shared/identity/records.ts";
import type { Clock } from "../../shared/kernel/clock.ts";
import { loadConfig } from "../../shared/kernel/config.ts";
import type { Home } from "../../shared/platform/context.ts";

/** What a request answered: the status, the headers and the JSON. */
export interface Answered {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
  /** The same as it came. */
  bytes: Buffer;
}

export interface RequestOptions {
  /** Sent as X-API-Key; the first admin key unless told, none for null. */
  key?: string | null;
  /** Sent as JSON; a string and a form go out as they are. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A client of one running service, wherever that is. */
export interface Service {
  request(method: string, path: string, options?: RequestOptions): Promise<Answered>;
}

/** A service under test, in either home. The records and the clock are for what no request can arrange. */
export interface TestedService extends Service {
  home: Home;
  adminKey: string;
  close(): Promise<void>;
}

/** The whole service in this process, on a folder of its own. */
export interface LocalService extends TestedService {
  host: Host;
  dataDir: string;
}

type Fetch = (request: Request) => Response | Promise<Response>;

/** A client that sends requests through `fetch`, by default over HTTP. */
export function createClient(baseUrl: string, adminKey: string, send: Fetch = fetch): Service {
  return {
    async request(method, path, { key = adminKey, body, headers = {} } = {}) {
      const sent = new Headers(headers);
      if (key !== null) sent.set("x-api-key", key);
      const isPlain = body === undefined || typeof body === "string" || body instanceof FormData;
      const isTyped = body === undefined || body instanceof FormData || sent.has("content-type");
      if (!isTyped) sent.set("content-type", "application/json");
      const payload = isPlain ? body : JSON.stringify(body);
      const request = new Request(baseUrl + path, { method, headers: sent, body: payload, redirect: "manual" });
      const response = await send(request);
      const bytes = Buffer.from(await response.arrayBuffer());
      const answer = bytes.toString("utf8");
      const isJson = response.headers.get("content-type")?.includes("json");
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(answer) : answer, bytes };
    },
  };
}

/** Vectors at once and without a model, errors alone in the log, any port. */
const LIGHT = { EMBEDDER: "lexical", LOG_LEVEL: "error", PORT: "0" };

/** Opens the service in a new temporary folder; `environment` as a person would set it. */
export async function openService(
  environment: Record<string, string> = {},
  clock?: Clock,
  seams?: HostSeams,
): Promise<LocalService> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "memory-service-"));
  const config = loadConfig({ ...LIGHT, DATA_DIR: dataDir, ...environment });
  const host = await openHost(config, clock, seams);
  const adminKey = host.firstKey.secret;
  const client = createClient("http://localhost", adminKey, (request) => host.app.fetch(request));
  return {
    ...client,
    host,
    home: host.home,
    dataDir,
    adminKey,
    close: async () => {
      await host.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A new organization on any plan and a key that holds everything in it; one a test keeps tests apart. */
export async function createOrganization(
  { home }: Pick<TestedService, "home">,
  plan: Plan = "enterprise",
): Promise<{ org: string; key: string }> {
  const org = home.ids("organization");
  const secret = newSecret();
  const created_at = new Date(home.clock()).toISOString();
  const key: ApiKey = {
    id: home.ids("apiKey"),
    org,
    name: "test",
    prefix: visiblePrefix(secret),
    hash: hashSecret(secret),
    permissions: ["admin:all"],
    metadata: {},
    status: "active",
    created_at,
    created_by: org,
  };
  const organization = { id: org, label: org, plan, operator: false, created_at };
  await home.ports.records.write(putOrganization(organization), ...putApiKey(key));
  return { org, key: secret };
}
