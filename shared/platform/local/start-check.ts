import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  asDataFileError,
  BLOBS_FOLDER,
  DataFileError,
  QUEUES_FILE,
  RECORDS_FILE,
  SEARCH_FOLDER,
  SECRETS_FILE,
} from "./data-files.ts";
import { readSecrets } from "./secrets.ts";
import { headerProblemOf } from "./sqlite-header.ts";

const DATABASE = /\.db$/;

/**
 * What is missing or damaged in a data folder, as far as it shows without reading the files whole: the service refuses
 * to start on it rather than make a new file in place of one that was lost. The order of the first start (records, then
 * queues, then secrets, then the first record) makes each of these states impossible without damage.
 */
export function findFolderFaults(dataDir: string): DataFileError[] {
  const within = (name: string) => path.join(dataDir, name);
  const files = [within(RECORDS_FILE), within(QUEUES_FILE), ...searchFilesIn(within(SEARCH_FOLDER))];
  const damaged = files.filter((file) => existsSync(file)).flatMap(damageOf);
  const isReadable = !damaged.some(({ file }) => file === within(RECORDS_FILE));
  return [...damaged, ...(isReadable ? findLosses(dataDir) : []), ...secretsFault(within(SECRETS_FILE))];
}

function damageOf(file: string): DataFileError[] {
  const problem = headerProblemOf(file);
  return problem === undefined ? [] : [new DataFileError(file, problem)];
}

/** The records that are lost beside what was made of them; or what was made before them. */
function findLosses(dataDir: string): DataFileError[] {
  const within = (name: string) => path.join(dataDir, name);
  const records = within(RECORDS_FILE);
  const made = remainsIn(dataDir);
  if (!hasBytes(records)) {
    const state = existsSync(records) ? "is empty" : "is missing";
    return made.length === 0 ? [] : [new DataFileError(records, `${state} beside ${made.join(", ")}`)];
  }
  if (!hasRow(records, "SELECT 1 FROM sqlite_schema WHERE name = 'records'")) {
    return made.length === 0 ? [] : [new DataFileError(records, `holds no records beside ${made.join(", ")}`)];
  }
  if (!hasRow(records, "SELECT 1 FROM records LIMIT 1")) {
    const later = made.filter((name) => MADE_OF_RECORDS.includes(name));
    return later.length === 0 ? [] : [new DataFileError(records, `holds no records beside ${later.join(", ")}`)];
  }
  const before = [QUEUES_FILE, SECRETS_FILE].filter((name) => !hasBytes(within(name)));
  return before.map((name) => new DataFileError(within(name), `is missing beside ${RECORDS_FILE}`));
}

/** Queues and secrets are made before the first record, search files and blobs after it. */
const MADE_OF_RECORDS: string[] = [SEARCH_FOLDER, BLOBS_FOLDER];

/** What a folder holds of the files that a start makes once it has a file of records. */
function remainsIn(dataDir: string): string[] {
  const within = (name: string) => path.join(dataDir, name);
  return [
    ...[QUEUES_FILE, SECRETS_FILE, `${RECORDS_FILE}-wal`].filter((name) => hasBytes(within(name))),
    ...(searchFilesIn(within(SEARCH_FOLDER)).some(hasBytes) ? [SEARCH_FOLDER] : []),
    ...(existsSync(within(BLOBS_FOLDER)) && readdirSync(within(BLOBS_FOLDER)).length > 0 ? [BLOBS_FOLDER] : []),
  ];
}

function hasBytes(file: string): boolean {
  return existsSync(file) && statSync(file).size > 0;
}

/** Database files of search indexes: those in use and those that are being built. */
export function searchFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && DATABASE.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Whether a query finds a row, asked on a connection that changes nothing. */
function hasRow(file: string, query: string): boolean {
  const connection = new DatabaseSync(file, { readOnly: true });
  try {
    return connection.prepare(query).get() !== undefined;
  } catch (error) {
    throw asDataFileError(file, error);
  } finally {
    connection.close();
  }
}

function secretsFault(file: string): DataFileError[] {
  if (!hasBytes(file)) return [];
  try {
    readSecrets(file);
    return [];
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    return [error];
  }
}
