import type { Database } from "../storage/sqlite.ts";

/** The distinct index terms of a document; `indexed` is its row of `words`. */
function distinctTerms(indexed: string): Set<string> {
  const terms = new Set(indexed.split(" "));
  terms.delete("");
  return terms;
}

/**
 * Adds documents to the counts of their index terms, in the transaction that stores them in `words`. One statement
 * counts all documents, because the chunks of a source have most terms in common.
 */
export function countTerms(database: Database, indexed: string[]): void {
  const counts = new Map<string, number>();
  for (const row of indexed) {
    for (const term of distinctTerms(row)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  if (counts.size > 0) database.run(COUNT_TERMS, JSON.stringify([...counts].sort()));
}

/** Removes a document from the counts, and terms without documents; in the transaction that deletes it. */
export function uncountTerms(database: Database, doc: number): void {
  const indexed = String(database.get("SELECT terms FROM words WHERE rowid = ?", doc)?.terms ?? "");
  const terms = JSON.stringify([...distinctTerms(indexed)]);
  database.run(UNCOUNT_TERMS, terms);
  database.run(DELETE_UNUSED, terms);
}

/** The number of documents with each term, most frequent first; without terms that no document has. */
export function documentsByTerm(database: Database, terms: string[]): Map<string, number> {
  const rows = database.tuples(DOCUMENTS_BY_TERM, JSON.stringify([...new Set(terms)]));
  return new Map(rows.map(([term, documents]) => [String(term), Number(documents)]));
}

const COUNT_TERMS = `
  INSERT INTO terms (term, documents) SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true
  ON CONFLICT (term) DO UPDATE SET documents = documents + excluded.documents`;

const UNCOUNT_TERMS = "UPDATE terms SET documents = documents - 1 WHERE term IN (SELECT value FROM json_each(?))";

const DELETE_UNUSED = "DELETE FROM terms WHERE documents <= 0 AND term IN (SELECT value FROM json_each(?))";

/** The cross join looks up each term; SQLite would otherwise sort them first. */
const DOCUMENTS_BY_TERM = `
  SELECT t.term, t.documents FROM json_each(?) asked CROSS JOIN terms t ON t.term = asked.value
  ORDER BY t.documents DESC, t.term`;
