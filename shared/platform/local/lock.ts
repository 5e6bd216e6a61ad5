import { DatabaseSync } from "node:sqlite";
import { makePrivateFile } from "./private-files.ts";

const SQLITE_BUSY = 5;

/** Connections that hold locks: one that nobody refers to would be collected, and its lock released. */
const holders = new Set<DatabaseSync>();

/**
 * Takes the exclusive lock that `file` stands for and answers how to release it; undefined when another holder keeps
 * it for longer than `waitMs`. The lock is the operating system's (SQLite's own), so it ends with the process, however
 * that ends; a second lock within one process is refused as well.
 */
export function acquireLock(file: string, waitMs: number): (() => void) | undefined {
  makePrivateFile(file);
  const connection = new DatabaseSync(file, { timeout: waitMs });
  try {
    // A journal in a file would need room, which a full disk lacks.
    connection.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  holders.add(connection);
  return () => {
    holders.delete(connection);
    connection.close();
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
