import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/fixtures/temporary-folder.ts";
import { Database } from "../storage/sqlite.ts";
import {
  beginModelChange,
  cancelModelChange,
  completeModelChange,
  discardReplaced,
  hasReplaced,
  isChangingModel,
} from "./model-change.ts";
import { SEARCH_MIGRATIONS } from "./schema.ts";

const DOCUMENTS = 4;

let database: Database;

/** Creates documents with vectors of the former model. */
beforeEach(() => {
  database = new Database({ file: join(temporaryFolder(), "search.db"), migrations: SEARCH_MIGRATIONS });
  run("INSERT INTO settings (name, value) VALUES ('embedder', 'former')");
  for (let doc = 0; doc < DOCUMENTS; doc++) {
    run(`INSERT INTO documents (doc, id, version, created_ms, original_tokens, compressed_tokens, processing_ms)
      VALUES (${doc}, 'mem_${doc}', 1, 0, 0, 0, 0)`);
    run(`INSERT INTO vectors (doc, vector) VALUES (${doc}, x'01')`);
  }
});

const run = (sql: string) => database.prepare(sql).run();
const compute = (doc: number) => {
  run(`DELETE FROM unembedded WHERE doc = ${doc}`);
  run(`INSERT INTO next_vectors (doc, vector) VALUES (${doc}, x'02')`);
};
const fail = (doc: number, times: number) => run(`UPDATE unembedded SET attempts = ${times} WHERE doc = ${doc}`);
const vectors = () => database.tuples("SELECT hex(vector) FROM vectors ORDER BY doc").flat();

test("a change starts once and is complete with the last vector", () => {
  expect([beginModelChange(database, "next"), beginModelChange(database, "next")]).toEqual([true, false]);
  for (let doc = 0; doc < DOCUMENTS; doc++) {
    expect([completeModelChange(database), new Set(vectors())]).toEqual([false, new Set(["01"])]);
    compute(doc);
  }
  expect([completeModelChange(database), vectors()]).toEqual([true, ["02", "02", "02", "02"]]);
  expect(isChangingModel(database)).toBe(false);
});

test("a change does not wait for a text that keeps failing", () => {
  beginModelChange(database, "next");
  for (const doc of [0, 1, 2]) compute(doc);
  fail(3, 1);
  expect(completeModelChange(database)).toBe(false);
  fail(3, 100);
  expect([completeModelChange(database), vectors()]).toEqual([true, ["02", "02", "02"]]);
});

test("a change waits while an embedder is down", () => {
  beginModelChange(database, "next");
  compute(0);
  for (const doc of [1, 2, 3]) fail(doc, 100);
  expect([completeModelChange(database), vectors().length]).toEqual([false, DOCUMENTS]);
});

test("vectors of an abandoned model are dropped", () => {
  beginModelChange(database, "next");
  compute(0);
  cancelModelChange(database);
  expect(database.tuples("SELECT count(*) FROM next_vectors")).toEqual([[0]]);
  expect([vectors().length, completeModelChange(database)]).toEqual([DOCUMENTS, false]);
});

test("replaced vectors are deleted, but not those of a change in progress", () => {
  beginModelChange(database, "next");
  for (let doc = 0; doc < DOCUMENTS; doc++) compute(doc);
  discardReplaced(database);
  expect([hasReplaced(database), completeModelChange(database), hasReplaced(database)]).toEqual([false, true, true]);
  discardReplaced(database);
  expect([hasReplaced(database), vectors()]).toEqual([false, ["02", "02", "02", "02"]]);
});

test("replacing vectors changes as few rows for many documents as for few", () => {
  const many = 1_000;
  const changes = () => Number(database.get("SELECT total_changes() AS total")?.total);
  database.transaction(() => {
    const insert = database.prepare("INSERT INTO next_vectors (doc, vector) VALUES (?, zeroblob(3072))");
    const insertFormer = database.prepare("INSERT OR REPLACE INTO vectors (doc, vector) VALUES (?, zeroblob(3072))");
    run("INSERT INTO settings (name, value) VALUES ('next_embedder', 'next')");
    for (let doc = 0; doc < many; doc++) for (const each of [insert, insertFormer]) each.run(doc);
  });
  const before = changes();
  expect(completeModelChange(database)).toBe(true);
  expect(changes() - before).toBeLessThan(20);
  expect(hasReplaced(database)).toBe(true);
});
