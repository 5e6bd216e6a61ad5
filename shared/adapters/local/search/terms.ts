import type { Database } from "../storage/sqlite.ts";

/** The distinct index terms of a document in `terms`, as JSON; `indexed` is its row of `words`. */
function distinctTerms(indexed: string): string {
  return JSON.stringify([...new Set(indexed.split(" "))].filter((term) => term !== ""));
}

/** Counts a document under its index terms; in the transaction that stores them in `words`. */
export function countTerms(database: Database, indexed: string): void {
  database.prepare(COUNT_TERMS).run(distinctTerms(indexed));
}

/** Removes a document from the counts, and terms without documents; in the transaction that deletes it. */
export function uncountTerms(database: Database, doc: number): void {
  const terms = distinctTerms(
    String(database.prepare("SELECT terms FROM words WHERE rowid = ?").get(doc)?.terms ?? ""),
  );
  database.prepare(UNCOUNT_TERMS).run(terms);
  database.prepare(DELETE_UNUSED).run(terms);
}

/** The number of documents with each term, most frequent first; without terms that no document has. */
export function documentsByTerm(database: Database, terms: string[]): Map<string, number> {
  const rows = database.tuples(DOCUMENTS_BY_TERM, JSON.stringify([...new Set(terms)]));
  return new Map(rows.map(([term, documents]) => [String(term), Number(documents)]));
}

const COUNT_TERMS = `
  INSERT INTO terms (term, documents) SELECT value, 1 FROM json_each(?) WHERE true
  ON CONFLICT (term) DO UPDATE SET documents = documents + 1`;

const UNCOUNT_TERMS = "UPDATE terms SET documents = documents - 1 WHERE term IN (SELECT value FROM json_each(?))";

const DELETE_UNUSED = "DELETE FROM terms WHERE documents <= 0 AND term IN (SELECT value FROM json_each(?))";

/** The cross join looks up each term; SQLite would otherwise sort them first. */
const DOCUMENTS_BY_TERM = `
  SELECT t.term, t.documents FROM json_each(?) asked CROSS JOIN terms t ON t.term = asked.value
  ORDER BY t.documents DESC, t.term`;
