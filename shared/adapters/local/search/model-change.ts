import type { Database } from "../storage/sqlite.ts";

/**
 * An index whose vectors were computed by another model keeps using them for searches and collects the next model's
 * vectors in `next_vectors` until no document lacks one. Then the two tables swap names, which takes the same time
 * whatever their size, and the former vectors are deleted in small batches.
 */

const NEXT = "next_embedder";
/** A text that failed this often does not delay the change. */
const MAX_ATTEMPTS = 5;

const UNTRIED = "SELECT 1 FROM unembedded WHERE attempts < ? LIMIT 1";

/** This many rows are deleted within a few milliseconds. */
const DISCARDED_AT_ONCE = 100;
const DISCARD = `DELETE FROM next_vectors WHERE doc IN (SELECT doc FROM next_vectors LIMIT ${DISCARDED_AT_ONCE})`;

/** If an embedder is down, all texts fail; the former vectors stay in use. */
const MOSTLY_LACKING = `
  SELECT 1 WHERE (SELECT count(*) FROM unembedded) > 0
    AND (SELECT count(*) FROM unembedded) >= (SELECT count(*) FROM next_vectors)`;

/** Whether vectors of the next model are being collected. */
export function isChangingModel(database: Database): boolean {
  return setting(database, NEXT) !== undefined;
}

/** The table for computed vectors. */
export function computedTable(database: Database): "vectors" | "next_vectors" {
  return isChangingModel(database) ? "next_vectors" : "vectors";
}

/** Starts to collect the next model's vectors; returns false if that model is already being collected. */
export function beginModelChange(database: Database, next: string): boolean {
  if (setting(database, NEXT) === next) return false;
  database.transaction(() => {
    database.run("DELETE FROM next_vectors");
    database.run("INSERT OR IGNORE INTO unembedded (doc) SELECT doc FROM documents");
    database.run("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", NEXT, next);
  });
  return true;
}

/** Drops the next model's vectors because the former model is in use again. */
export function cancelModelChange(database: Database): void {
  if (!isChangingModel(database)) return;
  database.transaction(() => {
    database.run("DELETE FROM next_vectors");
    database.run("DELETE FROM unembedded WHERE doc IN (SELECT doc FROM vectors)");
    database.run("DELETE FROM settings WHERE name = ?", NEXT);
  });
}

/** Switches to the next model's vectors if only a few documents, which keep failing, lack one; returns whether it did. */
export function completeModelChange(database: Database): boolean {
  const next = setting(database, NEXT);
  if (next === undefined || database.get(UNTRIED, MAX_ATTEMPTS) !== undefined) return false;
  if (database.get(MOSTLY_LACKING) !== undefined) return false;
  database.transaction(() => {
    database.run("ALTER TABLE vectors RENAME TO former_vectors");
    database.run("ALTER TABLE next_vectors RENAME TO vectors");
    database.run("ALTER TABLE former_vectors RENAME TO next_vectors");
    database.run("UPDATE settings SET value = ? WHERE name = 'embedder'", next);
    database.run("DELETE FROM settings WHERE name = ?", NEXT);
  });
  return true;
}

/** Whether vectors remain that a completed change has replaced. */
export function hasReplaced(database: Database): boolean {
  return !isChangingModel(database) && database.get("SELECT 1 FROM next_vectors LIMIT 1") !== undefined;
}

/** Deletes some of the vectors that a completed change has replaced; a power loss may undo it. */
export function discardReplaced(database: Database): void {
  if (!isChangingModel(database)) database.lightTransaction(() => database.run(DISCARD));
}

function setting(database: Database, name: string): string | undefined {
  const row = database.get("SELECT value FROM settings WHERE name = ?", name);
  return row === undefined ? undefined : String(row.value);
}
