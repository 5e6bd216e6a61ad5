import { access, constants } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { embedByFormer } from "../../domain/retrieval/embed-query.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import { textToIndex } from "../../kernel/text/text-to-index.ts";
import { takeTurn } from "../../kernel/turns.ts";
import type { Embedder } from "../../ports/embedder.ts";
import { isOfMemories, skillsPartition } from "../../ports/partitions.ts";
import { requireIndexName } from "../../ports/preconditions.ts";
import type {
  AggregateField,
  Aggregates,
  BrowseAnswer,
  BrowseRequest,
  DocumentListing,
  DocumentListRequest,
  IndexedVersion,
  IndexRebuild,
  NeighbourRequest,
  Neighbours,
  SearchAnswer,
  SearchDocument,
  SearchIndex,
  SearchRequest,
  SearchScope,
  VectorState,
} from "../../ports/search-index.ts";
import { EmbeddingBacklog } from "./search/embedding-backlog.ts";
import { Generations } from "./search/generations.ts";
import { findVersions, listDocuments } from "./search/list-documents.ts";
import { openWriteThreads } from "./search/long-writes.ts";
import type { OrganizationIndex } from "./search/organization.ts";
import { type FindEmbedder, Organizations } from "./search/organizations.ts";
import { checkDimensions, type Writing, writesTo } from "./search/write-documents.ts";
import { DataFileError } from "./storage/data-files.ts";
import type { IndexMark, IndexState } from "./storage/index-marks.ts";

export interface LocalSearchOptions {
  /** Contains one database file per organization; created if missing. */
  folder: string;
  /** The embedder of the vectors; computes missing ones. */
  embedder: Embedder;
  /** Opens an earlier start's embedder for queries until its vectors are replaced. */
  formerEmbedder?: FindEmbedder;
  /** Whether documents arrive without vectors. */
  embedsLater: boolean;
  /** Maximum number of an organization's documents without vectors; unlimited if absent. */
  maxPending?: number;
  clock: Clock;
  logger: Logger;
  /** Sequence of the newest record change; each file stores it with every write. */
  sequence?: () => number;
  /** Called when an index lost its last writes: they must be repeated. */
  onLost?: () => void;
}

/**
 * The search index on SQLite: FTS5 for keywords, an exact scan in memory for vectors. Each organization has its own
 * file, so its statistics, speed and deletion are independent. A write is visible when it resolves; to semantic search
 * once its vector is computed in the background. Every verb throws on an organization id with characters other than
 * letters, digits, `_` and `-`.
 */
export class LocalSearchIndex implements SearchIndex {
  readonly embedsLater: boolean;
  isCatchingUp = false;
  readonly #options: LocalSearchOptions;
  readonly #backlog: EmbeddingBacklog;
  readonly #writers = openWriteThreads();
  readonly #generations: Generations;
  /** Organizations whose index was written since its mark was taken. */
  readonly #written = new Set<string>();
  readonly #writing: Writing;
  readonly upsert: SearchIndex["upsert"];
  readonly remove: SearchIndex["remove"];

  constructor(options: LocalSearchOptions) {
    const { folder, embedder, formerEmbedder = () => undefined, onLost = () => {}, clock, logger } = options;
    const { sequence = () => 0 } = options;
    const backlog = new EmbeddingBacklog(embedder, logger);
    const onUnembedded = (organizations: Organizations, org: string) => backlog.add(organizations, org);
    const opening = { embedder, formerEmbedder, onUnembedded, onLost, writers: this.#writers, logger };
    this.embedsLater = options.embedsLater;
    this.#options = options;
    this.#backlog = backlog;
    this.#generations = new Generations(folder, (within) => new Organizations(within, opening));
    this.#writing = { dimensions: embedder.dimensions, backlog, clock, sequence, written: this.#written };
    const { upsert, remove } = writesTo(() => this.#generations.all, this.#writing);
    this.upsert = upsert;
    this.remove = remove;
  }

  get #organizations(): Organizations {
    return this.#generations.current;
  }

  async #read<T>({ org, signal }: SearchScope, answer: (index: OrganizationIndex) => T): Promise<T> {
    await takeTurn(org);
    signal?.throwIfAborted();
    return this.#organizations.use(org, answer);
  }

  async vectorState(orgs: string[]): Promise<VectorState> {
    const indexed = orgs.filter((org) => this.#organizations.has(org));
    const states = indexed.map((org) =>
      this.#organizations.use(org, (index) => ({ pending: index.countUnembedded(), former: index.formerEmbedder })),
    );
    const pending = states.reduce((sum, state) => sum + state.pending, 0);
    const compared = states.some(({ former }) => former) ? "former" : "current";
    return { embedder: this.#options.embedder.id, pending, compared, needsRebuild: false };
  }

  async searchableVersion({ org, id }: Pick<IndexedVersion, "org" | "id">): Promise<number> {
    return this.#organizations.use(org, (index) => index.searchableVersion(id));
  }

  async vectorsOf(contents: Pick<SearchDocument, "org" | "content">[]): Promise<(Float32Array | undefined)[]> {
    return contents.map(({ org, content }) => this.#organizations.use(org, (index) => index.vectorOf(content)));
  }

  async search(request: SearchRequest): Promise<SearchAnswer> {
    const { embedder, logger } = this.#options;
    request.signal?.throwIfAborted();
    if (request.semantic !== undefined) checkDimensions(request.semantic.vector, embedder.dimensions);
    await this.#loadVectors(request);
    const former = this.#organizations.use(request.org, (index) => index.formerEmbedder);
    const byFormer = former && (await embedByFormer(request, former, logger));
    // The former vectors may have been replaced meanwhile; those in their place are not in memory yet.
    if (former) await this.#loadVectors(request);
    return this.#read(request, (index) => {
      if (!former || !byFormer || index.formerEmbedder !== former) return index.search(request);
      const { background, isLexical } = former;
      return { ...index.search(byFormer), comparedBy: { background, isLexical } };
    });
  }

  /** Waits at most `timeLimit` milliseconds for the vectors to be in memory; without them a search uses only keywords. */
  async #loadVectors({ org, semantic }: SearchRequest): Promise<void> {
    if (semantic === undefined || this.#organizations.use(org, (index) => index.hasVectors)) return;
    const { timeLimit } = semantic;
    const timeout = timeLimit === undefined ? [] : [sleep(timeLimit, undefined, { ref: false })];
    await Promise.race([this.#organizations.loadVectors(org), ...timeout]);
  }

  neighbours(request: NeighbourRequest): Promise<Neighbours> {
    return this.#read(request, (index) => index.neighbours(request));
  }

  count(scope: SearchScope): Promise<number> {
    return this.#read(scope, (index) => index.count(scope));
  }

  async countMemories(now: number): Promise<number> {
    let count = 0;
    for (const org of this.#organizations.names().filter(isOfMemories)) count += await this.count({ org, now });
    return count;
  }

  browse(request: BrowseRequest): Promise<BrowseAnswer> {
    return this.#read(request, (index) => index.browse(request));
  }

  aggregate(scope: SearchScope, terms: AggregateField[]): Promise<Aggregates> {
    return this.#read(scope, (index) => index.aggregate(scope, terms));
  }

  async versions(references: Pick<IndexedVersion, "org" | "id">[]): Promise<IndexedVersion[]> {
    return findVersions(this.#organizations, references);
  }

  async list(request: DocumentListRequest): Promise<DocumentListing> {
    return listDocuments(this.#organizations, request);
  }

  async rebuild(name: string): Promise<IndexRebuild> {
    requireIndexName(name);
    const built = () => this.#generations.get(name);
    built();
    const { upsert, remove } = writesTo(() => [built()], this.#writing);
    const withVector = ({ embedding, ...document }: SearchDocument) => {
      const stored = () => this.#organizations.get(document.org).vectorOf(textToIndex(document));
      return { ...document, embedding: embedding ?? stored() };
    };
    return {
      upsert: (documents) => upsert(documents.map(withVector)),
      remove,
      versions: async (references) => findVersions(built(), references),
      list: async (request) => listDocuments(built(), request),
      activate: async () => {
        this.#generations.activate(name);
        for (const org of this.#organizations.names()) this.#written.add(org);
      },
    };
  }

  async purge(before: number): Promise<number> {
    let sum = 0;
    for (const org of this.#organizations.names())
      sum += await this.#organizations.write(org, (index) => index.purge(before));
    return sum;
  }

  async scrub(org: string): Promise<boolean> {
    const written = this.#generations.all.filter((indexes) => indexes.has(org));
    const scrubbed = written.map((indexes) => indexes.write(org, (index) => index.scrub()));
    return (await Promise.all(scrubbed)).every(Boolean);
  }

  async ping(): Promise<void> {
    await access(this.#options.folder, constants.W_OK);
    this.#organizations.probe();
  }

  /** Runs all migrations now; returns the organizations whose documents must be rebuilt from the records. */
  upgrade(): string[] {
    return this.#organizations.emptied();
  }

  /** Records that the documents of these organizations exist again. */
  noteFilled(): void {
    for (const org of this.#organizations.emptied()) this.#organizations.get(org).noteFilled();
  }

  /** Starts to load vectors into memory for the organizations that were written last; searches continue meanwhile. */
  preload(): void {
    this.#organizations
      .preloadVectors()
      .catch((error: unknown) => this.#options.logger.warn("VECTORS_NOT_LOADED", { error }));
  }

  /** Whether an organization has too many documents without vectors, as of the last second. */
  isBacklogged(org: string): boolean {
    const { maxPending = Number.POSITIVE_INFINITY } = this.#options;
    const partitions = [org, skillsPartition(org)].filter((partition) => this.#organizations.has(partition));
    const count = (partition: string) => this.#organizations.use(partition, (index) => index.recentlyLacking());
    return partitions.reduce((sum, partition) => sum + count(partition), 0) > maxPending;
  }

  /** The state of each organization's file. */
  states(): Iterable<IndexState> {
    return this.#organizations.states();
  }

  /** Marks of the indexes that were written since the last call. */
  takeMarks(): IndexMark[] {
    return [...this.#written].flatMap((org) => {
      try {
        const marks = [...this.#organizations.states([org])];
        this.#written.delete(org);
        return marks;
      } catch (error) {
        // The records are written anyway; /ready reports the file.
        if (error instanceof DataFileError) return [];
        throw error;
      }
    });
  }

  close(): void {
    this.#backlog.close();
    this.#generations.close();
    void this.#writers.close();
  }
}
