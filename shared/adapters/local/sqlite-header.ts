import { existsSync, statSync } from "node:fs";
import { readHead } from "./storage/private-files.ts";

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
/** The value of the header's field for a page size of 65536, which the field cannot hold. */
const LARGEST_PAGE = 1;

/**
 * The damage that the header of a database file shows, if any: it is not a database, or is shorter than its pages. An
 * empty file is a new database; a file with a write-ahead log may lack pages that are still in the log.
 */
export function headerProblemOf(file: string): string | undefined {
  const { size } = statSync(file);
  if (size === 0) return undefined;
  if (!isDatabase(file)) return "is damaged: it is not a database";
  const header = readHead(file, HEADER_BYTES);
  const field = header.readUInt16BE(16);
  const pageBytes = field === LARGEST_PAGE ? 65_536 : field;
  const expected = pageBytes * header.readUInt32BE(28);
  if (size >= expected || hasLog(file)) return undefined;
  return `is damaged: it is cut off, ${size} of ${expected} bytes are there`;
}

/** Whether a file starts as SQLite's databases do. */
export function isDatabase(file: string): boolean {
  return readHead(file, MAGIC.length).toString("latin1") === MAGIC;
}

function hasLog(file: string): boolean {
  const log = `${file}-wal`;
  return existsSync(log) && statSync(log).size > 0;
}
