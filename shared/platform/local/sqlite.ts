import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

const BUSY_TIMEOUT_MS = 5_000;
const PAGE_CACHE_KIB = 32 * 1024;
const MOST_STATEMENTS = 256;

/** A piece of SQL and the values of its placeholders, in order. */
export interface Sql {
  text: string;
  values: SQLInputValue[];
}

/**
 * One SQLite connection in WAL mode at synchronous FULL (what is committed survives a power cut), with prepared
 * statements kept by their text. Everything is synchronous, so code without an `await` is never interleaved.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** Opens or makes the file; `schema` must be harmless to run again. */
  constructor(file: string, schema: string, pageCacheKib = PAGE_CACHE_KIB) {
    this.#connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    this.#connection.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -${pageCacheKib};
      ${schema}`);
  }

  /** The statement of that text, prepared at first use; the least recently used go when there are too many. */
  prepare(text: string): StatementSync {
    const statement = this.#statements.get(text) ?? this.#connection.prepare(text);
    this.#statements.delete(text);
    this.#statements.set(text, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > MOST_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
    return statement;
  }

  /** Runs `work`, which must not wait, in one write transaction: all of it or, when it throws, nothing. */
  transaction<T>(work: () => T): T {
    this.prepare("BEGIN IMMEDIATE").run();
    try {
      const result = work();
      this.prepare("COMMIT").run();
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.prepare("ROLLBACK").run();
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }
}
