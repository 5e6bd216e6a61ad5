import { expect, vi } from "vitest";
import { ENVIRONMENT, type Environment, required } from "../../shared/adapters/aws/environment.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { createOrganization, type Service } from "../support/service.ts";

const TIMEOUT_MS = 60_000;
const INTERVAL_MS = 20;
const PLAIN = { extract_facts: false, extract_entities: false, compress: false };

interface Marker {
  org: string;
  key: string;
  id: string;
  version: number;
}

/**
 * How far the stream's worker has come: it takes changes in their order, so that once it has indexed a memory that was
 * changed just now, it has indexed all that was written before.
 */
export class ChangeFeed {
  readonly #service: Service;
  readonly #runtime: Runtime;
  readonly #environment: Environment;
  #marker: Promise<Marker> | undefined;
  #hasChanges = false;
  #settled: Promise<void> = Promise.resolve();

  constructor(service: Service, runtime: Runtime, environment: Environment) {
    this.#service = service;
    this.#runtime = runtime;
    this.#environment = environment;
  }

  expectChanges(): void {
    this.#hasChanges = true;
  }

  /** Resolves when what was written before can be found. */
  drainChangeFeed(): Promise<void> {
    if (this.#hasChanges) {
      this.#hasChanges = false;
      this.#settled = this.#settled.then(() => this.#follow());
    }
    return this.#settled;
  }

  async #follow(): Promise<void> {
    this.#marker ??= this.#createMarker();
    const marker = await this.#marker;
    const { org, key, id } = marker;
    const before = marker.version;
    const body = { metadata: { settled: Date.now() } };
    const changed = await this.#service.request("PUT", `/memories/${id}`, { key, body });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    marker.version = await vi.waitFor(
      async () => {
        const [indexed] = await this.#runtime.ports.search.versions([{ org, id }]);
        const version = indexed?.version ?? 0;
        expect(version).toBeGreaterThan(before);
        return version;
      },
      { timeout: TIMEOUT_MS, interval: INTERVAL_MS },
    );
    const indexes = `${required(this.#environment, ENVIRONMENT.searchIndex)}-*`;
    const endpoint = required(this.#environment, ENVIRONMENT.searchEndpoint);
    expect((await fetch(`${endpoint}/${indexes}/_refresh`, { method: "POST" })).ok).toBe(true);
  }

  async #createMarker(): Promise<Marker> {
    const { org, key } = await createOrganization({ runtime: this.#runtime });
    const body = { content: "It marks how far the change feed was read.", options: PLAIN };
    const answer = await this.#service.request("POST", "/memories", { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return { org, key, id: answer.body.data.id, version: 1 };
  }
}
