import type { Keyword } from "../../../language/words/keywords.ts";
import type { Database } from "../storage/sqlite.ts";
import { documentsByTerm } from "./terms.ts";

/** Maximum number of cached keyword counts; the cache is emptied when it is full. */
const MAX_CACHED = 10_000;

/** Caches the counts of documents and of those with a keyword until the next write, because counting is linear. */
export class Counts {
  readonly #database: Database;
  readonly #holding = new Map<string, number>();
  #documents: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All documents, including expired ones. */
  documents(): number {
    this.#documents ??= this.#count("SELECT count(*) AS count FROM documents");
    return this.#documents;
  }

  /** The number of documents with each index term, most frequent first; without terms that no document has. */
  byTerm(terms: string[]): Map<string, number> {
    return documentsByTerm(this.#database, terms);
  }

  /** The number of documents with a keyword in any form; `byTerm` counts those of each form. */
  holding({ forms }: Pick<Keyword, "forms">, byTerm: Map<string, number>): number {
    const [form, ...others] = forms.keys();
    if (form === undefined) return 0;
    if (others.length === 0) return byTerm.get(form) ?? 0;
    const match = matchAny([form, ...others]);
    const cached = this.#holding.get(match);
    if (cached !== undefined) return cached;
    if (this.#holding.size >= MAX_CACHED) this.#holding.clear();
    const count = this.#count("SELECT count(*) AS count FROM words WHERE words MATCH ?", match);
    this.#holding.set(match, count);
    return count;
  }

  /** To be called after each write. */
  forget(): void {
    this.#documents = undefined;
    this.#holding.clear();
  }

  #count(text: string, ...values: string[]): number {
    return Number(this.#database.get(text, ...values)?.count ?? 0);
  }
}

/** A full-text query for documents with any of the index terms, none of which contains a quotation mark. */
export function matchAny(terms: string[]): string {
  return terms.map((term) => `"${term}"`).join(" OR ");
}
