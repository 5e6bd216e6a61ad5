import type { DatabaseSync } from "node:sqlite";
import { textToIndex } from "../../../kernel/text/text-to-index.ts";
import type { Migration } from "../storage/migrations.ts";
import { parseSource } from "./rows.ts";
import { contentHash } from "./vectors.ts";

/** Maximum length of texts that earlier releases embedded completely: at most sixteen short windows of tokens. */
const MAX_FULLY_READ = 4_000;

/** Migrations that let documents with the same content share a vector; `first` is the number of the first one. */
export const contentMigrations = (first: number): Migration[] => [
  { version: first, name: "index documents by the hash of their content", run: hashContents },
  { version: first + 1, name: "embed long texts again, which were read in part", run: embedLongTexts },
  {
    version: first + 2,
    name: "make room for the vectors of the next model",
    run: "CREATE TABLE IF NOT EXISTS next_vectors (doc INTEGER PRIMARY KEY, vector BLOB NOT NULL)",
  },
];

function hashContents(connection: DatabaseSync, report: (done: number) => void): void {
  connection.exec(`
    DROP TABLE IF EXISTS contents;
    CREATE TABLE contents (doc INTEGER PRIMARY KEY, hash BLOB NOT NULL);
    CREATE INDEX contents_by_hash ON contents (hash, doc);`);
  const insert = connection.prepare("INSERT INTO contents (doc, hash) VALUES (?, ?)");
  let done = 0;
  for (const { doc = null, source } of connection.prepare("SELECT doc, source FROM sources ORDER BY doc").iterate()) {
    insert.run(doc, contentHash(textToIndex(parseSource(source))));
    report(++done);
  }
}

/** Until the new vectors are computed, searches use the old ones. */
function embedLongTexts(connection: DatabaseSync): void {
  connection
    .prepare(`
      INSERT OR IGNORE INTO unembedded (doc) SELECT doc FROM sources
      WHERE length(json_extract(source, '$.content')) > ?
        AND EXISTS (SELECT 1 FROM settings WHERE name = 'embedder' AND value LIKE 'onnx:%')`)
    .run(MAX_FULLY_READ);
}
