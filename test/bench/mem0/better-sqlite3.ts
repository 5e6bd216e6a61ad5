import { DatabaseSync, type StatementSync } from "node:sqlite";

/**
 * The subset of better-sqlite3 that mem0 calls, on Node's own SQLite, which needs no build. Both wrap the same engine
 * in synchronous calls, so mem0's statements run unchanged.
 */
export default class Database {
  readonly #database: DatabaseSync;

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
  }

  exec(sql: string): this {
    this.#database.exec(sql);
    return this;
  }

  prepare(sql: string): StatementSync {
    return this.#database.prepare(sql);
  }

  transaction<Given extends unknown[]>(act: (...given: Given) => void): (...given: Given) => void {
    return (...given) => {
      this.#database.exec("BEGIN");
      try {
        act(...given);
        this.#database.exec("COMMIT");
      } catch (error) {
        this.#database.exec("ROLLBACK");
        throw error;
      }
    };
  }

  close(): void {
    this.#database.close();
  }
}
