import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import path from "node:path";
import { isAbsent } from "../../shared/adapters/local/blobs.ts";

export const RECORDS = "records.sqlite";
export const SECRETS = "secrets.json";
export const BLOBS = "blobs";

/** Folders whose files are written once under unique names; they are copied while the service writes. */
const WRITE_ONCE = [BLOBS, "outbox"];
/** Unfinished files and the log, which is not part of the data. */
const LEFT_OUT_FOLDERS = ["unfinished", "logs"];
/** Locks, and temporary files of SQLite and atomic writes. */
const LEFT_OUT_FILES = /(?:\.lock|-wal|-shm|-journal|\.unfinished)$/;

const SQLITE_MAGIC = Buffer.from("SQLite format 3\0");

/** `state`: a small file that is replaced as a whole, like the secrets. */
export type FileKind = "database" | "state" | "write-once";

/**
 * Every file of a data folder to back up, by relative path. Exclusions are listed, so that new kinds of files are
 * included.
 */
export function* filesOf(dataDir: string, kinds: FileKind[]): Generator<{ path: string; kind: FileKind }> {
  for (const file of walk(dataDir, "", kinds)) {
    const kind = kindOf(dataDir, file);
    if (kind !== undefined && kinds.includes(kind)) yield { path: file, kind };
  }
}

function* walk(root: string, folder: string, kinds: FileKind[]): Generator<string> {
  const entries = unlessAbsent(() => readdirSync(path.join(root, folder), { withFileTypes: true })) ?? [];
  for (const entry of entries) {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      const isWanted = kinds.includes("write-once") || !WRITE_ONCE.includes(name);
      if (isWanted && !LEFT_OUT_FOLDERS.includes(name)) yield* walk(root, name, kinds);
    } else if (entry.isFile() && (isWriteOnce(name) || !LEFT_OUT_FILES.test(name))) {
      yield name;
    }
  }
}

function isWriteOnce(file: string): boolean {
  return WRITE_ONCE.includes(file.split("/", 1)[0] ?? "");
}

/** Undefined if the file was deleted meanwhile. */
function kindOf(dataDir: string, file: string): FileKind | undefined {
  if (isWriteOnce(file)) return "write-once";
  return unlessAbsent(() => (isDatabase(path.join(dataDir, file)) ? "database" : "state"));
}

function isDatabase(file: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const start = Buffer.alloc(SQLITE_MAGIC.length);
    readSync(descriptor, start, 0, start.length, 0);
    return start.equals(SQLITE_MAGIC);
  } finally {
    closeSync(descriptor);
  }
}

function unlessAbsent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
