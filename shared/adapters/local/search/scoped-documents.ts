import { LRUCache } from "lru-cache";
import type { SearchScope } from "../../../ports/search-index.ts";
import type { Database, Sql } from "../storage/sqlite.ts";
import { conditionOf } from "./scope.ts";

/** Maximum number of documents of a scope that are kept, and of all scopes of an index. */
const MAX_DOCUMENTS = 20_000;
const CAPACITY = 100_000;
/** Size of a scope besides its documents. */
const OVERHEAD = 100;
/** Maximum number of written documents that a kept scope follows; after more it is read again. */
const MAX_WRITTEN = 1_000;

interface Kept {
  /** Expired or not; undefined if there are too many. */
  docs: Set<number> | undefined;
  /** Documents that were written since, and may belong to it or no longer. */
  written: Set<number>;
}

/** The documents of the scopes that were searched last: most searches of a user have the same filters. */
export class ScopedDocuments {
  readonly #database: Database;
  readonly #kept = new LRUCache<string, Kept>({ maxSize: CAPACITY });

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The numbers of a scope's documents; undefined if they are too many, or depend on more than the documents' rows and
   * their expiry. A list of ids is not repeated.
   */
  find(scope: SearchScope): ReadonlySet<number> | undefined {
    if (scope.viewer !== undefined || scope.expired === "only" || scope.filters?.ids !== undefined) return undefined;
    const condition = conditionOf({ ...scope, expired: "shown" });
    const key = JSON.stringify(condition);
    const kept = this.#kept.get(key);
    const docs = kept === undefined ? this.#read(key, condition) : this.#update(kept, condition);
    if (docs === undefined || scope.expired === "shown") return docs;
    const expired = this.#numbers(EXPIRED, scope.now).filter((doc) => docs.has(doc));
    if (expired.length === 0) return docs;
    const remaining = new Set(docs);
    for (const doc of expired) remaining.delete(doc);
    return remaining;
  }

  /** To be called after each write of the documents. */
  forget(docs: number[]): void {
    for (const [key, { written }] of this.#kept.entries()) {
      for (const doc of docs) written.add(doc);
      if (written.size > MAX_WRITTEN) this.#kept.delete(key);
    }
  }

  clear(): void {
    this.#kept.clear();
  }

  #read(key: string, { text, values }: Sql): Set<number> | undefined {
    const sql = `SELECT d.doc FROM documents d WHERE ${text} LIMIT ?`;
    const found = this.#numbers(sql, ...values, MAX_DOCUMENTS + 1);
    const docs = found.length > MAX_DOCUMENTS ? undefined : new Set(found);
    this.#kept.set(key, { docs, written: new Set() }, { size: OVERHEAD + (docs?.size ?? 0) });
    return docs;
  }

  #update({ docs, written }: Kept, { text, values }: Sql): Set<number> | undefined {
    if (docs === undefined || written.size === 0) return docs;
    for (const doc of written) docs.delete(doc);
    const sql = `SELECT d.doc FROM documents d WHERE d.doc IN (SELECT value FROM json_each(?)) AND ${text}`;
    for (const doc of this.#numbers(sql, JSON.stringify([...written]), ...values)) docs.add(doc);
    written.clear();
    return docs;
  }

  #numbers(text: string, ...values: Sql["values"]): number[] {
    return this.#database.tuples(text, ...values).map(([doc]) => Number(doc));
  }
}

/** The documents that have expired, few and indexed. */
export const EXPIRED = "SELECT d.doc FROM documents d WHERE d.expire_ms <= ?";
