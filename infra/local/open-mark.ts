import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { makePrivateFile } from "../../shared/adapters/local/storage/private-files.ts";

const markOf = (dataDir: string): string => path.join(dataDir, "open.mark");

/**
 * Marks a data folder as open. Returns whether it was already marked: the previous process crashed. The caller must
 * hold the lock.
 */
export function markOpen(dataDir: string): boolean {
  const wasOpen = existsSync(markOf(dataDir));
  makePrivateFile(markOf(dataDir));
  return wasOpen;
}

/** Records that everything in the folder ended cleanly. */
export function markClosed(dataDir: string): void {
  rmSync(markOf(dataDir), { force: true });
}
