import { distinctiveTerms } from "../../../../language/facts/similarity.ts";
import type { Entry } from "./entry.ts";

/** Maximum entries compared per term, the newest, so that common terms cost no more than rare ones. */
const MAX_COMPARED = 16;

/** The entries of a slot that have not ended yet, by the terms of their values. */
export class OpenEntries {
  readonly #byTerm = new Map<string, Entry[]>();
  readonly #open = new Set<Entry>();
  readonly #newest: Entry[] = [];

  add(entry: Entry): void {
    this.#open.add(entry);
    this.#newest.push(entry);
    for (const term of distinctiveTerms(entry.terms)) {
      const entries = this.#byTerm.get(term);
      if (entries === undefined) this.#byTerm.set(term, [entry]);
      else entries.push(entry);
    }
  }

  remove(entry: Entry): void {
    this.#open.delete(entry);
  }

  /** Returns the entries that match the terms, or the newest open entry if there are no terms. */
  named(terms: ReadonlySet<string>, passes: (entry: Entry) => boolean): Entry[] {
    if (terms.size > 0) return this.matching(terms, passes);
    const last = this.#lastOpen(this.#newest);
    return last === undefined ? [] : [last];
  }

  /** Returns the open entries that share a term and pass the test, newest first for each term. */
  matching(terms: ReadonlySet<string>, passes: (entry: Entry) => boolean): Entry[] {
    const found = new Set<Entry>();
    for (const term of distinctiveTerms(terms)) {
      const entries = this.#byTerm.get(term) ?? [];
      this.#lastOpen(entries);
      for (const entry of entries.slice(-MAX_COMPARED).reverse()) {
        if (this.#open.has(entry) && !found.has(entry) && passes(entry)) found.add(entry);
      }
    }
    return [...found];
  }

  /** Removes closed entries from the end, and returns the last open one. */
  #lastOpen(entries: Entry[]): Entry | undefined {
    let last = entries.at(-1);
    while (last !== undefined && !this.#open.has(last)) {
      entries.pop();
      last = entries.at(-1);
    }
    return last;
  }
}
