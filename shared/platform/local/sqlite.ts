import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import type { Logger } from "../../kernel/logger.ts";
import { asDataFileError } from "./data-files.ts";
import { type Migration, migrate } from "./migrations.ts";
import { makePrivateFile } from "./private-files.ts";

const BUSY_TIMEOUT_MS = 5_000;
const PAGE_CACHE_KIB = 32 * 1024;
const MOST_STATEMENTS = 256;

export interface DatabaseOptions {
  /** Path of the file; made when absent. */
  file: string;
  /** The steps to its schema. */
  migrations: Migration[];
  /** Hears of the steps that a file took which was there before. */
  logger?: Logger;
  pageCacheKib?: number;
}

/** A piece of SQL and the values of its placeholders, in order. */
export interface Sql {
  text: string;
  values: SQLInputValue[];
}

/** Work that waits for the commit it shares. */
interface Waiting {
  /**
   * Does the work, or undoes what it did of it; answers how to tell its caller once it is committed. Throws where SQLite
   * undid the whole transaction, as it does on a full disk.
   */
  attempt(): () => void;
  fail(error: unknown): void;
}

/**
 * One SQLite connection in WAL mode at synchronous FULL (what is committed survives a power cut), which overwrites what
 * is deleted, with prepared statements kept by their text. Everything is synchronous, so code without an `await` is never interleaved.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #waiting: Waiting[] = [];

  /** Opens or makes the file, and brings it to the version of the last step. Throws NewerFormatError and DataFileError. */
  constructor({ file, migrations, logger, pageCacheKib = PAGE_CACHE_KIB }: DatabaseOptions) {
    makePrivateFile(file);
    this.#connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      this.#connection.exec(`
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA secure_delete = ON;
        PRAGMA cache_size = -${pageCacheKib};`);
      migrate(this.#connection, file, migrations, logger);
      this.#touchTables();
    } catch (error) {
      this.#connection.close();
      throw asDataFileError(file, error);
    }
  }

  /** Reads the first row of each table, which meets damage of the first pages before a request does. */
  #touchTables(): void {
    for (const [name] of this.tuples("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
      this.#connection.prepare(`SELECT * FROM "${name}" LIMIT 1`).get();
    }
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

  /** The rows of a query as arrays of their columns, which are read several times faster than objects. */
  tuples(text: string, ...values: SQLInputValue[]): SQLOutputValue[][] {
    const statement = this.prepare(text);
    statement.setReturnArrays(true);
    try {
      return tuplesOf(statement.all(...values));
    } finally {
      statement.setReturnArrays(false);
    }
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

  /**
   * The same for what may be lost in a power cut, though in no crash of the process: its commit waits for no disk, and is
   * durable with the next one that does.
   */
  lightTransaction<T>(work: () => T): T {
    this.prepare("PRAGMA synchronous = NORMAL").run();
    try {
      return this.transaction(work);
    } finally {
      this.prepare("PRAGMA synchronous = FULL").run();
    }
  }

  /**
   * Runs `work` as `transaction` does, but in one commit with all other work of this turn of the event loop: each is all
   * or nothing by itself, in the order of the calls, and one flush to the disk makes them all durable.
   */
  sharedTransaction<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#commitWaiting());
      const attempt = () => {
        try {
          const result = this.#savepoint(work);
          return () => resolve(result);
        } catch (error) {
          if (!this.#connection.isTransaction) throw error;
          return () => reject(error);
        }
      };
      this.#waiting.push({ attempt, fail: reject });
    });
  }

  #commitWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    try {
      const tellings = this.transaction(() => waiting.map(({ attempt }) => attempt()));
      for (const tell of tellings) tell();
    } catch (error) {
      for (const { fail } of waiting) fail(error);
    }
  }

  #savepoint<T>(work: () => T): T {
    this.prepare("SAVEPOINT work").run();
    try {
      return work();
    } catch (error) {
      if (this.#connection.isTransaction) this.prepare("ROLLBACK TO work").run();
      throw error;
    } finally {
      if (this.#connection.isTransaction) this.prepare("RELEASE work").run();
    }
  }

  /** Whether work waits for its commit; everything else has ended before anybody can ask. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  close(): void {
    this.#commitWaiting();
    this.#statements.clear();
    this.#connection.close();
  }
}

/** Rows are typed as objects, whatever the statement was told to return. */
function tuplesOf(rows: unknown[]): SQLOutputValue[][] {
  return rows as SQLOutputValue[][];
}
