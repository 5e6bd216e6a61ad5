import { DatabaseSync, type StatementSync } from "node:sqlite";

/**
 * The functions of better-sqlite3 that mem0 calls, implemented with Node's own SQLite, which needs no native build.
 * Both libraries call the same engine synchronously, so mem0's statements run unchanged.
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

  transaction<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
    return (...args) => {
      this.#database.exec("BEGIN");
      try {
        run(...args);
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
