import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { makePrivateFile } from "../../shared/platform/local/private-files.ts";

const markOf = (dataDir: string): string => path.join(dataDir, "open.mark");

/**
 * Marks a data folder as open. Answers whether it was marked already: the process before this one, which had its lock, died
 * or lost its machine. To be called by whoever holds the lock.
 */
export function markOpen(dataDir: string): boolean {
  const wasOpen = existsSync(markOf(dataDir));
  makePrivateFile(markOf(dataDir));
  return wasOpen;
}

/** Says that everything in the folder has ended in order. */
export function markClosed(dataDir: string): void {
  rmSync(markOf(dataDir), { force: true });
}
