import { statfsSync } from "node:fs";
import path from "node:path";
import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementResultingChanges,
  type StatementSync,
} from "node:sqlite";
import type { Logger } from "../../../kernel/logger.ts";
import { isOutOfSpace } from "../../../ports/backend-faults.ts";
import { asDataFileError } from "./data-files.ts";
import { type Migration, migrate, REWRITE_DUE } from "./migrations.ts";
import { makePrivateFile } from "./private-files.ts";

const BUSY_TIMEOUT_MS = 5_000;
const PAGE_CACHE_KIB = 32 * 1024;
const PAGE_BYTES = 4_096;
const MAX_STATEMENTS = 256;
/** Milliseconds of work in a shared commit; the rest has the next one. */
const SHARED_COMMIT_MS = 8;
/** Milliseconds, and number of documents or the like, after which a group of writes is committed. */
const GROUP_MS = 1_000;
const GROUP_SIZE = 128;
/** Free disk space below which writes are not grouped, because a commit for which there is no room loses its group. */
const GROUP_ROOM_BYTES = 128 * 1024 * 1024;
/** Milliseconds after a failed commit in which each write has its own, so that its caller sees the failure. */
const UNGROUPED_MS = 10_000;
/** Bytes of a file that is rewritten in well under a tenth of a second. */
const MAX_REWRITTEN_AT_ONCE = 8 * 1024 * 1024;

export interface DatabaseOptions {
  /** Path of the file; created if missing. */
  file: string;
  /** The migrations of its schema. */
  migrations: Migration[];
  /** Logs the migrations of an existing file. */
  logger?: Logger;
  pageCacheKib?: number;
  /** Bytes of the pages of a new file; 4,096 by default. */
  pageBytes?: number;
  /** Another connection of this process has the file open: it is neither migrated nor rewritten. */
  isSecond?: boolean;
  /** Called when the commit of a group of writes failed: none of them exists any more. */
  onGroupLost?: (error: unknown) => void;
}

/** An SQL text with the values of its placeholders in order. */
export interface Sql {
  text: string;
  values: SQLInputValue[];
}

/** Joins SQL texts and their values. */
export function joined(parts: Sql[], separator: string): Sql {
  return { text: parts.map(({ text }) => text).join(separator), values: parts.flatMap(({ values }) => values) };
}

export type Row = Record<string, SQLOutputValue>;

/** Work that waits for a shared commit. */
interface Waiting {
  /**
   * Runs the work or rolls it back; returns how to notify its caller after the commit. Throws if SQLite rolled back the
   * whole transaction, as it does on a full disk.
   */
  attempt(): () => void;
  fail(error: unknown): void;
}

/**
 * One SQLite connection in WAL mode with synchronous FULL (committed data survives a power loss) and secure deletion,
 * with cached prepared statements. Everything is synchronous, so code without an `await` is never interleaved.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #folder: string;
  readonly #statements = new Map<string, StatementSync>();
  readonly #onGroupLost: (error: unknown) => void;
  #waiting: Waiting[] = [];
  /** The open group of writes. */
  #group: { size: number; timer: NodeJS.Timeout } | undefined;
  #groupsAgainAt = 0;
  #lent: Promise<void> | undefined;

  /** Opens or creates the file and runs its migrations. Throws NewerFormatError and DataFileError. */
  constructor({ file, migrations, logger, onGroupLost = () => {}, ...options }: DatabaseOptions) {
    const { pageCacheKib = PAGE_CACHE_KIB, pageBytes = PAGE_BYTES, isSecond = false } = options;
    this.#onGroupLost = onGroupLost;
    this.#folder = path.dirname(file);
    if (!isSecond) makePrivateFile(file);
    this.#connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      this.#connection.exec(`
        PRAGMA page_size = ${pageBytes};
        PRAGMA synchronous = NORMAL;
        PRAGMA journal_mode = WAL;
        PRAGMA secure_delete = ON;
        PRAGMA cache_size = -${pageCacheKib};`);
      if (!isSecond) {
        migrate(this.#connection, file, migrations, logger);
        this.#rewriteIfDue(file, logger);
      }
      // Not before: a power loss between migrations only leaves some of them to the next start.
      this.run("PRAGMA synchronous = FULL");
      // The pages that a savepoint changes are kept for its rollback; in a file they would be written twice.
      this.run("PRAGMA temp_store = MEMORY");
      if (!isSecond) this.#touchTables();
    } catch (error) {
      this.#connection.close();
      throw asDataFileError(file, error);
    }
  }

  /** Reads the first row of each table, so that damage of the first pages is found before a request encounters it. */
  #touchTables(): void {
    for (const [name] of this.tuples("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
      this.#connection.prepare(`SELECT * FROM "${name}" LIMIT 1`).get();
    }
  }

  /** A disk without room for a second file must not prevent the start: the next one tries again. */
  #rewriteIfDue(file: string, logger?: Logger): void {
    if (this.get("PRAGMA application_id")?.application_id !== REWRITE_DUE) return;
    try {
      this.run("VACUUM");
      this.run("PRAGMA application_id = 0");
    } catch (error) {
      if (!isOutOfSpace(error)) throw error;
      logger?.warn("DATABASE_NOT_REWRITTEN", { file, error });
    }
  }

  /** The prepared statement of a text, cached; the least recently used are dropped. */
  prepare(text: string): StatementSync {
    const statement = this.#statements.get(text) ?? this.#connection.prepare(text);
    this.#statements.delete(text);
    this.#statements.set(text, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > MAX_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
    return statement;
  }

  /** Lets queries call a function of a document's number. */
  define(name: string, test: (doc: number) => boolean): void {
    this.#connection.function(name, { directOnly: true }, (doc) => (test(Number(doc)) ? 1 : 0));
  }

  /** The first row of a query. */
  get(text: string, ...values: SQLInputValue[]): Row | undefined {
    return this.prepare(text).get(...values);
  }

  /** All rows of a query. */
  all(text: string, ...values: SQLInputValue[]): Row[] {
    return this.prepare(text).all(...values);
  }

  run(text: string, ...values: SQLInputValue[]): StatementResultingChanges {
    return this.prepare(text).run(...values);
  }

  /** The rows of a query as arrays of columns, which are several times faster than objects. */
  tuples(text: string, ...values: SQLInputValue[]): SQLOutputValue[][] {
    const statement = this.prepare(text);
    statement.setReturnArrays(true);
    try {
      // The type of rows is that of objects, whatever the statement returns.
      return statement.all(...values) as unknown as SQLOutputValue[][];
    } finally {
      statement.setReturnArrays(false);
    }
  }

  /** Runs `work`, which must be synchronous, in one write transaction that is rolled back if it throws. */
  transaction<T>(work: () => T): T {
    this.#requireOwn();
    this.commitGroup();
    this.run("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.run("COMMIT");
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.run("ROLLBACK");
      throw error;
    }
  }

  /**
   * The same for data that may be lost in a power loss, but not in a crash of the process: its commit is not flushed
   * and becomes durable with the next flushed one.
   */
  lightTransaction<T>(work: () => T): T {
    this.commitGroup();
    return this.#lightly(() => this.transaction(work));
  }

  #lightly<T>(work: () => T): T {
    this.run("PRAGMA synchronous = NORMAL");
    try {
      return work();
    } finally {
      if (!this.#connection.isTransaction) this.run("PRAGMA synchronous = FULL");
    }
  }

  /**
   * The same in one commit with the writes of the next second: each is atomic by itself, and this connection reads it at
   * once. A crash of the process undoes the group, so its writes must be repeatable from elsewhere until `commitGroup`.
   * `size` is that of this one. On a disk that is nearly full, each write has its own commit.
   */
  groupedTransaction<T>(work: () => T, size = 1): T {
    this.#requireOwn();
    if (this.#group === undefined && !this.#mayGroup()) return this.lightTransaction(work);
    this.#group ??= this.#beginGroup();
    try {
      const result = this.#savepoint(work);
      this.#group.size += size;
      if (this.#group.size >= GROUP_SIZE) this.commitGroup();
      return result;
    } catch (error) {
      if (this.#group && !this.#connection.isTransaction) this.#loseGroup(error);
      throw error;
    }
  }

  #mayGroup(): boolean {
    if (performance.now() < this.#groupsAgainAt) return false;
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize >= GROUP_ROOM_BYTES;
  }

  #beginGroup() {
    this.#lightly(() => this.run("BEGIN IMMEDIATE"));
    return { size: 0, timer: setTimeout(() => this.#commitGroupLater(), GROUP_MS).unref() };
  }

  /** Commits the writes that are grouped so far; if that fails, calls `onGroupLost` and throws. */
  commitGroup(): void {
    if (this.#group === undefined) return;
    try {
      this.run("COMMIT");
    } catch (error) {
      if (this.#connection.isTransaction) this.run("ROLLBACK");
      this.#loseGroup(error);
      throw error;
    }
    this.#endGroup();
  }

  /** Lets another connection write to the file; this one only reads until `write` settles. `done` runs before others. */
  async lend<T>(write: () => Promise<T>, done: (result: T) => void): Promise<void> {
    this.#requireOwn();
    this.commitGroup();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lent = promise;
    try {
      const result = await write();
      this.#lent = undefined;
      done(result);
    } finally {
      this.#lent = undefined;
      resolve();
    }
  }

  /** Set while another connection writes to the file; resolves when it does no longer. */
  get lent(): Promise<void> | undefined {
    return this.#lent;
  }

  /** A write beside another one would occupy the thread until that one ends. */
  #requireOwn(): void {
    if (this.#lent !== undefined) throw new Error("another connection writes to the file");
  }

  /** A failure is not thrown: `onGroupLost` repeats the writes, and their callers see it then. */
  #commitGroupLater(): void {
    try {
      this.commitGroup();
    } catch {}
  }

  #endGroup(): void {
    clearTimeout(this.#group?.timer);
    this.#group = undefined;
    this.run("PRAGMA synchronous = FULL");
  }

  #loseGroup(error: unknown): void {
    this.#endGroup();
    this.#groupsAgainAt = performance.now() + UNGROUPED_MS;
    this.#onGroupLost(error);
  }

  /**
   * Runs `work` as `transaction` does, but in one commit with other work of this event loop turn: each is atomic by
   * itself, in call order, and one flush makes all durable.
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

  #commitWaiting(maxMs = SHARED_COMMIT_MS): void {
    if (this.#waiting.length === 0) return;
    const attempted: Waiting[] = [];
    try {
      const callbacks = this.transaction(() => this.#attemptWaiting(attempted, performance.now() + maxMs));
      for (const callback of callbacks) callback();
    } catch (error) {
      for (const { fail } of [...attempted, ...this.#waiting.splice(0)]) fail(error);
    }
    if (this.#waiting.length > 0) setImmediate(() => this.#commitWaiting());
  }

  /** Attempts waiting work until that time, at least one; returns how to notify the callers. */
  #attemptWaiting(attempted: Waiting[], endsAt: number): (() => void)[] {
    const callbacks: (() => void)[] = [];
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      attempted.push(next);
      callbacks.push(next.attempt());
      if (performance.now() > endsAt) break;
    }
    return callbacks;
  }

  #savepoint<T>(work: () => T): T {
    this.run("SAVEPOINT work");
    try {
      return work();
    } catch (error) {
      if (this.#connection.isTransaction) this.run("ROLLBACK TO work");
      throw error;
    } finally {
      if (this.#connection.isTransaction) this.run("RELEASE work");
    }
  }

  /**
   * Removes what was deleted from the file and its journal. Secure deletion leaves fragments where pages were balanced,
   * so the file is rewritten: at once if it is small, otherwise when it is opened next. False while a connection reads.
   */
  scrub(): boolean {
    this.#requireOwn();
    this.commitGroup();
    const bytes = Number(this.get("PRAGMA page_count")?.page_count) * Number(this.get("PRAGMA page_size")?.page_size);
    this.run(bytes <= MAX_REWRITTEN_AT_ONCE ? "VACUUM" : `PRAGMA application_id = ${REWRITE_DUE}`);
    this.run("PRAGMA busy_timeout = 0");
    try {
      return Number(this.get("PRAGMA wal_checkpoint(TRUNCATE)")?.busy) === 0;
    } finally {
      this.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /** Whether work waits for its commit; everything else is synchronous. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  close(): void {
    this.#commitWaiting(Number.POSITIVE_INFINITY);
    this.#commitGroupLater();
    this.#statements.clear();
    this.#connection.close();
  }
}
