import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../../kernel/logger.ts";
import { inBatches } from "../../../kernel/parallel.ts";
import type { Embedder } from "../../ports.ts";
import type { Unembedded } from "./organization.ts";
import type { Organizations } from "./organizations.ts";

export interface EmbeddingBacklogOptions {
  embedder: Embedder;
  logger: Logger;
  /** Pause after texts that all failed, in milliseconds; doubles with each further failure up to a minute. */
  backoffMs?: number;
}

/** Texts read at a time: few, so that organizations take turns and little is lost when the process ends. */
const BATCH = 16;
const BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Computes the vectors that documents lack, organization by organization. What is missing is a table of the index itself,
 * so that it survives the process; a text that fails is tried again after all others.
 */
export class EmbeddingBacklog {
  readonly #embedder: Embedder;
  readonly #logger: Logger;
  readonly #backoffMs: number;
  readonly #closing = new AbortController();
  /** Organizations with documents that lack a vector, the next one first. */
  readonly #due = new Map<string, { organizations: Organizations; org: string }>();
  #isRunning = false;

  constructor({ embedder, logger, backoffMs = BACKOFF_MS }: EmbeddingBacklogOptions) {
    this.#embedder = embedder;
    this.#logger = logger;
    this.#backoffMs = backoffMs;
  }

  /** Tells that documents of the organization may lack vectors. */
  add(organizations: Organizations, org: string): void {
    if (this.#closing.signal.aborted) return;
    this.#due.set(`${organizations.folder}\0${org}`, { organizations, org });
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** Documents that lack a vector. */
  count(): number {
    return [...this.#due.values()].reduce(
      (sum, { organizations, org }) => sum + (organizations.isClosed ? 0 : organizations.get(org).countUnembedded()),
      0,
    );
  }

  /** Gives up the texts at work; what is missing is computed after the next start. */
  close(): void {
    this.#closing.abort();
    this.#due.clear();
  }

  async #run(): Promise<void> {
    let failures = 0;
    // What was written in the same turn is embedded together.
    await sleep(0);
    for (;;) {
      const [next] = this.#due;
      if (next === undefined) break;
      const [key, { organizations, org }] = next;
      this.#due.delete(key);
      if (organizations.isClosed) continue;
      const texts = organizations.get(org).unembedded(BATCH);
      if (texts.length === 0) continue;
      const failure = await this.#embed(organizations, org, texts);
      if (this.#closing.signal.aborted) break;
      this.#due.set(key, { organizations, org });
      failures = failure === undefined ? 0 : failures + 1;
      if (failure === undefined) continue;
      this.#logger.warn("EMBEDDING_FAILED", { documents: texts.length, error: failure });
      const pauseMs = Math.min(MAX_BACKOFF_MS, this.#backoffMs * 2 ** (failures - 1));
      await sleep(pauseMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
    }
    this.#isRunning = false;
  }

  /** Together, or one by one when that fails; answers the failure where not one text could be embedded. */
  async #embed(organizations: Organizations, org: string, texts: Unembedded[]): Promise<unknown> {
    const failure = await this.#tryEmbed(organizations, org, texts);
    if (failure === undefined || texts.length === 1) return failure;
    let embedded = 0;
    for (const batch of inBatches(texts, 1)) {
      if ((await this.#tryEmbed(organizations, org, batch)) === undefined) embedded++;
    }
    return embedded === 0 ? failure : undefined;
  }

  async #tryEmbed(organizations: Organizations, org: string, texts: Unembedded[]): Promise<unknown> {
    const { signal } = this.#closing;
    try {
      const contents = texts.map(({ content }) => content);
      const vectors = await this.#embedder.embed(contents, { purpose: "passage", signal });
      if (!signal.aborted && !organizations.isClosed) organizations.get(org).storeVectors(texts, vectors);
      return undefined;
    } catch (error) {
      if (signal.aborted || organizations.isClosed) return undefined;
      if (texts.length === 1) organizations.get(org).postpone(texts);
      return error;
    }
  }
}
