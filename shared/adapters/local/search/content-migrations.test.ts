import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/fixtures/temporary-folder.ts";
import { migrate } from "../storage/migrations.ts";
import { contentMigrations } from "./content-migrations.ts";
import { SEARCH_MIGRATIONS } from "./schema.ts";
import { contentHash } from "./vectors.ts";

const earlier = SEARCH_MIGRATIONS.slice(0, 4);

/** A file of an earlier release with a short and a long document, both with vectors. */
function earlierFile(embedder: string): { file: string; connection: DatabaseSync } {
  const file = join(temporaryFolder(), "search.db");
  const connection = new DatabaseSync(file);
  migrate(connection, file, earlier);
  connection.prepare("INSERT INTO settings (name, value) VALUES ('embedder', ?)").run(embedder);
  for (const [doc, content] of ["short", "long ".repeat(2_000)].entries()) {
    connection.prepare("INSERT INTO sources (doc, source) VALUES (?, ?)").run(doc, JSON.stringify({ content }));
    connection.prepare("INSERT INTO vectors (doc, vector) VALUES (?, ?)").run(doc, new Uint8Array(8));
  }
  return { file, connection };
}

test.each([
  ["onnx:all-minilm-l6-v2-q:384:afdb6f1a", [1]],
  ["openai:text-embedding-3-small:1536", []],
])("documents of %s get hashes, and long ones that it cut are embedded again", (embedder, due) => {
  const { file, connection } = earlierFile(embedder);
  migrate(connection, file, [...earlier, ...contentMigrations(5)]);
  const hashes = connection.prepare("SELECT doc, hash FROM contents ORDER BY doc").all();
  expect(hashes[0]).toEqual({ doc: 0, hash: new Uint8Array(contentHash("short")) });
  expect(hashes).toHaveLength(2);
  expect(connection.prepare("SELECT doc FROM unembedded").all()).toEqual(due.map((doc) => ({ doc })));
  expect(connection.prepare("SELECT count(*) AS vectors FROM vectors").get()).toEqual({ vectors: 2 });
  connection.close();
});
