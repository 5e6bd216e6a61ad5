import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../../kernel/digest.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { Embedder } from "../../../ports/embedder.ts";
import type { TextPool } from "../../../runtime/text-work/pool.ts";
import { asDataFileError, DataFileError } from "../storage/data-files.ts";
import type { IndexState } from "../storage/index-marks.ts";
import { makePrivateFolder } from "../storage/private-files.ts";
import { Database } from "../storage/sqlite.ts";
import { VectorPool } from "../vectors/pool.ts";
import { RowCache } from "./cached-rows.ts";
import { longWriteTask } from "./long-writes.ts";
import { beginModelChange, cancelModelChange } from "./model-change.ts";
import { type FormerModel, OrganizationIndex, type SharedMemory } from "./organization.ts";
import { SEARCH_MIGRATIONS } from "./schema.ts";
import { ScopeCache } from "./scoped-documents.ts";
import { TimelineCache } from "./timelines.ts";
import { forgetVectors } from "./vectors.ts";
import type { IndexWrite, WrittenRow } from "./writes.ts";

/** Maximum number of open databases; the least recently used are closed. */
const MAX_OPEN = 64;
const PAGE_CACHE_KIB = 8 * 1024;
/** Maximum bytes of vectors in memory for all organizations. */
const VECTOR_CAPACITY = 512 * 1024 * 1024;
const ORGANIZATION = /^[A-Za-z0-9_-]{1,64}$/;
const DATABASE_FILE = /^(?<org>[A-Za-z0-9_-]{1,64})-[0-9a-f]{8}\.db$/;

/** An earlier start's embedder by id; undefined if it can no longer be opened. */
export type FindEmbedder = (id: string) => FormerEmbedder | undefined;
export type FormerEmbedder = Pick<Embedder, "embed" | "dimensions" | "background" | "isLexical">;

interface OrganizationsOptions {
  embedder: Pick<Embedder, "id" | "dimensions">;
  formerEmbedder: FindEmbedder;
  /** Called for each opened organization that has documents without vectors, or replaced vectors. */
  onUnembedded: (organizations: Organizations, org: string) => void;
  /** Called when an index lost its last writes, for example because the disk is full. */
  onLost: () => void;
  /** The threads for long writes. */
  writers: TextPool;
  logger: Logger;
}

/** The indexes of all organizations, one database file each, opened when needed. */
export class Organizations {
  readonly folder: string;
  readonly #options: OrganizationsOptions;
  readonly #memory: SharedMemory;
  readonly #formerPools = new Map<string, VectorPool>();
  /** Least recently used first. */
  readonly #open = new Map<string, OrganizationIndex>();
  /** The error of each damaged file, by organization. */
  readonly #faults = new Map<string, DataFileError>();
  /** Organizations whose vectors are being loaded or will be. */
  readonly #loading = new Map<string, Promise<void>>();
  #lastLoading = Promise.resolve();
  #isClosed = false;

  constructor(folder: string, options: OrganizationsOptions) {
    makePrivateFolder(folder);
    this.folder = folder;
    this.#options = options;
    const pool = new VectorPool(options.embedder.dimensions, VECTOR_CAPACITY);
    this.#memory = { pool, rows: new RowCache(), scopes: new ScopeCache(), timelines: new TimelineCache() };
  }

  /** Whether these indexes are closed: another generation replaced them, or the process ends. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Throws on an id that is not a valid file name. */
  get(org: string): OrganizationIndex {
    const index = this.#open.get(org) ?? this.#openIndex(org);
    this.#open.delete(org);
    this.#open.set(org, index);
    this.#closeOldest();
    return index;
  }

  /** Uses an index. Throws DataFileError, now and at each probe, if its file is damaged. */
  use<T>(org: string, work: (index: OrganizationIndex) => T): T {
    try {
      return work(this.get(org));
    } catch (error) {
      throw this.#faultOf(org, error);
    }
  }

  /** The same for what writes: waits while a thread writes to the index. */
  async write<T>(org: string, work: (index: OrganizationIndex) => T): Promise<T> {
    for (let writing = this.#writing(org); writing; writing = this.#writing(org)) await writing;
    return this.use(org, work);
  }

  /**
   * Writes in a thread. If that fails, the write is repeated here, where its failure is known for what it is: a full
   * disk or a damaged file. The thread may have committed before it was ended: then the repeated write changes nothing.
   */
  async writeInThread(org: string, write: IndexWrite): Promise<void> {
    const task = { file: join(this.folder, fileOf(org)), write };
    const inThread = () => this.#options.writers.run<WrittenRow[]>(longWriteTask, task, { org });
    try {
      await this.write(org, (index) => index.writeInThread(inThread));
    } catch (error) {
      if (this.#isClosed) throw error;
      await this.write(org, (index) => {
        index.forgetMemory();
        index.write(write);
      });
      this.#options.logger.warn("INDEX_THREAD_FAILED", { org, error });
    }
  }

  #writing(org: string): Promise<void> | undefined {
    return this.#open.get(org)?.writing;
  }

  /** Loads an organization's vectors. One at a time: two that each need all memory would clear each other's. */
  loadVectors(org: string): Promise<void> {
    const loading = this.#loading.get(org) ?? this.#loadAfterOthers(org);
    this.#loading.set(org, loading);
    return loading;
  }

  /** The same for the organizations that were written last, as far as memory allows; to be called once at the start. */
  async preloadVectors(): Promise<void> {
    const written = this.names().map((org) => ({ org, at: statSync(join(this.folder, fileOf(org))).mtimeMs }));
    let room = VECTOR_CAPACITY;
    for (const { org } of written.sort((a, b) => b.at - a.at).slice(0, MAX_OPEN)) {
      if (this.#isClosed) return;
      room -= this.use(org, (index) => index.vectorBytes());
      if (room < 0) return;
      await this.loadVectors(org);
    }
  }

  /** The state of the organizations' files: of the given ones that have one, or all. */
  *states(orgs: Iterable<string> = this.names()): Generator<IndexState> {
    for (const org of orgs) if (this.has(org)) yield { org, ...this.use(org, (index) => index.state()) };
  }

  /** Throws if an index is damaged, or if the last used one cannot be written. */
  probe(): void {
    const [fault] = this.#faults.values();
    if (fault !== undefined) throw fault;
    const org = [...this.#open.keys()].at(-1) ?? this.names()[0];
    // A thread that writes proves the same.
    if (org !== undefined && !this.#writing(org)) this.use(org, (index) => index.probe());
  }

  /** Whether the organization has an index. */
  has(org: string): boolean {
    return this.#open.has(org) || existsSync(join(this.folder, fileOf(org)));
  }

  /** Every organization with an index, open or not. */
  names(): string[] {
    return readdirSync(this.folder).flatMap((file) => DATABASE_FILE.exec(file)?.groups?.org ?? []);
  }

  /** Organizations with an index that lost its documents in an upgrade. */
  emptied(): string[] {
    return this.names().filter((org) => this.get(org).isEmptied());
  }

  close(): void {
    this.#isClosed = true;
    for (const index of this.#open.values()) index.close();
    this.#open.clear();
  }

  async #loadAfterOthers(org: string): Promise<void> {
    const before = this.#lastLoading;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lastLoading = promise;
    try {
      await before;
      if (!this.#isClosed) await this.get(org).loadVectors();
    } catch (error) {
      throw this.#faultOf(org, error);
    } finally {
      this.#loading.delete(org);
      resolve();
    }
  }

  #faultOf(org: string, error: unknown): unknown {
    const fault = asDataFileError(join(this.folder, fileOf(org)), error);
    if (fault instanceof DataFileError) this.#faults.set(org, fault);
    return fault;
  }

  #openIndex(org: string): OrganizationIndex {
    const database = new Database({
      file: join(this.folder, fileOf(org)),
      migrations: SEARCH_MIGRATIONS,
      pageCacheKib: PAGE_CACHE_KIB,
      logger: this.#options.logger,
      onGroupLost: (error) => this.#onLost(org, error),
    });
    const initial = { embedder: this.#options.embedder.id, file: randomUUID(), commits: "0", sequence: "0" };
    const insert = database.prepare("INSERT OR IGNORE INTO settings (name, value) VALUES (?, ?)");
    database.lightTransaction(() => {
      for (const [name, value] of Object.entries(initial)) insert.run(name, value);
    });
    const index = new OrganizationIndex(database, this.#memory, this.#changeModel(database, org));
    if (index.countUnembedded() > 0 || index.hasReplacedVectors()) this.#options.onUnembedded(this, org);
    return index;
  }

  #onLost(org: string, error: unknown): void {
    this.#options.logger.warn("INDEX_WRITES_LOST", { org, error });
    const index = this.#open.get(org);
    index?.forgetMemory();
    if (index && index.countUnembedded() > 0) this.#options.onUnembedded(this, org);
    // At once: the next write of records would delete the changes of what was lost.
    this.#options.onLost();
  }

  /**
   * Starts or cancels a change of the model as needed. Returns the model of the index's vectors if it differs from the
   * current one and can still embed queries.
   */
  #changeModel(database: Database, org: string): FormerModel | undefined {
    const { embedder: current, formerEmbedder, logger } = this.#options;
    const to = current.id;
    const from = String(database.get("SELECT value FROM settings WHERE name = 'embedder'")?.value);
    if (from === to) {
      cancelModelChange(database);
      return undefined;
    }
    const embedder = formerEmbedder(from);
    if (embedder === undefined) {
      forgetVectors(database, to);
      logger.warn("EMBEDDER_CHANGED", { org, from, to, meanwhile: "words" });
      return undefined;
    }
    const isNew = beginModelChange(database, to);
    if (isNew) logger.info("EMBEDDER_CHANGED", { org, from, to, meanwhile: "former vectors" });
    const pool = this.#formerPools.get(from) ?? new VectorPool(embedder.dimensions, VECTOR_CAPACITY);
    this.#formerPools.set(from, pool);
    return { embedder, pool, onReplaced: () => logger.info("VECTORS_REPLACED", { org, from, to }) };
  }

  #closeOldest(): void {
    for (const [org, index] of this.#open) {
      if (this.#open.size <= MAX_OPEN) return;
      if (index.writing) continue;
      index.close();
      this.#open.delete(org);
    }
  }
}

/** The hash separates ids that differ only in case on case-insensitive file systems. */
function fileOf(org: string): string {
  if (!ORGANIZATION.test(org)) throw new Error(`'${org}' cannot name an organization's index`);
  return `${org}-${sha256(org).slice(0, 8)}.db`;
}
