import type { DatabaseSync } from "node:sqlite";
import { timestamp } from "../../../kernel/clock.ts";
import { occurredMs } from "../../../kernel/event-time.ts";
import { textToIndex } from "../../../kernel/text/text-to-index.ts";
import { indexTerms } from "../../../language/words/keywords.ts";
import { valueFacet } from "../../../ports/search-facets.ts";
import { hasColumn, type Migration, REWRITE_DUE } from "../storage/migrations.ts";
import { bytesOf } from "../vectors/quantized.ts";
import { contentMigrations } from "./content-migrations.ts";
import { derivedRows } from "./derived-rows.ts";
import { parseSource } from "./rows.ts";

const TABLES = `
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS documents (
    doc INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    user_id TEXT,
    category TEXT,
    type TEXT,
    session_id TEXT,
    created_ms INTEGER NOT NULL,
    expire_ms INTEGER,
    original_tokens INTEGER NOT NULL,
    compressed_tokens INTEGER NOT NULL,
    processing_ms REAL NOT NULL
  );
  CREATE INDEX IF NOT EXISTS documents_by_session ON documents (user_id, session_id, created_ms, id);
  CREATE INDEX IF NOT EXISTS documents_by_category ON documents (category);
  CREATE INDEX IF NOT EXISTS documents_by_type ON documents (type);
  CREATE INDEX IF NOT EXISTS documents_by_creation ON documents (created_ms);
  CREATE INDEX IF NOT EXISTS documents_by_expiry ON documents (expire_ms) WHERE expire_ms IS NOT NULL;
  CREATE TABLE IF NOT EXISTS sources (doc INTEGER PRIMARY KEY, source TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS vectors (doc INTEGER PRIMARY KEY, vector BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS removals (id TEXT PRIMARY KEY, version INTEGER NOT NULL, removed_ms INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS facets (term TEXT NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (term, doc)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS mentions (entity TEXT NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (entity, doc)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS viewers (agent TEXT NOT NULL, doc INTEGER NOT NULL, until_ms INTEGER, PRIMARY KEY (agent, doc)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (terms, tokenize = 'ascii');
  CREATE VIRTUAL TABLE IF NOT EXISTS term_counts USING fts5vocab (words, row);`;

/**
 * The migrations of one organization's index. `documents` is what filters read, narrow so that scans are fast, and
 * `sources` holds the documents as JSON; `removals` are tombstones, `mentions` the entities of a document and `viewers`
 * the agents that may see it; `unembedded` lists documents without vectors, `contents` finds documents with the same
 * content by hash. `words` holds index terms of the keyword analysis, which the tokenizer leaves unchanged, and `terms`
 * the distinct ones with their number of documents.
 */
export const SEARCH_MIGRATIONS: Migration[] = [
  {
    version: 1,
    name: "make the tables of documents",
    run: (connection) => {
      dropUnreadable(connection);
      connection.exec(TABLES);
    },
  },
  {
    version: 2,
    name: "list the documents that lack a vector",
    run: `
      CREATE TABLE IF NOT EXISTS unembedded (doc INTEGER PRIMARY KEY, attempts INTEGER NOT NULL DEFAULT 0);
      INSERT OR IGNORE INTO unembedded (doc) SELECT doc FROM documents WHERE doc NOT IN (SELECT doc FROM vectors);`,
  },
  { version: 3, name: "derive facets, mentions and viewers from the documents", run: deriveTerms },
  { version: 4, name: "give documents the times by which they happened and changed", run: addTimes },
  ...contentMigrations(5),
  { version: 8, name: "analyse keywords by their language", run: analyseKeywords },
  {
    version: 9,
    name: "count the documents of each term",
    run: `
      DROP TABLE IF EXISTS terms;
      CREATE TABLE terms (term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;
      INSERT INTO terms (term, documents) SELECT term, doc FROM term_counts;
      DROP TABLE term_counts;`,
  },
  {
    version: 10,
    name: "delete the terms of deleted documents",
    // Without it FTS5 keeps deleted terms until it merges segments; what was deleted before goes with a full merge.
    run: `
      INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
      INSERT INTO words (words) VALUES ('optimize');`,
  },
  {
    version: 11,
    name: "embed short texts first",
    run: orderUnembedded,
  },
  { version: 12, name: "analyse words in languages that are detected better", run: analyseAgain },
  { version: 13, name: "keep vectors as 16-bit integers", run: shortenVectors },
];

/**
 * Recreates all derived rows, because a deletion finds them by the current rules: rows of earlier rules would remain
 * and conflict with the next document of the same number. Files of the first builds have no mentions and viewers.
 */
function deriveTerms(connection: DatabaseSync, report: (done: number) => void): void {
  connection.exec("DELETE FROM facets; DELETE FROM mentions; DELETE FROM viewers");
  const derived = derivedRows(connection);
  let done = 0;
  for (const { doc, source } of connection.prepare("SELECT doc, source FROM sources ORDER BY doc").iterate()) {
    derived.insert(Number(doc), parseSource(source));
    report(++done);
  }
}

/** In the settings of an emptied index until all documents exist again. */
export const EMPTIED = "emptied";

/** The first builds stored only columns of documents: tombstones are kept, documents are rebuilt from the records. */
function dropUnreadable(connection: DatabaseSync): void {
  if (!hasColumn(connection, "documents", "content")) return;
  for (const table of ["documents", "vectors", "facets", "term_counts", "words"])
    connection.exec(`DROP TABLE IF EXISTS ${table}`);
  connection.prepare("INSERT OR REPLACE INTO settings (name, value) VALUES (?, 'true')").run(EMPTIED);
}

/** A document of an earlier release has no event time; its creation time is used. */
function addTimes(connection: DatabaseSync, report: (done: number) => void): void {
  for (const column of ["occurred_ms", "updated_ms"]) {
    if (hasColumn(connection, "documents", column)) continue;
    connection.exec(`ALTER TABLE documents ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`);
  }
  connection.exec(`
    DROP INDEX IF EXISTS documents_by_session;
    CREATE INDEX documents_by_session ON documents (user_id, session_id, occurred_ms, id);
    CREATE INDEX IF NOT EXISTS documents_by_occurrence ON documents (occurred_ms);`);
  const fill = connection.prepare("UPDATE documents SET occurred_ms = ?, updated_ms = ? WHERE doc = ?");
  const insert = connection.prepare("INSERT OR IGNORE INTO facets (term, doc) VALUES (?, ?)");
  let done = 0;
  for (const { doc = null, source } of connection.prepare("SELECT doc, source FROM sources ORDER BY doc").iterate()) {
    const document = parseSource(source);
    fill.run(occurredMs(document), Date.parse(document.updated_at), doc);
    insert.run(valueFacet("occurred_at", timestamp(occurredMs(document))), doc);
    report(++done);
  }
}

/** The keyword analysis changed: its terms contain characters at which the former tokenizer split them. */
function analyseKeywords(connection: DatabaseSync, report: (done: number) => void): void {
  connection.exec(`
    DROP TABLE IF EXISTS term_counts;
    DROP TABLE IF EXISTS words;
    CREATE VIRTUAL TABLE words USING fts5 (terms, tokenize = "ascii tokenchars '#+.~^'");
    CREATE VIRTUAL TABLE term_counts USING fts5vocab (words, row);`);
  const insert = connection.prepare("INSERT INTO words (rowid, terms) VALUES (?, ?)");
  let done = 0;
  for (const { doc = null, source } of connection.prepare("SELECT doc, source FROM sources ORDER BY doc").iterate()) {
    insert.run(doc, indexTerms(textToIndex(parseSource(source))).join(" "));
    report(++done);
  }
}

/** Stems depend on the detected language, so another detector needs other terms. */
function analyseAgain(connection: DatabaseSync, report: (done: number) => void): void {
  analyseKeywords(connection, report);
  connection.exec(`
    INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
    DELETE FROM terms;
    INSERT INTO terms (term, documents) SELECT term, doc FROM term_counts;
    DROP TABLE term_counts;`);
}

/** Documents without vectors get them in the order of attempts, short texts first. */
function orderUnembedded(connection: DatabaseSync): void {
  if (!hasColumn(connection, "unembedded", "is_long"))
    connection.exec("ALTER TABLE unembedded ADD COLUMN is_long INTEGER NOT NULL DEFAULT 0");
  connection.exec("CREATE INDEX IF NOT EXISTS unembedded_in_order ON unembedded (attempts, is_long, doc)");
}

const VECTORS_AT_ONCE = 500;

/** Vectors were stored as float32, little endian. The file is rewritten to free the room. */
function shortenVectors(connection: DatabaseSync, report: (done: number) => void): void {
  let done = 0;
  for (const table of ["vectors", "next_vectors"]) {
    const page = connection.prepare(`SELECT doc, vector FROM ${table} WHERE doc > ? ORDER BY doc LIMIT ?`);
    const update = connection.prepare(`UPDATE ${table} SET vector = ? WHERE doc = ?`);
    for (let last = Number.MIN_SAFE_INTEGER, count = VECTORS_AT_ONCE; count === VECTORS_AT_ONCE; ) {
      const rows = page.all(last, VECTORS_AT_ONCE);
      count = rows.length;
      for (const { doc = null, vector } of rows) {
        update.run(bytesOf(new Float32Array((vector as Uint8Array).slice().buffer)), doc);
        last = Number(doc);
        report(++done);
      }
    }
  }
  if (done > 0) connection.exec(`PRAGMA application_id = ${REWRITE_DUE}`);
}
