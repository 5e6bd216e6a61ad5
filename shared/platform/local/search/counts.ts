import type { Keyword } from "../../../retrieval/keywords/keywords.ts";
import type { Database } from "../sqlite.ts";

/** Keywords remembered, so that common ones are counted once; the memory starts afresh when it is full. */
const MAX_REMEMBERED = 10_000;
/** Up to so many documents with any of its forms, a keyword's are counted one by one. */
const MAX_COUNTED = 1000;

/** What an index has of a keyword. */
export interface Holding {
  /** Those that have it, in any form. */
  documents: number;
  /** The forms that any document has, and how many have each. */
  held: [form: string, documents: number][];
}

/** How many documents an index has and hold a keyword: remembered until it is written to, as counting walks them all. */
export class Counts {
  readonly #database: Database;
  readonly #holding = new Map<string, Holding>();
  #documents: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All documents, expired ones too. */
  documents(): number {
    this.#documents ??= this.#count("SELECT count(*) AS count FROM documents");
    return this.#documents;
  }

  /** The documents that have a keyword. Where these are many, one with two of its forms may count twice. */
  holding({ forms }: Pick<Keyword, "forms">): Holding {
    const key = [...forms.keys()].join(" ");
    const remembered = this.#holding.get(key);
    if (remembered !== undefined) return remembered;
    if (this.#holding.size >= MAX_REMEMBERED) this.#holding.clear();
    const holding = this.#countForms([...forms.keys()]);
    this.#holding.set(key, holding);
    return holding;
  }

  /** Those of the index terms that most documents have, with how many that are. */
  mostHeld(terms: string[], limit: number): [term: string, documents: number][] {
    return this.#database
      .tuples(HELD_TERMS, JSON.stringify(terms), limit)
      .map(([term, documents]) => [String(term), Number(documents)]);
  }

  /** To be called after each write. */
  forget(): void {
    this.#documents = undefined;
    this.#holding.clear();
  }

  #countForms(asked: string[]): Holding {
    const held = this.mostHeld(asked, asked.length);
    const sum = held.reduce((all, [, documents]) => all + documents, 0);
    if (held.length <= 1 || sum > MAX_COUNTED) return { documents: Math.min(sum, this.documents()), held };
    const match = matchAny(held.map(([form]) => form));
    return { documents: this.#count("SELECT count(*) AS count FROM words WHERE words MATCH ?", match), held };
  }

  #count(text: string, ...values: string[]): number {
    return Number(this.#database.prepare(text).get(...values)?.count ?? 0);
  }
}

/** A full-text query for documents with any of the index terms, none of which has a quotation mark. */
export function matchAny(terms: string[]): string {
  return terms.map((term) => `"${term}"`).join(" OR ");
}

/** A term that no document holds has no row. */
const HELD_TERMS = `
  SELECT t.term, t.doc FROM json_each(?) asked CROSS JOIN term_counts t ON t.term = asked.value
  ORDER BY t.doc DESC, t.term LIMIT ?`;
