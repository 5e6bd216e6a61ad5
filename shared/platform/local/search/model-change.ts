import type { Database } from "../sqlite.ts";

/**
 * An index whose vectors another model made keeps them for searches, and gathers those of the next model beside them in
 * `next_vectors`, until no document lacks one: then they take the place of the former at one stroke.
 */

const NEXT = "next_embedder";
/** A text that failed so often is not waited for. */
const MAX_ATTEMPTS = 5;

const UNTRIED = "SELECT 1 FROM unembedded WHERE attempts < ? LIMIT 1";

/** An embedder that is down fails them all, which is no reason to do without the former vectors. */
const MOSTLY_LACKING = `
  SELECT 1 WHERE (SELECT count(*) FROM unembedded) > 0
    AND (SELECT count(*) FROM unembedded) >= (SELECT count(*) FROM next_vectors)`;

/** Whether vectors of the next model are being gathered. */
export function isChangingModel(database: Database): boolean {
  return setting(database, NEXT) !== undefined;
}

/** The table that computed vectors go to. */
export function computedTable(database: Database): "vectors" | "next_vectors" {
  return isChangingModel(database) ? "next_vectors" : "vectors";
}

/** Begins to gather vectors of the next model, unless that has begun; answers whether it does. */
export function beginModelChange(database: Database, next: string): boolean {
  if (setting(database, NEXT) === next) return false;
  database.transaction(() => {
    database.prepare("DELETE FROM next_vectors").run();
    database.prepare("INSERT OR IGNORE INTO unembedded (doc) SELECT doc FROM documents").run();
    database.prepare("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)").run(NEXT, next);
  });
  return true;
}

/** Gives up vectors of the next model, as the former is in use again. */
export function cancelModelChange(database: Database): void {
  if (!isChangingModel(database)) return;
  database.transaction(() => {
    database.prepare("DELETE FROM next_vectors").run();
    database.prepare("DELETE FROM unembedded WHERE doc IN (SELECT doc FROM vectors)").run();
    database.prepare("DELETE FROM settings WHERE name = ?").run(NEXT);
  });
}

/**
 * Puts the vectors of the next model into the place of the former where no document lacks one, but for a few that fail
 * again and again; answers whether it did.
 */
export function completeModelChange(database: Database): boolean {
  const next = setting(database, NEXT);
  if (next === undefined || database.prepare(UNTRIED).get(MAX_ATTEMPTS) !== undefined) return false;
  if (database.prepare(MOSTLY_LACKING).get() !== undefined) return false;
  database.transaction(() => {
    database.prepare("DELETE FROM vectors").run();
    database.prepare("INSERT INTO vectors (doc, vector) SELECT doc, vector FROM next_vectors").run();
    database.prepare("DELETE FROM next_vectors").run();
    database.prepare("UPDATE settings SET value = ? WHERE name = 'embedder'").run(next);
    database.prepare("DELETE FROM settings WHERE name = ?").run(NEXT);
  });
  return true;
}

function setting(database: Database, name: string): string | undefined {
  const row = database.prepare("SELECT value FROM settings WHERE name = ?").get(name);
  return row === undefined ? undefined : String(row.value);
}
