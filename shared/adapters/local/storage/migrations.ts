import type { DatabaseSync } from "node:sqlite";
import type { Logger } from "../../../kernel/logger.ts";
import { NewerFormatError } from "../../../ports/formats.ts";

/**
 * A numbered migration of a database file. A released migration never changes; later changes get a new one. The first
 * ones also run on files of releases without numbers, which may already have any of the tables.
 */
export interface Migration {
  version: number;
  /** A description for the log. */
  name: string;
  /** SQL, or a function that runs it and reports the number of rows; inside a transaction that it must not end. */
  run: string | ((connection: DatabaseSync, report: (done: number) => void) => void);
}

/** How often a long migration logs its progress. */
const REPORT_MS = 5_000;

/** What to do with data of a newer release. */
export const START_NEWER = "Start that release or a newer one, or set DATA_DIR to another folder.";

/**
 * Upgrades a file to the version of the last migration, each in a transaction with its number, so that a crash leaves
 * the file between two migrations. A new file runs all migrations too, so there is only one way to the schema. Throws
 * NewerFormatError for a newer file and leaves it unchanged.
 */
export function migrate(connection: DatabaseSync, file: string, migrations: Migration[], logger?: Logger): void {
  requireNumbered(migrations);
  const version = Number(connection.prepare("PRAGMA user_version").get()?.user_version);
  if (version > migrations.length) throw new NewerFormatError({ what: file, writer: undefined, remedy: START_NEWER });
  const isNew = version === 0 && connection.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get() === undefined;
  for (const migration of migrations.slice(version)) {
    const started = performance.now();
    runStep(connection, migration, reporterOf(migration, file, logger));
    if (isNew) continue;
    const ms = Math.round(performance.now() - started);
    logger?.info("DATA_MIGRATED", { file, version: migration.version, step: migration.name, ms });
  }
}

function reporterOf({ version, name: step }: Migration, file: string, logger?: Logger): (done: number) => void {
  let next = performance.now() + REPORT_MS;
  return (done) => {
    if (performance.now() < next) return;
    next = performance.now() + REPORT_MS;
    logger?.info("DATA_MIGRATING", { file, version, step, done });
  };
}

function runStep(connection: DatabaseSync, { version, run }: Migration, report: (done: number) => void): void {
  connection.exec("BEGIN IMMEDIATE");
  try {
    if (typeof run === "string") connection.exec(run);
    else run(connection, report);
    connection.exec(`PRAGMA user_version = ${version}`);
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.isTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

/** Throws unless migrations are numbered from 1: two with the same number would count as one. */
function requireNumbered(migrations: Migration[]): void {
  const wrong = migrations.find(({ version }, index) => version !== index + 1);
  if (wrong) throw new Error(`the migration '${wrong.name}' has the number ${wrong.version}: steps count up from 1`);
}

/** Whether a table, or a column of it, exists. */
export function hasColumn(connection: DatabaseSync, table: string, column: string): boolean {
  return connection.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?").get(table, column) !== undefined;
}

/** The application_id in the header of a file that must be rewritten when it is opened. */
export const REWRITE_DUE = 1;
