import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readSecrets } from "./secrets.ts";
import { headerProblemOf } from "./sqlite-header.ts";
import {
  asDataFileError,
  BLOBS_FOLDER,
  DataFileError,
  QUEUES_FILE,
  RECORDS_FILE,
  SEARCH_FOLDER,
  SECRETS_FILE,
} from "./storage/data-files.ts";

const DATABASE = /\.db$/;

/**
 * Finds missing or damaged files in a data folder, without reading whole files: the service refuses to start instead of
 * creating a new file in place of a lost one. The order of the first start (records, queues, secrets, first record)
 * makes each of these states impossible without damage.
 */
export function findFolderFaults(dataDir: string): DataFileError[] {
  const pathOf = (name: string) => path.join(dataDir, name);
  const files = [pathOf(RECORDS_FILE), pathOf(QUEUES_FILE), ...searchFilesIn(pathOf(SEARCH_FOLDER))];
  const damaged = files.filter((file) => existsSync(file)).flatMap(damageOf);
  const isReadable = !damaged.some(({ file }) => file === pathOf(RECORDS_FILE));
  return [...damaged, ...(isReadable ? findLossesOrDamage(dataDir) : []), ...secretsFault(pathOf(SECRETS_FILE))];
}

function damageOf(file: string): DataFileError[] {
  const problem = headerProblemOf(file);
  return problem === undefined ? [] : [new DataFileError(file, problem)];
}

/** The losses of a folder, or the damage of records that cannot be read. */
function findLossesOrDamage(dataDir: string): DataFileError[] {
  try {
    return findLosses(dataDir);
  } catch (error) {
    if (error instanceof DataFileError) return [error];
    throw error;
  }
}

/** Lost records whose derived data exists, or lost files that were created before the records. */
function findLosses(dataDir: string): DataFileError[] {
  const pathOf = (name: string) => path.join(dataDir, name);
  const records = pathOf(RECORDS_FILE);
  const others = laterFilesIn(dataDir);
  const lost = (problem: string, names: string[]) =>
    names.length === 0 ? [] : [new DataFileError(records, `${problem} beside ${names.join(", ")}`)];
  if (!existsSync(records)) return lost("is missing", others);
  if (!hasBytes(records)) return lost("is empty", others);
  if (!hasRow(records, "SELECT 1 FROM sqlite_schema WHERE name = 'records'")) return lost("holds no records", others);
  if (!hasRow(records, "SELECT 1 FROM records LIMIT 1")) {
    const derived = others.filter((name) => DERIVED_FROM_RECORDS.includes(name));
    return lost("holds no records", derived);
  }
  const missing = [QUEUES_FILE, SECRETS_FILE].filter((name) => !hasBytes(pathOf(name)));
  return missing.map((name) => new DataFileError(pathOf(name), `is missing beside ${RECORDS_FILE}`));
}

/** Queues and secrets are created before the first record, search files and blobs after it. */
const DERIVED_FROM_RECORDS: string[] = [SEARCH_FOLDER, BLOBS_FOLDER];

/** The files that a start creates after the records file. */
function laterFilesIn(dataDir: string): string[] {
  const pathOf = (name: string) => path.join(dataDir, name);
  return [
    ...[QUEUES_FILE, SECRETS_FILE, `${RECORDS_FILE}-wal`].filter((name) => hasBytes(pathOf(name))),
    ...(searchFilesIn(pathOf(SEARCH_FOLDER)).some(hasBytes) ? [SEARCH_FOLDER] : []),
    ...(existsSync(pathOf(BLOBS_FOLDER)) && readdirSync(pathOf(BLOBS_FOLDER)).length > 0 ? [BLOBS_FOLDER] : []),
  ];
}

function hasBytes(file: string): boolean {
  return existsSync(file) && statSync(file).size > 0;
}

/** Database files of search indexes in use or being built. */
export function searchFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && DATABASE.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Whether a query finds a row, on a read-only connection. */
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
