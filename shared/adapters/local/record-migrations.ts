import type { DatabaseSync } from "node:sqlite";
import { itemMigration } from "./item-migration.ts";
import { hasColumn, type Migration, REWRITE_DUE } from "./storage/migrations.ts";
import { itemOf, recordOf, STORED_COLUMNS } from "./stored-item.ts";

/** The migrations of records.sqlite. Indexed or often tested columns precede the item, which may be long. */
export const RECORD_MIGRATIONS: Migration[] = [
  {
    version: 1,
    name: "create the tables for records and their changes",
    run: `
      CREATE TABLE IF NOT EXISTS records (pk, sk, gsi1pk, gsi1sk, gsi2pk, gsi2sk, gsi3pk, gsi3sk, kind, id, user_id,
        category, type, status, created_at, updated_at, expire_at, tier, tokens, ttl, item TEXT NOT NULL);
      ${indexesWith("expire_at, tier, tokens")}
      CREATE TABLE IF NOT EXISTS changes (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        reader TEXT NOT NULL,
        at INTEGER NOT NULL,
        pk TEXT NOT NULL,
        sk TEXT NOT NULL,
        before TEXT,
        after TEXT
      );
      CREATE INDEX IF NOT EXISTS changes_by_reader ON changes (reader, sequence);`,
  },
  { version: 2, name: "add the missing facet columns to records and gsi3", run: addFacets },
  itemMigration(3, 2),
  {
    version: 4,
    name: "create the table for the progress of each search index",
    run: "CREATE TABLE IF NOT EXISTS index_marks (org TEXT PRIMARY KEY, file TEXT NOT NULL, commits INTEGER NOT NULL) WITHOUT ROWID;",
  },
  itemMigration(5, 3),
  itemMigration(6, 4),
  itemMigration(7, 5),
  itemMigration(8, 6),
  itemMigration(9, 7),
  itemMigration(10, 8),
  { version: 11, name: "leave out of items what their columns have", run: shortenItems },
];

/** Columns that earlier builds may lack; all are texts and numbers. */
const ADDED_COLUMNS = ["expire_at", "tier", "tokens", "access_type"];

/** An added column would be stored after the item, and reading it would read the item, so the table is recreated. */
function addFacets(connection: DatabaseSync): void {
  const missing = ADDED_COLUMNS.filter((column) => !hasColumn(connection, "records", column));
  if (missing.length === 0) return;
  const read = (column: string) => (missing.includes(column) ? `json_extract(item, '$.${column}')` : column);
  connection.exec(`
    ALTER TABLE records RENAME TO former_records;
    CREATE TABLE records (pk, sk, gsi1pk, gsi1sk, gsi2pk, gsi2sk, gsi3pk, gsi3sk, kind, id, user_id, category, type,
      status, created_at, updated_at, expire_at, tier, tokens, access_type, ttl, item TEXT NOT NULL);
    INSERT INTO records SELECT pk, sk, gsi1pk, gsi1sk, gsi2pk, gsi2sk, gsi3pk, gsi3sk, kind, id, user_id, category, type,
      status, created_at, updated_at, ${ADDED_COLUMNS.map(read).join(", ")}, ttl, item
      FROM former_records ORDER BY rowid;
    DROP TABLE former_records;
    ${indexesWith(ADDED_COLUMNS.join(", "))}`);
}

/** The indexes of the records; `facets` are the last columns of gsi3. */
function indexesWith(facets: string): string {
  return `
    CREATE UNIQUE INDEX IF NOT EXISTS records_key ON records (pk, sk);
    CREATE INDEX IF NOT EXISTS records_gsi1 ON records (gsi1pk, gsi1sk, pk, sk, ttl)
      WHERE gsi1pk IS NOT NULL AND gsi1sk IS NOT NULL;
    CREATE INDEX IF NOT EXISTS records_gsi2 ON records (gsi2pk, gsi2sk, pk, sk, ttl)
      WHERE gsi2pk IS NOT NULL AND gsi2sk IS NOT NULL;
    CREATE INDEX IF NOT EXISTS records_gsi3 ON records (gsi3pk, gsi3sk, pk, sk, ttl, kind, id, user_id, category, type,
      status, created_at, updated_at, ${facets})
      WHERE gsi3pk IS NOT NULL AND gsi3sk IS NOT NULL;
    CREATE INDEX IF NOT EXISTS records_ttl ON records (ttl) WHERE ttl IS NOT NULL;`;
}

const ITEMS_AT_ONCE = 500;

/** Items had what they now have in columns alone. The file is rewritten to free the room. */
function shortenItems(connection: DatabaseSync, report: (done: number) => void): void {
  const page = connection.prepare(
    `SELECT rowid, ${STORED_COLUMNS.join(", ")} FROM records WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  );
  const update = connection.prepare("UPDATE records SET item = ? WHERE rowid = ?");
  let done = 0;
  for (let last = 0, count = ITEMS_AT_ONCE; count === ITEMS_AT_ONCE; ) {
    const rows = page.all(last, ITEMS_AT_ONCE);
    count = rows.length;
    last = Number(rows.at(-1)?.rowid);
    for (const row of rows) {
      update.run(itemOf(recordOf(row)), Number(row.rowid));
      report(++done);
    }
  }
  if (done > 0) connection.exec(`PRAGMA application_id = ${REWRITE_DUE}`);
}
