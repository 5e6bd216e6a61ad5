import { DatabaseSync } from "node:sqlite";
import { makePrivateFile } from "./storage/private-files.ts";

const SQLITE_BUSY = 5;

/** Connections that hold locks; an unreferenced connection would be garbage collected and its lock released. */
const holders = new Set<DatabaseSync>();

/**
 * Takes the exclusive lock of `file` and returns its release; undefined if another holder keeps it for longer than
 * `waitMs`. It is an operating system lock (through SQLite), so it ends with the process; a second lock within one
 * process is refused too.
 */
export function acquireLock(file: string, waitMs: number): (() => void) | undefined {
  makePrivateFile(file);
  const connection = new DatabaseSync(file, { timeout: waitMs });
  try {
    // A journal file would need disk space, which may be missing.
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
