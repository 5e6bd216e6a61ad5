/** Maximum length of a content that is kept whole, because failures print states and nobody reads 70 KB. */
const MAX_KEPT = 120;

/** A content; of a long one, the beginning and the length. */
export function abridged(content: string): string {
  return content.length <= MAX_KEPT ? content : `${content.slice(0, MAX_KEPT)}… (${content.length})`;
}

/** A memory as a client can read it: everything that a write changes together. */
export interface State {
  /** Content of each version, abridged, the first at 0. */
  versions: string[];
  /** Ids of manually linked entities, sorted. */
  links: string[];
  /** A deleted memory keeps its former state, so that a test can check that nothing of it is left. */
  isDeleted: boolean;
}

/**
 * What a client knows of its memories from the answers it received. An answered write leaves one possible state; an interrupted
 * one leaves two, before and after, and nothing in between.
 */
export class Ledger {
  readonly #states = new Map<string, State[]>();
  /** Contents of interrupted creations: each may have created one memory. */
  readonly #unansweredContents = new Set<string>();
  /** Memories written since their last check. */
  readonly #touched = new Set<string>();

  /** Number of interrupted requests. */
  unanswered = 0;

  get ids(): string[] {
    return [...this.#states.keys()];
  }

  get touched(): string[] {
    return [...this.#touched];
  }

  possible(id: string): State[] {
    return this.#states.get(id) ?? [];
  }

  /** Returns the only possible state of a memory. Throws an Error if an unanswered write leaves several. */
  current(id: string): State {
    const [state, ...others] = this.possible(id);
    if (state === undefined || others.length > 0) throw new Error(`${id} has ${1 + others.length} possible states`);
    return state;
  }

  created(id: string, content: string): void {
    this.#touched.add(id);
    this.#states.set(id, [{ versions: [abridged(content)], links: [], isDeleted: false }]);
  }

  creationUnanswered(content: string): void {
    this.#unansweredContents.add(abridged(content));
  }

  changed(id: string, after: State): void {
    this.#touched.add(id);
    this.#states.set(id, [after]);
  }

  changeUnanswered(id: string, after: State): void {
    this.#touched.add(id);
    this.#states.set(id, [...this.possible(id), after]);
  }

  /** Adds a memory that an unanswered creation made. Returns false if there was no such creation, or if it is already used. */
  adopt(id: string, content: string): boolean {
    if (!this.#unansweredContents.delete(abridged(content))) return false;
    this.created(id, content);
    return true;
  }

  /** From now on, no memory of an unanswered creation can appear. */
  closeUnanswered(): void {
    this.#unansweredContents.clear();
  }

  /** Makes the found state the only possible one for the next round. */
  drainChangeFeed(id: string, found: State): void {
    this.#states.set(id, [found]);
    this.#touched.delete(id);
  }
}
