import { LRUCache } from "lru-cache";
import { sha256 } from "../../../kernel/digest.ts";
import type { SearchScope } from "../../../ports/search-index.ts";
import type { Database, Sql } from "../storage/sqlite.ts";
import { conditionOf } from "./scope.ts";

interface Limits {
  /** Maximum number of documents of a scope that are kept, and of all scopes of all indexes. */
  documents: number;
  capacity: number;
  /** Maximum number of written documents that kept scopes of an index follow; after more they are read again. */
  written: number;
}

const LIMITS: Limits = { documents: 20_000, capacity: 400_000, written: 1_000 };
/** Size of a scope besides its documents. */
const OVERHEAD = 100;
/** Maximum number of scopes that are remembered without their documents. */
const MAX_SEEN = 10_000;

interface Kept {
  /** Expired or not; undefined if there are too many. */
  docs: Set<number> | undefined;
  /** Number of the index's written documents that it has followed. */
  followed: number;
}

/** The scopes that were searched last in all organizations: most searches of a user have the same filters. */
export class ScopeCache {
  readonly limits: Limits;
  readonly kept: LRUCache<string, Kept>;
  /** The time of the request that had the scope first. */
  readonly seen = new LRUCache<string, number>({ max: MAX_SEEN });
  #indexes = 0;

  constructor(limits = LIMITS) {
    this.limits = limits;
    this.kept = new LRUCache({ maxSize: limits.capacity });
  }

  /** Returns the part of one index, which nobody else uses. */
  partOf(database: Database): ScopedDocuments {
    return new ScopedDocuments(database, this, this.#indexes++);
  }
}

/** The documents of the scopes of one index. */
export class ScopedDocuments {
  readonly #database: Database;
  readonly #cache: ScopeCache;
  readonly #index: number;
  /** The documents that were written last, and may belong to a scope or no longer; those before them are only counted. */
  readonly #written: number[] = [];
  #dropped = 0;

  constructor(database: Database, cache: ScopeCache, index: number) {
    this.#database = database;
    this.#cache = cache;
    this.#index = index;
  }

  /**
   * The numbers of a scope's documents if they are kept; undefined if they are too many, or depend on more than the
   * documents' rows, facets, mentions and expiry. A list of ids is not repeated. With `mayRead`, the second request with
   * a scope reads its documents, and they are kept: filters that come once would displace the others.
   */
  find(scope: SearchScope, mayRead = false): ReadonlySet<number> | undefined {
    if (scope.viewer !== undefined || scope.expired === "only" || scope.filters?.ids !== undefined) return undefined;
    const condition = conditionOf({ ...scope, expired: "shown" });
    const key = sha256(JSON.stringify([this.#index, condition]));
    const kept = this.#cache.kept.get(key);
    if (kept === undefined && !(mayRead && this.#isRepeated(key, scope.now))) return undefined;
    const docs = kept === undefined ? this.#read(key, condition) : this.#update(key, kept, condition);
    if (docs === undefined || scope.expired === "shown") return docs;
    const expired = this.#numbers(EXPIRED, scope.now).filter((doc) => docs.has(doc));
    if (expired.length === 0) return docs;
    const remaining = new Set(docs);
    for (const doc of expired) remaining.delete(doc);
    return remaining;
  }

  /** To be called after each write of the documents. */
  forget(docs: number[]): void {
    this.#written.push(...docs);
    this.#dropped += this.#written.splice(0, this.#written.length - this.#cache.limits.written).length;
  }

  /** Whether another request had the scope before. All searches of a request have the same time. */
  #isRepeated(key: string, now: number): boolean {
    const first = this.#cache.seen.get(key);
    if (first === undefined) this.#cache.seen.set(key, now);
    return first !== undefined && first !== now;
  }

  #read(key: string, { text, values }: Sql): Set<number> | undefined {
    const sql = `SELECT d.doc FROM documents d WHERE ${text} LIMIT ?`;
    return this.#keep(key, new Set(this.#numbers(sql, ...values, this.#cache.limits.documents + 1)));
  }

  #update(key: string, { docs, followed }: Kept, { text, values }: Sql): Set<number> | undefined {
    if (followed < this.#dropped) return this.#read(key, { text, values });
    const written = new Set(this.#written.slice(followed - this.#dropped));
    if (docs === undefined || written.size === 0) return docs;
    for (const doc of written) docs.delete(doc);
    const sql = `SELECT d.doc FROM documents d WHERE d.doc IN (SELECT value FROM json_each(?)) AND ${text}`;
    for (const doc of this.#numbers(sql, JSON.stringify([...written]), ...values)) docs.add(doc);
    return this.#keep(key, docs);
  }

  #keep(key: string, found: Set<number>): Set<number> | undefined {
    const docs = found.size > this.#cache.limits.documents ? undefined : found;
    const followed = this.#dropped + this.#written.length;
    this.#cache.kept.set(key, { docs, followed }, { size: OVERHEAD + (docs?.size ?? 0) });
    return docs;
  }

  #numbers(text: string, ...values: Sql["values"]): number[] {
    return this.#database.tuples(text, ...values).map(([doc]) => Number(doc));
  }
}

/** The documents that have expired, few and indexed. */
export const EXPIRED = "SELECT d.doc FROM documents d WHERE d.expire_ms <= ?";
