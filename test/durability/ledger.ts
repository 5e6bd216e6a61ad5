/** Longest content kept as it is: failures print states, and nobody reads 70 KB. */
const MAX_KEPT = 120;

/** A content, or a long one's start and length. */
export function abridged(content: string): string {
  return content.length <= MAX_KEPT ? content : `${content.slice(0, MAX_KEPT)}… (${content.length})`;
}

/** A memory as a client may read it: all that a write changes together. */
export interface State {
  /** Content of each version, abridged, the first at 0. */
  versions: string[];
  /** Ids of entities linked by hand, sorted. */
  links: string[];
  /** A deleted memory keeps what it was, for looking whether any of it is left. */
  isDeleted: boolean;
}

/**
 * What a client knows of its memories from the answers it got. A write that was answered leaves one state; one that
 * was cut off leaves two, before and after, and nothing in between.
 */
export class Ledger {
  readonly #states = new Map<string, State[]>();
  /** Contents of creations that were cut off: each may have become one memory. */
  readonly #unansweredContents = new Set<string>();
  /** Memories written since the last settlement. */
  readonly #touched = new Set<string>();

  /** Requests that were cut off so far. */
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

  /** The one state of a memory that no unanswered write is about. */
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

  /** Takes up a memory that an unanswered creation made. Answers false when no such creation was made, or is used up. */
  adopt(id: string, content: string): boolean {
    if (!this.#unansweredContents.delete(abridged(content))) return false;
    this.created(id, content);
    return true;
  }

  /** No creation so far can show up any more. */
  closeUnanswered(): void {
    this.#unansweredContents.clear();
  }

  /** Settles on what was found; the next round starts from it. */
  settle(id: string, found: State): void {
    this.#states.set(id, [found]);
    this.#touched.delete(id);
  }
}
