/**
 * A map of at most `most` entries. The oldest half is dropped at once; the newest `most / 2` entries are always
 * present. It uses two generations because deleting the first keys of one Map makes the search for the next first key
 * slow.
 */
export class BoundedMap<Name, Value> {
  readonly #mostInGeneration: number;
  /** A name is in one of the two maps. */
  #young = new Map<Name, Value>();
  #old = new Map<Name, Value>();

  constructor(most: number) {
    this.#mostInGeneration = Math.ceil(most / 2);
  }

  get(name: Name): Value | undefined {
    return this.#young.get(name) ?? this.#old.get(name);
  }

  has(name: Name): boolean {
    return this.#young.has(name) || this.#old.has(name);
  }

  set(name: Name, value: Value): void {
    this.#old.delete(name);
    this.#young.set(name, value);
    if (this.#young.size < this.#mostInGeneration) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  delete(name: Name): void {
    this.#young.delete(name);
    this.#old.delete(name);
  }

  /** In no particular order. Entries may be deleted during iteration. */
  *[Symbol.iterator](): Generator<[Name, Value], void> {
    yield* this.#old;
    yield* this.#young;
  }
}

/** The same without values: the newest `most / 2` members are always present. */
export class BoundedSet<Member> {
  readonly #members: BoundedMap<Member, true>;

  constructor(most: number) {
    this.#members = new BoundedMap(most);
  }

  has(member: Member): boolean {
    return this.#members.has(member);
  }

  add(member: Member): void {
    this.#members.set(member, true);
  }

  delete(member: Member): void {
    this.#members.delete(member);
  }
}
