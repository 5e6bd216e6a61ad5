import path from "node:path";

/** Names of the files in a data folder. */
export const RECORDS_FILE = "records.sqlite";
export const QUEUES_FILE = "queues.sqlite";
export const SECRETS_FILE = "secrets.json";
export const SEARCH_FOLDER = "search";
export const BLOBS_FOLDER = "blobs";

const REPAIR = "`npm run doctor -- --repair`";
const RESTORE = "restore a backup into a new folder with `npm run restore -- FILE`";

/** How each of these files can be rebuilt: from which data, and with which command. */
const REMEDIES: Readonly<Record<string, string>> = {
  [RECORDS_FILE]: `Nothing else in the folder holds the records: put a copy of the file back, or ${RESTORE}. To begin anew, move the data folder away.`,
  [QUEUES_FILE]: `It is rebuilt from the jobs that the records name as pending: ${REPAIR} puts an empty file in its place, and the sweep of the service sends the messages again. Dead letters in it are lost.`,
  [SECRETS_FILE]: `It holds the keys of sealed secrets and of links, and the first admin key: put a copy of the file back, or ${RESTORE}. To go on without them (webhook secrets, connections and second factors are to be set up again) write {} into the file.`,
  [SEARCH_FOLDER]: `It is rebuilt from the records by ${REPAIR}.`,
};

/** A file of the data folder is missing or damaged. The message names it and the remedy. */
export class DataFileError extends Error {
  readonly file: string;
  /** The problem of the file without the remedy. */
  readonly problem: string;
  /** Requests fail until an operator acts, and the feed keeps changes until then. */
  readonly transient = true;

  constructor(file: string, problem: string, cause?: unknown) {
    super(`${file} ${problem}. ${REMEDIES[path.basename(file)] ?? REMEDIES[SEARCH_FOLDER] ?? ""}`, { cause });
    this.name = "DataFileError";
    this.file = file;
    this.problem = problem;
  }
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOT_A_DATABASE = 26;
const PROBLEMS: Readonly<Record<number, string>> = {
  [SQLITE_CORRUPT]: "is damaged",
  [SQLITE_NOT_A_DATABASE]: "is damaged: it is not a database",
};

/** The same error, or a DataFileError if SQLite reports damage of a file in the data folder. */
export function asDataFileError(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error)) return error;
  const problem = PROBLEMS[Number(error.errcode) & 0xff];
  return problem === undefined ? error : new DataFileError(file, problem, error);
}
