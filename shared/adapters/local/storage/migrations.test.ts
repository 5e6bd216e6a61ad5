import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/fixtures/temporary-folder.ts";
import { type Logger, silentLogger } from "../../../kernel/logger.ts";
import { NewerFormatError } from "../../../ports/formats.ts";
import { QUEUE_MIGRATIONS } from "../queue-migrations.ts";
import { RECORD_MIGRATIONS } from "../record-migrations.ts";
import { SEARCH_MIGRATIONS } from "../search/schema.ts";
import type { Migration } from "./migrations.ts";
import { Database } from "./sqlite.ts";

const NOTES: Migration[] = [
  { version: 1, name: "make notes", run: "CREATE TABLE IF NOT EXISTS notes (text)" },
  { version: 2, name: "give notes a day", run: "ALTER TABLE notes ADD COLUMN day; UPDATE notes SET day = 'monday'" },
  { version: 3, name: "index notes by day", run: "CREATE INDEX notes_by_day ON notes (day)" },
];

const FILES = { records: RECORD_MIGRATIONS, queues: QUEUE_MIGRATIONS, search: SEARCH_MIGRATIONS };

function newFile() {
  return path.join(temporaryFolder(), "kept.sqlite");
}

function open(file: string, migrations: Migration[]) {
  const steps: unknown[] = [];
  const info: Logger["info"] = (_message, fields) => steps.push(fields?.version);
  const database = new Database({ file, migrations, logger: { ...silentLogger, info } });
  return { database, steps };
}

function inspect<T>(file: string, look: (connection: DatabaseSync) => T): T {
  const connection = new DatabaseSync(file);
  try {
    return look(connection);
  } finally {
    connection.close();
  }
}

const versionOf = (file: string) =>
  inspect(file, (connection) => connection.prepare("PRAGMA user_version").get()?.user_version);

/** The names and normalized SQL of a schema, for comparison. */
const schemaOf = (file: string) =>
  inspect(file, (connection) =>
    connection
      .prepare("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
      .all()
      .map(({ name, sql }) => ({ name, sql: String(sql).replace(/\s+/g, " ").replaceAll("IF NOT EXISTS ", "") })),
  );

it("performs each step once, in one transaction with its number", () => {
  const file = newFile();
  open(file, NOTES.slice(0, 1)).database.close();
  inspect(file, (connection) => connection.exec("INSERT INTO notes VALUES ('a')"));
  const { database, steps } = open(file, NOTES);
  expect(database.prepare("SELECT * FROM notes").all()).toEqual([{ text: "a", day: "monday" }]);
  database.close();
  expect(steps).toEqual([2, 3]);
  const again = open(file, NOTES);
  again.database.close();
  expect(again.steps).toEqual([]);
  expect(versionOf(file)).toBe(3);
});

it("begins with the first step for a file without a number", () => {
  const file = newFile();
  inspect(file, (connection) => connection.exec("CREATE TABLE notes (text)"));
  const { database, steps } = open(file, NOTES);
  database.close();
  expect(steps).toEqual([1, 2, 3]);
});

it.each([2, 3])("leaves a file between two steps if step %i fails, and continues from there", (failing) => {
  const file = newFile();
  open(file, NOTES.slice(0, 1)).database.close();
  const fail = (connection: DatabaseSync) => {
    connection.exec("DELETE FROM notes; CREATE TABLE half_done (x)");
    throw new Error("the power is gone");
  };
  const broken = NOTES.map((step) => (step.version === failing ? { ...step, run: fail } : step));
  inspect(file, (connection) => connection.exec("INSERT INTO notes (text) VALUES ('a')"));
  expect(() => open(file, broken)).toThrow("the power is gone");
  expect(versionOf(file)).toBe(failing - 1);
  open(file, NOTES).database.close();
  const notes = inspect(file, (connection) => connection.prepare("SELECT * FROM notes").all());
  expect(notes).toEqual([{ text: "a", day: "monday" }]);
  expect(JSON.stringify(schemaOf(file))).not.toContain("half_done");
});

it("refuses a file of a newer release and leaves it unchanged", () => {
  const file = newFile();
  open(file, NOTES).database.close();
  expect(() => open(file, NOTES.slice(0, 2))).toThrow(NewerFormatError);
  expect(versionOf(file)).toBe(3);
});

it("refuses two steps with the same number", () => {
  const twice = [...NOTES, { version: 3, name: "another third step", run: "SELECT 1" }];
  expect(() => open(newFile(), twice)).toThrow("'another third step' has the number 3");
});

it.each(Object.entries(FILES))("upgrades every version of %s to the schema of a new file", (_, migrations) => {
  const fresh = newFile();
  open(fresh, migrations).database.close();
  for (let version = 0; version <= migrations.length; version++) {
    for (const isNumbered of [true, false]) {
      const file = newFile();
      open(file, migrations.slice(0, version)).database.close();
      if (!isNumbered) inspect(file, (connection) => connection.exec("PRAGMA user_version = 0"));
      open(file, migrations).database.close();
      expect(schemaOf(file), `from ${version}${isNumbered ? "" : ", not numbered"}`).toEqual(schemaOf(fresh));
      expect(versionOf(file)).toBe(migrations.length);
    }
  }
});

it("fills the column of an attribute from the items that have it", () => {
  const file = newFile();
  open(file, RECORD_MIGRATIONS.slice(0, 1)).database.close();
  const insert = "INSERT INTO records (pk, sk, kind, tokens, item) VALUES (?, ?, 'memory', 5, ?)";
  inspect(file, (connection) => {
    connection.prepare(insert).run("o", "1", JSON.stringify({ access_type: "private", text: "a".repeat(10_000) }));
    connection.prepare(insert).run("o", "2", "{}");
  });
  const { database } = open(file, RECORD_MIGRATIONS);
  onTestFinished(() => database.close());
  const rows = database.prepare("SELECT sk, kind, tokens, access_type FROM records ORDER BY sk").all();
  expect(rows).toEqual([
    { sk: "1", kind: "memory", tokens: 5, access_type: "private" },
    { sk: "2", kind: "memory", tokens: 5, access_type: null },
  ]);
});

it("flushes no migration, and each commit after them", () => {
  const levels: unknown[] = [];
  const look: Migration["run"] = (connection) =>
    levels.push(connection.prepare("PRAGMA synchronous").get()?.synchronous);
  const { database } = open(newFile(), [{ version: 1, name: "look", run: look }]);
  levels.push(database.get("PRAGMA synchronous")?.synchronous);
  database.close();
  const [normal, full] = [1, 2];
  expect(levels).toEqual([normal, full]);
});
