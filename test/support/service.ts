import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Host, type HostSeams, openHost } from "../../infra/local/host.ts";
import { newApiKey } from "../../shared/domain/identity/api-keys.ts";
import { putApiKey, putOrganization } from "../../shared/domain/identity/records.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import type { Clock } from "../../shared/kernel/clock.ts";
import type { Plan } from "../../shared/runtime/access/plans.ts";
import type { Runtime } from "../../shared/runtime/context.ts";

/** An answer: its status, headers and body, parsed if it is JSON. */
export interface Answered {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
  /** The body as received. */
  bytes: Buffer;
}

export interface RequestOptions {
  /** Sent as X-API-Key: the first admin key by default, no key for null. */
  key?: string | null;
  /** Sent as JSON; a string or form is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A client of one running service, local or remote. */
export interface Service {
  request(method: string, path: string, options?: RequestOptions): Promise<Answered>;
}

/** A service under test on either platform. The runtime gives access to what no request can arrange. */
export interface TestedService extends Service {
  runtime: Runtime;
  adminKey: string;
  close(): Promise<void>;
}

/** The whole service in this process, with its own data folder. */
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

/** Fast defaults: vectors without a model, only errors in the log, any port. */
const LIGHT = { EMBEDDER: "lexical", LOG_LEVEL: "error", PORT: "0" };

/**
 * Opens the service in a new temporary folder, with its model loaded; `environment` holds variables as an operator would
 * set them.
 */
export async function openService(
  environment: Record<string, string> = {},
  clock?: Clock,
  seams?: HostSeams,
): Promise<LocalService> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "memory-service-"));
  const config = loadConfig({ ...LIGHT, DATA_DIR: dataDir, ...environment });
  const host = await openHost(config, clock, seams);
  await host.modelLoaded;
  const adminKey = host.firstKey.secret;
  const client = createClient("http://localhost", adminKey, (request) => host.app.fetch(request));
  return {
    ...client,
    host,
    runtime: host.runtime,
    dataDir,
    adminKey,
    close: async () => {
      await host.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates an organization on any plan and a key with all permissions in it. One per test keeps tests apart. */
export async function createOrganization(
  { runtime }: Pick<TestedService, "runtime">,
  plan: Plan = "enterprise",
): Promise<{ org: string; key: string }> {
  const org = runtime.ids("organization");
  const created_at = new Date(runtime.clock()).toISOString();
  const given = { name: "test", permissions: ["admin:all" as const], metadata: {}, created_by: org };
  const { key, secret } = newApiKey({ ...runtime, org }, given);
  const organization = { id: org, label: org, plan, operator: false, created_at };
  await runtime.ports.records.write(putOrganization(organization), ...putApiKey(key));
  return { org, key: secret };
}
