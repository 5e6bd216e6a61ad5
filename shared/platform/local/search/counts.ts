import type { Keyword } from "../../../retrieval/keywords/keywords.ts";
import type { Database } from "../sqlite.ts";

/** Keywords remembered, so that common ones are counted once; the memory starts afresh when it is full. */
const MAX_REMEMBERED = 10_000;
/** Documents that are looked through for the spellings of a keyword. */
const MAX_LOOKED_THROUGH = 200;

/** How many documents an index has and hold a keyword: remembered until it is written to, as counting walks them all. */
export class Counts {
  readonly #database: Database;
  readonly #holding = new Map<string, number>();
  #documents: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All documents, expired ones too. */
  documents(): number {
    this.#documents ??= this.#count("SELECT count(*) AS count FROM documents");
    return this.#documents;
  }

  /** The documents that have a keyword in any of its forms. */
  holding({ forms }: Pick<Keyword, "forms">): number {
    const match = matchAny([...forms.keys()]);
    const remembered = this.#holding.get(match);
    if (remembered !== undefined) return remembered;
    if (this.#holding.size >= MAX_REMEMBERED) this.#holding.clear();
    const count = this.#count("SELECT count(*) AS count FROM words WHERE words MATCH ?", match);
    this.#holding.set(match, count);
    return count;
  }

  /** Those of the index terms that documents have, by the documents that come first. */
  held(terms: string[], limit: number): string[] {
    if (terms.length === 0) return [];
    const asked = new Set(terms);
    const rows = this.#database.tuples(HOLDERS, matchAny(terms), MAX_LOOKED_THROUGH);
    const found = rows.flatMap(([indexed]) => String(indexed).split(" "));
    return [...new Set(found)].filter((term) => asked.has(term)).slice(0, limit);
  }

  /** To be called after each write. */
  forget(): void {
    this.#documents = undefined;
    this.#holding.clear();
  }

  #count(text: string, ...values: string[]): number {
    return Number(this.#database.prepare(text).get(...values)?.count ?? 0);
  }
}

/** A full-text query for documents with any of the index terms, none of which has a quotation mark. */
export function matchAny(terms: string[]): string {
  return terms.map((term) => `"${term}"`).join(" OR ");
}

const HOLDERS = "SELECT terms FROM words WHERE words MATCH ? LIMIT ?";
