import { appendFileSync, chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync, readSync } from "node:fs";
import path from "node:path";
import type { Logger } from "../../../kernel/logger.ts";

/** The data belongs to the user who runs the service; nobody else on the host may read it, whatever the umask. */
export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;
/** The permissions of all users but the owner. */
const OTHERS = 0o077;

/** Creates a folder and its parents that only the owner may enter. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
}

/** Creates a missing file that only the owner may read. SQLite copies a database's mode to its log files. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, "a", PRIVATE_FILE));
}

/** The first bytes of a file, padded with zeros if it is shorter. */
export function readHead(file: string, bytes: number): Buffer {
  const head = Buffer.alloc(bytes);
  const handle = openSync(file, "r");
  try {
    readSync(handle, head, 0, bytes, 0);
  } finally {
    closeSync(handle);
  }
  return head;
}

/** Appends to a file that only its owner may read. */
export function appendPrivately(file: string, data: string | Uint8Array): void {
  appendFileSync(file, data, { mode: PRIVATE_FILE });
}

/** Removes the permissions of others below a folder; warns if there were any or it failed. Does not follow links. */
export function narrowAccess(folder: string, logger: Logger): void {
  if (process.platform === "win32") return;
  let narrowed = 0;
  for (const file of [folder, ...entriesOf(folder)]) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined || stats.isSymbolicLink() || (stats.mode & OTHERS) === 0) continue;
    try {
      chmodSync(file, stats.mode & ~OTHERS & 0o7777);
      narrowed++;
    } catch (error) {
      logger.warn("DATA_DIR_READABLE_BY_OTHERS", { file, error });
    }
  }
  if (narrowed > 0) logger.warn("DATA_DIR_WAS_READABLE_BY_OTHERS", { folder, narrowed });
}

function* entriesOf(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    yield path.join(entry.parentPath, entry.name);
  }
}
