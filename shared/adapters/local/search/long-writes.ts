import { TextPool } from "../../../runtime/text-work/pool.ts";
import { Database } from "../storage/sqlite.ts";
import { SEARCH_MIGRATIONS } from "./schema.ts";
import { type IndexWrite, performWrite, type WrittenRow } from "./writes.ts";

const MEGABYTE = 1024 * 1024;
/** Two, so that a long write of one organization leaves one to the others. */
const THREADS = 2;
const IDLE_MS = 60_000;
const LIMITS = { heapBytes: 192 * MEGABYTE, bufferBytes: 96 * MEGABYTE, timeMs: 60_000, waitMs: 60_000 };

/** Performs a write in one transaction; the caller's connection to the file must not write meanwhile. */
export const longWriteTask = {
  name: "write_index",
  run({ file, write }: { file: string; write: IndexWrite }): WrittenRow[] {
    const database = new Database({ file, migrations: SEARCH_MIGRATIONS, isSecond: true });
    try {
      const written = performWrite(database, write);
      database.commitGroup();
      return written;
    } finally {
      database.close();
    }
  },
};

/** The threads for long writes of all organizations; apart from those for texts, which may take longer. */
export function openWriteThreads(): TextPool {
  return new TextPool({
    threads: THREADS,
    maxWaiting: Number.POSITIVE_INFINITY,
    idleMs: IDLE_MS,
    file: new URL("write-thread.ts", import.meta.url),
    limits: LIMITS,
  });
}
