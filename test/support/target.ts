import { vi } from "vitest";
import { TRUST_MS } from "../../shared/identity/authenticate.ts";
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

/** A running service that end-to-end tests speak to over HTTP alone, wherever it runs. */
export interface Target {
  service: Service;
  /** A new organization on a plan (enterprise unless told), and a caller that holds everything in it. */
  organization(plan?: Plan): Promise<Caller>;
  /** Requests a link to a blob that an answer told, as a browser would. */
  follow(link: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

type Opening = (environment: Record<string, string>) => Promise<TestedService>;

/** The homes besides the local one, by the `TESTED_HOME` of their configuration. */
const OPENINGS: Record<string, () => Promise<Opening>> = {
  engines: async () => (await import("../engines/service.ts")).openEngineService,
  deployed: async () => (await import("../deploy/service.ts")).openDeployedService,
};

/** Whether the service runs in functions of its own (`npm run test:deploy`), out of reach of what a test does in this process. */
export const IS_DEPLOYED = process.env.TESTED_HOME === "deployed";

/**
 * Opens the service that end-to-end tests are about: the local home, the AWS adapters on the engines
 * (`npm run test:engines`) or the deployment on an emulator (`npm run test:deploy`). The tests themselves are the same.
 * `environment` as a person would set it.
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

/** Sends requests with one key; every answer must be one that openapi.json announces. */
export class Caller {
  readonly service: Service;
  readonly key: string;

  constructor(service: Service, key: string) {
    this.service = service;
    this.key = key;
  }

  /** The same service under another key. */
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

/** Functions take a second or two to start, one after another. */
const PATIENCE_MS = IS_DEPLOYED ? 60_000 : 10_000;

/** Repeats a check until it passes: lists and search may lag behind a write by a second on AWS, and not at all here. */
export function eventually<T>(check: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  return vi.waitFor(check, { timeout: patienceMs, interval: 50 });
}

/** Some more than a process trusts what it read of a credential, and more often than that writes what it counted. */
const ALL_KNOW_MS = TRUST_MS + 5_000;

/**
 * Checks at once what one process changed and others may hold otherwise for a few seconds: a credential, or a count, which
 * a function writes with the first request that comes late enough. Only where each group has processes of its own is it
 * repeated, until they all know; by then it must hold.
 */
export function onceAllKnow<T>(check: () => Promise<T>): Promise<T> {
  return IS_DEPLOYED ? vi.waitFor(check, { timeout: ALL_KNOW_MS, interval: 500 }) : check();
}
