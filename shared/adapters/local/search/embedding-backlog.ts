import { setImmediate as othersFirst, setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../../kernel/logger.ts";
import { inBatches } from "../../../kernel/parallel.ts";
import type { Embedder } from "../../../ports/embedder.ts";
import type { Unembedded } from "./organization.ts";
import type { Organizations } from "./organizations.ts";

/** An organization with documents without vectors. */
interface Due {
  organizations: Organizations;
  org: string;
  /** Consecutive failures of all its texts. */
  failures: number;
  /** When it is retried, by `performance.now()`. */
  readyAt: number;
}

/** Texts per read: few, so that organizations take turns and little is lost when the process ends. */
const BATCH = 32;
/** Pause of an organization whose texts all failed; doubles with each further failure, up to the maximum. */
const BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Computes missing vectors, organization by organization. The index itself stores which vectors are missing, so the
 * backlog survives the process. A text that fails is retried after all other texts of its organization. An organization
 * whose texts fail pauses without delaying others. When no vector is missing, the vectors that a change of the model
 * has replaced are deleted.
 */
export class EmbeddingBacklog {
  readonly #embedder: Embedder;
  readonly #logger: Logger;
  readonly #closing = new AbortController();
  /** The next organization first. */
  readonly #due = new Map<string, Due>();
  #isRunning = false;

  constructor(embedder: Embedder, logger: Logger) {
    this.#embedder = embedder;
    this.#logger = logger;
  }

  /** Notes that documents of the organization may lack vectors. */
  add(organizations: Organizations, org: string): void {
    if (this.#closing.signal.aborted) return;
    const key = keyOf({ organizations, org });
    if (!this.#due.has(key)) this.#due.set(key, { organizations, org, failures: 0, readyAt: 0 });
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** Abandons texts in progress; their vectors are computed after the next start. */
  close(): void {
    this.#closing.abort();
    this.#due.clear();
  }

  async #run(): Promise<void> {
    // Texts written in the same turn are embedded together.
    await sleep(0);
    while (this.#due.size > 0) {
      const now = performance.now();
      const next = [...this.#due.values()].find(({ readyAt }) => readyAt <= now);
      if (next === undefined) {
        // An organization added meanwhile waits no longer than this.
        await sleep(BACKOFF_MS, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
      } else {
        await this.#serve(next);
      }
    }
    this.#isRunning = false;
  }

  /** Embeds some texts of an organization and moves it to the end of the queue; it pauses after any failure. */
  async #serve(due: Due): Promise<void> {
    const key = keyOf(due);
    let failure: unknown;
    let isDone = true;
    try {
      const texts = due.organizations.isClosed ? [] : due.organizations.get(due.org).unembedded(BATCH);
      if (texts.length > 0) failure = await this.#embed(due, texts);
      isDone = texts.length === 0 && !(await this.#discardReplaced(due));
    } catch (error) {
      [failure, isDone] = [error, false];
    }
    this.#due.delete(key);
    if (isDone || this.#closing.signal.aborted) return;
    const failures = failure === undefined ? 0 : due.failures + 1;
    const pauseMs = failures === 0 ? 0 : Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (failures - 1));
    if (failure !== undefined) this.#logger.warn("EMBEDDING_FAILED", { org: due.org, error: failure });
    this.#due.set(key, { ...due, failures, readyAt: performance.now() + pauseMs });
  }

  /** Deletes some vectors that a change of the model has replaced; returns whether there may be more. */
  async #discardReplaced({ organizations, org }: Due): Promise<boolean> {
    if (organizations.isClosed || !organizations.get(org).hasReplacedVectors()) return false;
    await organizations.write(org, (index) => index.discardReplacedVectors());
    await othersFirst();
    return true;
  }

  /** Embeds the texts together, or one by one if that fails; returns the failure if no text could be embedded. */
  async #embed(due: Due, texts: Unembedded[]): Promise<unknown> {
    const failure = await this.#tryEmbed(due, texts);
    if (failure === undefined || texts.length === 1) return failure;
    let embedded = 0;
    for (const batch of inBatches(texts, 1)) {
      if ((await this.#tryEmbed(due, batch)) === undefined) embedded++;
    }
    return embedded === 0 ? failure : undefined;
  }

  async #tryEmbed({ organizations, org }: Due, texts: Unembedded[]): Promise<unknown> {
    const { signal } = this.#closing;
    try {
      const vectors = await this.#vectorsOf(texts);
      await organizations.write(org, (index) => {
        if (!signal.aborted && !organizations.isClosed) index.storeVectors(texts, vectors);
      });
      return undefined;
    } catch (error) {
      if (signal.aborted || organizations.isClosed) return undefined;
      if (texts.length === 1) await organizations.write(org, (index) => index.postpone(texts));
      return error;
    }
  }

  /** Each content is embedded once, or not at all if its vector exists. */
  async #vectorsOf(texts: Unembedded[]): Promise<Float32Array[]> {
    const contents = [...new Set(texts.filter(({ vector }) => !vector).map(({ content }) => content))];
    const options = { purpose: "passage", signal: this.#closing.signal } as const;
    const vectors = contents.length === 0 ? [] : await this.#embedder.embed(contents, options);
    const byContent = new Map(contents.map((content, index) => [content, vectors[index]]));
    return texts.flatMap(({ content, vector }) => vector ?? byContent.get(content) ?? []);
  }
}

function keyOf({ organizations, org }: Pick<Due, "organizations" | "org">): string {
  return `${organizations.folder}\0${org}`;
}
