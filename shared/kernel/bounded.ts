/**
 * What a process knows of others by name, `most` of them at most: those that were set the longest ago are forgotten first,
 * half of what it may hold at a time, and of the last `most / 2` that were set none is missing. Two generations rather
 * than one map whose first name goes: the longer a map has lost its first ones, the longer it looks for the next.
 */
export class BoundedMap<Name, Value> {
  readonly #mostInGeneration: number;
  /** A name is in one of both. */
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

  /** In no particular order. What is met may be deleted meanwhile. */
  *[Symbol.iterator](): Generator<[Name, Value], void> {
    yield* this.#old;
    yield* this.#young;
  }
}

/** The same without values: of the last `most / 2` members that were added none is missing. */
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
