import type { Database } from "../sqlite.ts";

/** Terms remembered, so that common ones are counted once; the memory starts afresh when it is full. */
const MOST_TERMS = 10_000;

/** How many documents an index has and hold a term: remembered until it is written to, as counting walks them all. */
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

  /** The documents that hold an analysed term. */
  holding(term: string): number {
    const remembered = this.#holding.get(term);
    if (remembered !== undefined) return remembered;
    if (this.#holding.size >= MOST_TERMS) this.#holding.clear();
    const count = this.#count("SELECT doc AS count FROM term_counts WHERE term = ?", term);
    this.#holding.set(term, count);
    return count;
  }

  /** To be called after each write. */
  forget(): void {
    this.#documents = undefined;
    this.#holding.clear();
  }

  /** A term that no document holds has no row. */
  #count(text: string, ...values: string[]): number {
    return Number(this.#database.prepare(text).get(...values)?.count ?? 0);
  }
}
