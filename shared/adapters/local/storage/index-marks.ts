import path from "node:path";
import { DataFileError, RECORDS_FILE } from "./data-files.ts";

/** The progress of an index file: its identity and its number of commits. */
export interface IndexMark {
  org: string;
  /** Generated with the file, so that a replaced file is noticed. */
  file: string;
  commits: number;
}

/** The state stored in an index file. */
export interface IndexState extends IndexMark {
  /** Sequence of the newest record change when the file was last written. */
  sequence: number;
}

/** What the record store knows about the search indexes. */
export interface MarkedRecords {
  /** Marks stored with the acknowledgement of their changes; undefined before the first one. */
  indexMarks(): IndexMark[] | undefined;
  /** Sequence of the newest change so far. */
  sequence(): number;
}

/**
 * The organizations whose index lacks acknowledged changes, because the disk lost a flush or an older file was
 * restored. Undefined means all, because there are no marks yet. Throws DataFileError if an index has processed changes
 * that the records lack.
 */
export function findIndexesBehind(
  dataDir: string,
  records: MarkedRecords,
  states: Iterable<IndexState>,
): string[] | undefined {
  const found = new Map([...states].map((state) => [state.org, state]));
  const newest = records.sequence();
  const newestIndexed = Math.max(0, ...[...found.values()].map(({ sequence }) => sequence));
  if (newestIndexed > newest) {
    const problem = `is older than the search index, which has seen ${newestIndexed - newest} changes that are missing in it; \`npm run doctor -- --repair\` goes on without them`;
    throw new DataFileError(path.join(dataDir, RECORDS_FILE), problem);
  }
  return records.indexMarks()?.flatMap(({ org, file, commits }) => {
    const state = found.get(org);
    return state?.file === file && state.commits >= commits ? [] : [org];
  });
}
