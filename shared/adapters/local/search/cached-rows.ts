import { LRUCache } from "lru-cache";
import { deepFrozen } from "../../../kernel/objects.ts";
import type { SearchSource } from "../../../ports/search-index.ts";
import type { Database } from "../storage/sqlite.ts";
import { parseSource } from "./rows.ts";

/** Maximum sizes of what is in memory for all organizations, in characters of the stored form. */
const SOURCES_CAPACITY = 24_000_000;
const TERMS_CAPACITY = 6_000_000;
/** Size of an entry besides its text. */
const OVERHEAD = 500;
/** Row numbers are below it, so that rows of different indexes never have the same key. */
const ROWS_PER_INDEX = 2 ** 32;

type Cache<Value extends object | string> = LRUCache<number, Value, string>;

/** What one index has in memory of its documents. */
export interface DocumentRows {
  /** The documents. Cached ones are shared among searches and therefore frozen. */
  sources: CachedRows<SearchSource>;
  /** Their index terms, separated by spaces. */
  terms: CachedRows<string>;
}

/** Rows of all organizations that were read last. */
export class RowCache {
  readonly #sources = cacheOf<SearchSource>(SOURCES_CAPACITY);
  readonly #terms = cacheOf<string>(TERMS_CAPACITY);
  #indexes = 0;

  /** Returns the part of one index, which nobody else uses. */
  partOf(database: Database): DocumentRows {
    const firstKey = this.#indexes++ * ROWS_PER_INDEX;
    const toSource = (text: string) => deepFrozen(parseSource(text));
    return {
      sources: new CachedRows(database, { sql: SELECT_SOURCES, parse: toSource, cache: this.#sources, firstKey }),
      terms: new CachedRows(database, { sql: SELECT_TERMS, parse: String, cache: this.#terms, firstKey }),
    };
  }
}

function cacheOf<Value extends object | string>(capacity: number): Cache<Value> {
  return new LRUCache({ maxSize: capacity, maxEntrySize: capacity / 10 });
}

interface Reading<Value extends object | string> {
  /** Selects numbers and texts of the documents with the numbers in a JSON list. */
  sql: string;
  parse: (text: string) => Value;
  cache: Cache<Value>;
  firstKey: number;
}

/** A text of each document of one index. */
export class CachedRows<Value extends object | string> {
  readonly #database: Database;
  readonly #reading: Reading<Value>;

  constructor(database: Database, reading: Reading<Value>) {
    this.#database = database;
    this.#reading = reading;
  }

  /** The texts of the documents with those numbers, read by one statement, which is several times faster than one by one. */
  read(docs: Iterable<number>): Map<number, Value> {
    const { sql, parse, cache, firstKey } = this.#reading;
    const found = new Map<number, Value>();
    const missing = new Set<number>();
    for (const doc of docs) {
      const cached = cache.get(firstKey + doc);
      if (cached === undefined) missing.add(doc);
      else found.set(doc, cached);
    }
    if (missing.size === 0) return found;
    for (const [number, stored] of this.#database.tuples(sql, JSON.stringify([...missing]))) {
      const [doc, text] = [Number(number), String(stored)];
      const value = parse(text);
      found.set(doc, value);
      cache.set(firstKey + doc, value, { size: OVERHEAD + text.length });
    }
    return found;
  }

  /** To be called after each write of the document. */
  forget(doc: number): void {
    this.#reading.cache.delete(this.#reading.firstKey + doc);
  }
}

const SELECT_SOURCES = "SELECT doc, source FROM sources WHERE doc IN (SELECT value FROM json_each(?))";
const SELECT_TERMS = "SELECT rowid, terms FROM words WHERE rowid IN (SELECT value FROM json_each(?))";
