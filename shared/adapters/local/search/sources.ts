import { LRUCache } from "lru-cache";
import { deepFrozen } from "../../../kernel/objects.ts";
import type { SearchSource } from "../../../ports/search-index.ts";
import type { Database } from "../storage/sqlite.ts";
import { parseSource } from "./rows.ts";

/** Maximum size of the documents in memory, in characters of their stored form, for all organizations. */
const CAPACITY = 24_000_000;
/** Size of a document besides its text. */
const OVERHEAD = 500;
/** Row numbers are below it, so that rows of different indexes never have the same key. */
const ROWS_PER_INDEX = 2 ** 32;

/** Documents of all organizations that were read last. */
export class SourceCache {
  readonly #documents = new LRUCache<number, SearchSource, string>({
    maxSize: CAPACITY,
    maxEntrySize: CAPACITY / 10,
  });
  #indexes = 0;

  /** Returns the part of one index, which nobody else uses. */
  partOf(database: Database): Sources {
    return new Sources(database, this.#documents, this.#indexes++ * ROWS_PER_INDEX);
  }
}

/** The documents of one index. Cached ones are shared among searches and therefore frozen. */
export class Sources {
  readonly #database: Database;
  readonly #documents: LRUCache<number, SearchSource, string>;
  readonly #firstKey: number;

  constructor(database: Database, documents: LRUCache<number, SearchSource, string>, firstKey: number) {
    this.#database = database;
    this.#documents = documents;
    this.#firstKey = firstKey;
  }

  /** The documents with those numbers, read by one statement, which is several times faster than one by one. */
  read(docs: Iterable<number>): Map<number, SearchSource> {
    const found = new Map<number, SearchSource>();
    const missing = new Set<number>();
    for (const doc of docs) {
      const cached = this.#documents.get(this.#firstKey + doc);
      if (cached === undefined) missing.add(doc);
      else found.set(doc, cached);
    }
    if (missing.size === 0) return found;
    for (const [doc, source] of this.#database.tuples(SELECT_SOURCES, JSON.stringify([...missing]))) {
      const text = String(source);
      const document = deepFrozen(parseSource(text));
      found.set(Number(doc), document);
      this.#documents.set(this.#firstKey + Number(doc), document, { size: OVERHEAD + text.length });
    }
    return found;
  }

  /** To be called after each write of the document. */
  forget(doc: number): void {
    this.#documents.delete(this.#firstKey + doc);
  }
}

const SELECT_SOURCES = "SELECT doc, source FROM sources WHERE doc IN (SELECT value FROM json_each(?))";
