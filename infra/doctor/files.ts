import { existsSync, lstatSync, readdirSync } from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { QUEUE_MIGRATIONS } from "../../shared/adapters/local/queue-migrations.ts";
import { RECORD_MIGRATIONS } from "../../shared/adapters/local/record-migrations.ts";
import { SEARCH_MIGRATIONS } from "../../shared/adapters/local/search/schema.ts";
import { findFolderFaults, searchFilesIn } from "../../shared/adapters/local/start-check.ts";
import {
  asDataFileError,
  DataFileError,
  QUEUES_FILE,
  RECORDS_FILE,
  SEARCH_FOLDER,
} from "../../shared/adapters/local/storage/data-files.ts";
import { readDatabase } from "../folder-backup/databases.ts";
import type { Finding, Report } from "./report.ts";

const OTHER_USERS = 0o077;
const MIN_FREE_BYTES = 64 * 1024 * 1024;
const MAX_PROBLEMS = 10;
/** integrity_check's messages about indexes, which can be rebuilt from the table; others mean lost data. */
const INDEX_PROBLEM = /^(row \d+ missing from index|wrong # of entries in index|non-unique entry in index) /;

/** A finding about a file to be moved aside or repaired in place. */
export interface FileFinding extends Finding {
  file: string;
  action: "set aside" | "reindex";
}

const NEW_QUEUES =
  "moves it aside and creates an empty one; the sweep of the service sends the messages of pending jobs again";
const NEW_INDEX = "moves it aside and builds the index from the records";
const REINDEX = "builds the indexes of the file from its tables, and keeps a copy";

/** Examines every file of an unused folder without changing any. Returns the possible repairs. */
export function examineFiles(dataDir: string, report: Report): FileFinding[] {
  const faults = findFolderFaults(dataDir);
  const broken = new Set(faults.map(({ file }) => file));
  const actions = faults.flatMap((fault) => addFault(report, dataDir, fault.file, fault.problem));
  const databases = [RECORDS_FILE, QUEUES_FILE].map((name) => path.join(dataDir, name));
  const files = [...databases, ...searchFilesIn(path.join(dataDir, SEARCH_FOLDER))].filter((file) => existsSync(file));
  report.count("files", files.length);
  for (const file of files.filter((name) => !broken.has(name))) {
    const problems = problemsOf(file);
    if (problems.length === 0) continue;
    broken.add(file);
    const isIndex = problems.every((problem) => INDEX_PROBLEM.test(problem));
    actions.push(...addFault(report, dataDir, file, `is damaged: ${problems[0]}`, isIndex));
  }
  const sound = files.filter((file) => !broken.has(file));
  const current = examineVersions(dataDir, sound, report);
  return [...actions, ...examineSequences(dataDir, current, report)];
}

function addFault(report: Report, dataDir: string, file: string, problem: string, isIndex = false): FileFinding[] {
  const isSearch = file.startsWith(path.join(dataDir, SEARCH_FOLDER) + path.sep);
  const mend = isSearch ? NEW_INDEX : path.basename(file) === QUEUES_FILE ? NEW_QUEUES : isIndex ? REINDEX : undefined;
  const finding = report.add({ check: "files", what: file, problem, ...(mend !== undefined && { mend }) });
  return mend === undefined
    ? []
    : [Object.assign(finding, { file, action: mend === REINDEX ? "reindex" : "set aside" } as const)];
}

/** The problems that SQLite finds in a whole file. */
function problemsOf(file: string): string[] {
  return query(file, (connection) =>
    connection
      .prepare(`PRAGMA integrity_check(${MAX_PROBLEMS})`)
      .all()
      .map((row) => String(row.integrity_check))
      .filter((problem) => problem !== "ok"),
  );
}

/** Reads a database file. If it is damaged, returns the problem instead. */
function query(file: string, read: (connection: DatabaseSync) => string[]): string[] {
  try {
    return readDatabase(file, read);
  } catch (error) {
    const fault = asDataFileError(file, error);
    if (fault instanceof DataFileError) return [fault.problem];
    throw error;
  }
}

/** A newer version is refused by every command; the next start upgrades an older one. Returns the current files. */
function examineVersions(dataDir: string, files: string[], report: Report): string[] {
  return files.filter((file) => {
    const latest = latestVersionOf(dataDir, file);
    const version = numberIn(file, "SELECT user_version AS number FROM pragma_user_version");
    report.count("versions", 1);
    if (version > latest) {
      const problem = `has version ${version}, which a newer release wrote; this one knows ${latest}`;
      report.add({ check: "versions", what: file, problem });
    } else if (version < latest) {
      const problem = `has version ${version} of an earlier release, which the next start upgrades to ${latest}`;
      report.add({ check: "versions", what: file, problem, mend: "upgrades it" });
    }
    return version === latest;
  });
}

function latestVersionOf(dataDir: string, file: string): number {
  if (file === path.join(dataDir, RECORDS_FILE)) return RECORD_MIGRATIONS.length;
  return file === path.join(dataDir, QUEUES_FILE) ? QUEUE_MIGRATIONS.length : SEARCH_MIGRATIONS.length;
}

/**
 * Finds index files with changes that the records lack: the records are an older copy, or lost their last commits.
 */
function examineSequences(dataDir: string, files: string[], report: Report): FileFinding[] {
  const records = path.join(dataDir, RECORDS_FILE);
  if (!files.includes(records)) return [];
  const newest = numberIn(records, "SELECT seq AS number FROM sqlite_sequence WHERE name = 'changes'");
  return files.flatMap((file) => {
    if (!file.startsWith(path.join(dataDir, SEARCH_FOLDER))) return [];
    const seen = numberIn(file, "SELECT value AS number FROM settings WHERE name = 'sequence'");
    if (seen <= newest) return [];
    const problem = `has seen ${seen - newest} changes that ${RECORDS_FILE} lacks, which is an older copy or lost its last commits`;
    const finding = report.add({ check: "files", what: file, problem, mend: NEW_INDEX });
    return [Object.assign(finding, { file, action: "set aside" } as const)];
  });
}

function numberIn(file: string, sql: string): number {
  const [found] = query(file, (connection) =>
    connection
      .prepare(sql)
      .all()
      .map((row) => String(row.number)),
  );
  return Number(found ?? 0);
}

/** Finds files and folders that other users may read; a start of the service removes that permission too. */
export function examinePermissions(dataDir: string, report: Report): Finding[] {
  const entries = readdirSync(dataDir, { withFileTypes: true, recursive: true });
  const files = [dataDir, ...entries.map((entry) => path.join(entry.parentPath, entry.name))];
  report.count("permissions", files.length);
  if (process.platform === "win32") return [];
  const open = files.filter((file) => {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    return stats !== undefined && !stats.isSymbolicLink() && (stats.mode & OTHER_USERS) !== 0;
  });
  return open.map((what) =>
    report.add({
      check: "permissions",
      what,
      problem: "can be read by other users",
      mend: "removes their permissions",
    }),
  );
}

export async function examineSpace(dataDir: string, report: Report): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  report.count("free space", 1);
  const free = bavail * bsize;
  if (free >= MIN_FREE_BYTES) return;
  const problem = `has ${Math.floor(free / 1024)} KB left on its disk, less than ${MIN_FREE_BYTES / 1024}: make room`;
  report.add({ check: "free space", what: dataDir, problem });
}
