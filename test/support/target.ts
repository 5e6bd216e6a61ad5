import { vi } from "vitest";
import { TRUST_MS } from "../../shared/domain/identity/authenticate.ts";
import { expectDocumented, routeAt } from "./documented.ts";
import {
  type Answered,
  createOrganization,
  type LocalService,
  openService,
  type RequestOptions,
  type Service,
  type TestedService,
} from "./service.ts";

type Plan = Parameters<typeof createOrganization>[1];

/** A running service that end-to-end tests call only over HTTP, wherever it runs. */
export interface Target {
  service: Service;
  /** Creates an organization on a plan (enterprise by default) and returns a caller with all permissions in it. */
  organization(plan?: Plan): Promise<Caller>;
  /** Requests a link to a blob from an answer, as a browser would. */
  follow(link: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

type Opening = (environment: Record<string, string>) => Promise<TestedService>;

/** The platforms besides the local one, by the `TESTED_HOME` of their configuration. */
const OPENINGS: Record<string, () => Promise<Opening>> = {
  engines: async () => (await import("../engines/service.ts")).openEngineService,
  deployed: async () => (await import("../deploy/service.ts")).openDeployedService,
};

/**
 * Whether the service runs in separate functions (`npm run test:deploy`), which a test cannot reach within its process.
 */
export const IS_DEPLOYED = process.env.TESTED_HOME === "deployed";

/**
 * Opens the service for end-to-end tests: the local platform, the AWS adapters on the engines (`npm run test:engines`)
 * or the deployment on an emulator (`npm run test:deploy`). All three run the same tests. `environment` holds variables
 * as an operator would set them.
 */
export async function openTestedService(environment: Record<string, string> = {}): Promise<TestedService> {
  const opening = OPENINGS[process.env.TESTED_HOME ?? ""];
  return opening ? (await opening())(environment) : openService(environment);
}

export async function openTarget(environment?: Record<string, string>): Promise<Target> {
  const service = await openTestedService(environment);
  return {
    service,
    organization: async (plan) => new Caller(service, (await createOrganization(service, plan)).key),
    follow: async (link, init) =>
      "host" in service ? (service as LocalService).host.app.fetch(new Request(link, init)) : fetch(link, init),
    close: service.close,
  };
}

type Options = Omit<RequestOptions, "key" | "body">;

/** Sends requests with one key. Every answer must be documented in openapi.json. */
export class Caller {
  readonly service: Service;
  readonly key: string;

  constructor(service: Service, key: string) {
    this.service = service;
    this.key = key;
  }

  /** Returns a caller of the same service with another key. */
  as(key: string): Caller {
    return new Caller(this.service, key);
  }

  get(path: string, options?: Options): Promise<Answered> {
    return this.#send("GET", path, undefined, options);
  }

  post(path: string, body?: unknown, options?: Options): Promise<Answered> {
    return this.#send("POST", path, body, options);
  }

  put(path: string, body?: unknown, options?: Options): Promise<Answered> {
    return this.#send("PUT", path, body, options);
  }

  patch(path: string, body?: unknown, options?: Options): Promise<Answered> {
    return this.#send("PATCH", path, body, options);
  }

  delete(path: string, body?: unknown, options?: Options): Promise<Answered> {
    return this.#send("DELETE", path, body, options);
  }

  async #send(method: string, path: string, body: unknown, options?: Options): Promise<Answered> {
    const answer = await this.service.request(method, path, { ...options, key: this.key, body });
    expectDocumented(routeAt(method, path), answer);
    return answer;
  }
}

/** Functions take a second or two to start, one after another; real engines on a slow machine take long, too. */
const TIMEOUT_MS = IS_DEPLOYED ? 60_000 : 30_000;

/**
 * Repeats a check until it passes: lists and search may lag behind a write by a second on AWS, but not on the local
 * platform.
 */
export function eventually<T>(check: () => Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  return vi.waitFor(check, { timeout: timeoutMs, interval: 50 });
}

/** Longer than a process caches a credential, and longer than the interval at which it writes its counts. */
const ALL_KNOW_MS = TRUST_MS + 5_000;

/**
 * Checks what one process changed and others may see late: a cached credential, or a count, which a function writes
 * with a later request. With separate processes per group the check is repeated until the caches expire; by then it
 * must pass.
 */
export function onceAllKnow<T>(check: () => Promise<T>): Promise<T> {
  return IS_DEPLOYED ? vi.waitFor(check, { timeout: ALL_KNOW_MS, interval: 500 }) : check();
}
