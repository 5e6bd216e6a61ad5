import { DatabaseSync } from "node:sqlite";
import { blobsNamedBy } from "../../shared/domain/operations/maintenance/lost-content.ts";
import type { FileEntry } from "./format.ts";

type DatabaseStats = NonNullable<FileEntry["database"]>;

/** A database's schema version and row counts per table. */
export function statsOf(connection: DatabaseSync): DatabaseStats {
  const version = connection.prepare("PRAGMA user_version").get()?.user_version;
  const tables = connection
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') ORDER BY name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith("sqlite_"));
  const rows = tables.map((name) => {
    const { count } = connection.prepare(`SELECT count(*) AS count FROM "${name}"`).get() ?? {};
    return [name, Number(count)] as const;
  });
  return { user_version: Number(version), rows: Object.fromEntries(rows) };
}

/** Opens a database file that no process writes, reads it and closes it. */
export function readDatabase<T>(file: string, use: (connection: DatabaseSync) => T): T {
  const connection = new DatabaseSync(file, { readOnly: true });
  try {
    return use(connection);
  } finally {
    connection.close();
  }
}

/** The problem that SQLite's own check finds; undefined without one. */
export function damageOf(connection: DatabaseSync): string | undefined {
  const [first, ...others] = connection.prepare("PRAGMA integrity_check").all();
  const found = String(first?.integrity_check);
  return found === "ok" && others.length === 0 ? undefined : found;
}

/** Keys of the blobs that a database's records name. */
export function* blobsNamedIn(connection: DatabaseSync): Generator<string> {
  const rows = connection.prepare(`SELECT item FROM records WHERE item LIKE '%_blob"%' OR item LIKE '%"blob"%'`);
  for (const { item } of rows.iterate()) yield* blobsNamedBy(JSON.parse(String(item)));
}
