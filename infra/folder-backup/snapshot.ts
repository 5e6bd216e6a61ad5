import { readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { RECORDS_FILE } from "../../shared/adapters/local/storage/data-files.ts";
import { filesOf } from "./data-files.ts";

/** Equal to the lock timeout of the service. */
const LOCK_TIMEOUT_MS = 5_000;

/** A data folder as of one moment. */
export interface Snapshot {
  /** Epoch milliseconds. */
  at: number;
  /** How long writers of records waited. */
  pausedMs: number;
  /** Connections by relative path; each has an open read transaction as of that moment. */
  databases: Map<string, DatabaseSync>;
  /** Contents of the small files by relative path. */
  state: Map<string, Buffer>;
  close(): void;
}

/**
 * Takes a snapshot of all databases of a data folder, which may be in use, as of one moment of its records. While their
 * write lock is held, no change commits or is acknowledged and no message is sent for one, so the snapshot equals the
 * state after a power loss at that moment. The lock is held only while each database starts a read transaction.
 */
export function takeSnapshot(dataDir: string): Snapshot {
  const databases = new Map<string, DatabaseSync>();
  const close = () => {
    for (const connection of databases.values()) if (connection.isOpen) connection.close();
  };
  const open = (file: string) => {
    const connection = new DatabaseSync(path.join(dataDir, file), { readOnly: true, timeout: LOCK_TIMEOUT_MS });
    databases.set(file, connection);
    return connection;
  };
  const lock = new DatabaseSync(path.join(dataDir, RECORDS_FILE), { timeout: LOCK_TIMEOUT_MS });
  try {
    for (const { path: file } of filesOf(dataDir, ["database"])) open(file);
    lock.exec("BEGIN IMMEDIATE");
    const began = performance.now();
    const at = Date.now();
    const state = new Map<string, Buffer>();
    const present = new Set<string>();
    for (const { path: file, kind } of filesOf(dataDir, ["database", "state"])) {
      if (kind === "state") state.set(file, readFileSync(path.join(dataDir, file)));
      else {
        (databases.get(file) ?? open(file)).exec("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1");
        present.add(file);
      }
    }
    lock.exec("ROLLBACK");
    const pausedMs = performance.now() - began;
    for (const [file, connection] of databases) {
      if (present.has(file)) continue;
      connection.close();
      databases.delete(file);
    }
    return { at, pausedMs, databases, state, close };
  } catch (error) {
    close();
    throw error;
  } finally {
    lock.close();
  }
}
