import type { Database } from "../sqlite.ts";

/** The index terms of a document that `terms` counts it under, as JSON; `indexed` is its row of `words`. */
function distinctTerms(indexed: string): string {
  return JSON.stringify([...new Set(indexed.split(" "))].filter((term) => term !== ""));
}

/** Counts a document under its index terms; in the transaction that stores them in `words`. */
export function countTerms(database: Database, indexed: string): void {
  database.prepare(COUNT_TERMS).run(distinctTerms(indexed));
}

/** Takes a document out of the counts, and terms out that no other document has; in the transaction that deletes it. */
export function uncountTerms(database: Database, doc: number): void {
  const terms = distinctTerms(
    String(database.prepare("SELECT terms FROM words WHERE rowid = ?").get(doc)?.terms ?? ""),
  );
  database.prepare(UNCOUNT_TERMS).run(terms);
  database.prepare(DELETE_UNUSED).run(terms);
}

/** How many documents have each of the terms, those first that most have; without terms that none has. */
export function documentsByTerm(database: Database, terms: string[]): Map<string, number> {
  const rows = database.tuples(DOCUMENTS_BY_TERM, JSON.stringify([...new Set(terms)]));
  return new Map(rows.map(([term, documents]) => [String(term), Number(documents)]));
}

const COUNT_TERMS = `
  INSERT INTO terms (term, documents) SELECT value, 1 FROM json_each(?) WHERE true
  ON CONFLICT (term) DO UPDATE SET documents = documents + 1`;

const UNCOUNT_TERMS = "UPDATE terms SET documents = documents - 1 WHERE term IN (SELECT value FROM json_each(?))";

const DELETE_UNUSED = "DELETE FROM terms WHERE documents <= 0 AND term IN (SELECT value FROM json_each(?))";

/** The cross join looks each term up, where SQLite would sort them first. */
const DOCUMENTS_BY_TERM = `
  SELECT t.term, t.documents FROM json_each(?) asked CROSS JOIN terms t ON t.term = asked.value
  ORDER BY t.documents DESC, t.term`;
