import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../../test/fixtures/temporary-folder.ts";
import { Database } from "./sqlite.ts";

const NOTES = [{ version: 1, name: "make notes", run: "CREATE TABLE notes (text TEXT PRIMARY KEY)" }];

function openNotes(file = path.join(temporaryFolder(), "notes.sqlite"), onGroupLost?: () => void) {
  const database = new Database({ file, migrations: NOTES, ...(onGroupLost && { onGroupLost }) });
  const add = (...texts: string[]) =>
    database.sharedTransaction(() => {
      for (const text of texts) database.prepare("INSERT INTO notes (text) VALUES (?)").run(text);
      return texts.length;
    });
  const texts = () =>
    database
      .prepare("SELECT text FROM notes ORDER BY rowid")
      .all()
      .map(({ text }) => text);
  return { database, file, add, texts };
}

it("runs the work of one turn in call order and rolls back only work that throws", async () => {
  const { database, add, texts } = openNotes();
  const outcomes = await Promise.allSettled([add("a"), add("b", "a"), add("c", "d"), add("b")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(texts()).toEqual(["a", "c", "d", "b"]);
  database.close();
});

it("rejects all work if its shared commit fails", async () => {
  const { database, add, texts } = openNotes();
  const first = add("a");
  const second = database.sharedTransaction(() => database.prepare("ROLLBACK").run());
  const outcomes = await Promise.allSettled([first, second]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(texts()).toEqual([]);
  await add("b");
  expect(texts()).toEqual(["b"]);
  database.close();
});

it("commits waiting work before it closes", async () => {
  const { database, file, add } = openNotes();
  const waiting = add("a");
  database.close();
  await expect(waiting).resolves.toBe(1);
  const again = openNotes(file);
  expect(again.texts()).toEqual(["a"]);
  again.database.close();
});

it("splits a shared commit that takes long, so that other work runs in between", async () => {
  const { database } = openNotes();
  onTestFinished(() => database.close());
  let rounds = 0;
  const counting = setInterval(() => rounds++, 0);
  const slow = () =>
    database.sharedTransaction(() => {
      for (const until = performance.now() + 5; performance.now() < until; );
    });
  await Promise.all(Array.from({ length: 10 }, slow));
  clearInterval(counting);
  expect(rounds).toBeGreaterThanOrEqual(3);
});

it("keeps nothing of a shared commit on a full disk, and commits again once there is room", async () => {
  const migrations = [{ version: 1, name: "make t", run: "CREATE TABLE t (v)" }];
  const database = new Database({ file: path.join(temporaryFolder(), "t.sqlite"), migrations });
  onTestFinished(() => database.close());
  const insert = (bytes: number) =>
    database.sharedTransaction(() => database.prepare("INSERT INTO t VALUES (zeroblob(?))").run(bytes));
  const rows = () => database.tuples("SELECT length(v) FROM t").flat();
  await insert(1);
  database.prepare("PRAGMA max_page_count = 4").get();
  const outcomes = await Promise.allSettled([insert(2), insert(100_000), insert(3)]);
  expect(outcomes).toEqual(Array(3).fill({ status: "rejected", reason: expect.objectContaining({ errcode: 13 }) }));
  expect(rows()).toEqual([1]);
  database.prepare("PRAGMA max_page_count = 1000").get();
  await Promise.all([insert(2), insert(100_000), insert(3)]);
  expect(rows()).toEqual([1, 2, 100_000, 3]);
});

describe("a group of writes", () => {
  const insert = (database: Database, ...texts: string[]) =>
    database.groupedTransaction(() => {
      for (const text of texts) database.run("INSERT INTO notes (text) VALUES (?)", text);
    });
  const committed = (file: string) => {
    const reader = new DatabaseSync(file, { readOnly: true });
    const rows = reader.prepare("SELECT text FROM notes ORDER BY rowid").all();
    reader.close();
    return rows.map(({ text }) => text);
  };

  it("is read at once by its connection, and committed a second later", async () => {
    const { database, file, texts } = openNotes();
    onTestFinished(() => database.close());
    insert(database, "a");
    expect(() => insert(database, "b", "a")).toThrow("UNIQUE");
    insert(database, "c");
    expect([texts(), committed(file)]).toEqual([["a", "c"], []]);
    await vi.waitFor(() => expect(committed(file)).toEqual(["a", "c"]), { timeout: 5_000 });
  });

  it("is committed before another transaction, a scrub, its close, and once it is large", () => {
    const { database, file } = openNotes();
    insert(database, "a");
    database.lightTransaction(() => {});
    expect(committed(file)).toEqual(["a"]);
    insert(database, "b");
    database.scrub();
    expect(committed(file)).toEqual(["a", "b"]);
    for (let each = 0; each < 200; each++) insert(database, `many ${each}`);
    expect(committed(file).length).toBeGreaterThan(100);
    database.close();
    expect(committed(file).length).toBe(202);
  });

  it("that cannot be committed is reported as lost, and later writes fail by themselves", () => {
    const lost = vi.fn();
    const file = path.join(temporaryFolder(), "notes.sqlite");
    const { database, texts } = openNotes(file, lost);
    onTestFinished(() => database.close());
    database.transaction(() => {
      database.run("PRAGMA defer_foreign_keys = ON");
      database.run("CREATE TABLE replies (note TEXT REFERENCES notes (text))");
    });
    insert(database, "a");
    database.run("PRAGMA defer_foreign_keys = ON");
    database.run("INSERT INTO replies VALUES ('nothing')");
    expect(() => database.commitGroup()).toThrow("FOREIGN KEY");
    expect(lost).toHaveBeenCalledTimes(1);
    expect(texts()).toEqual([]);
    insert(database, "b");
    expect(committed(file)).toEqual(["b"]);
  });
});

it.each([
  ["at once if it is small", 100, false],
  ["when it is opened next if it is large", 1000, true],
])("rewrites a file from which data was erased, %s", async (_, rows, isLarge) => {
  const { database, file, add } = openNotes();
  const word = "unforgettable";
  for (let row = 0; row < rows; row++) await add(`${row} ${word} ${"-".repeat(10_000)}`);
  database.run("DELETE FROM notes");
  const size = () => statSync(file).size;
  const before = size();
  expect(database.scrub()).toBe(true);
  expect(size() >= before).toBe(isLarge);
  expect(statSync(`${file}-wal`).size).toBe(0);
  database.close();
  openNotes(file).database.close();
  expect(size()).toBeLessThan(before / 10);
  expect(readFileSync(file).includes(word)).toBe(false);
});
