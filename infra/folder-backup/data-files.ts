import { readdirSync } from "node:fs";
import path from "node:path";
import { isAbsent } from "../../shared/adapters/local/blobs.ts";
import { isDatabase } from "../../shared/adapters/local/sqlite-header.ts";
import { BLOBS_FOLDER } from "../../shared/adapters/local/storage/data-files.ts";

/** Folders whose files are written once under unique names; they are copied while the service writes. */
const WRITE_ONCE = [BLOBS_FOLDER, "outbox"];
/** Unfinished files and the log, which is not part of the data. */
const LEFT_OUT_FOLDERS = ["unfinished", "logs"];
/** Locks, and temporary files of SQLite and atomic writes. */
const LEFT_OUT_FILES = /(?:\.lock|-wal|-shm|-journal|\.unfinished)$/;

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

function unlessAbsent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
