import path from "node:path";
import { DataFileError, RECORDS_FILE } from "./data-files.ts";

/** How far an index file has come: which file it is, and how many commits it took. */
export interface IndexMark {
  org: string;
  /** Made with the file, so that a file in its place is told apart. */
  file: string;
  commits: number;
}

/** What an index file says of itself. */
export interface IndexState extends IndexMark {
  /** Sequence of the newest change of the records when the file was last written. */
  sequence: number;
}

/** What the records know of the index. */
export interface MarkedRecords {
  /** Marks that were stored with the acknowledgement of the changes they stand for; undefined before any was. */
  indexMarks(): IndexMark[] | undefined;
  /** Sequence of the newest change so far. */
  sequence(): number;
}

/**
 * The organizations whose index lacks what was acknowledged to be in it: a disk lied about a flush, or an older file took
 * its place. Undefined stands for all, where nothing is known. Throws DataFileError where an index has seen changes that
 * the records lack.
 */
export function findIndexesBehind(
  dataDir: string,
  records: MarkedRecords,
  states: Iterable<IndexState>,
): string[] | undefined {
  const found = new Map([...states].map((state) => [state.org, state]));
  const newest = records.sequence();
  const seen = Math.max(0, ...[...found.values()].map(({ sequence }) => sequence));
  if (seen > newest) {
    const problem = `is older than the search index, which has seen ${seen - newest} changes that are missing in it; \`npm run doctor -- --repair\` goes on without them`;
    throw new DataFileError(path.join(dataDir, RECORDS_FILE), problem);
  }
  return records.indexMarks()?.flatMap(({ org, file, commits }) => {
    const state = found.get(org);
    return state?.file === file && state.commits >= commits ? [] : [org];
  });
}
