import { createHash } from "node:crypto";

const UNITS = 2 ** 32;

/** A number from 0 to below 1 that is derived from names: the same names give the same number, in any order of calls. */
export function chanceOf(...names: (string | number)[]): number {
  return createHash("sha256").update(names.join("\n")).digest().readUInt32BE() / UNITS;
}

/** A reproducible sequence of random numbers. */
export class Chances {
  readonly #names: (string | number)[];
  #drawn = 0;

  constructor(...names: (string | number)[]) {
    this.#names = names;
  }

  next(): number {
    return chanceOf(...this.#names, this.#drawn++);
  }

  /** Returns one of the items. Throws an Error if there is none. */
  pick<T>(all: readonly T[]): T {
    const chosen = all[Math.floor(this.next() * all.length)];
    if (chosen === undefined) throw new Error("there is nothing to pick from");
    return chosen;
  }
}
