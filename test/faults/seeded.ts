import { createHash } from "node:crypto";

const UNITS = 2 ** 32;

/** A number of 0..1 that follows from what it is named by: the same names, the same number, in whatever order they are asked. */
export function chanceOf(...names: (string | number)[]): number {
  return createHash("sha256").update(names.join("\n")).digest().readUInt32BE() / UNITS;
}

/** Chances of one course of events, one after the other. */
export class Chances {
  readonly #names: (string | number)[];
  #drawn = 0;

  constructor(...names: (string | number)[]) {
    this.#names = names;
  }

  next(): number {
    return chanceOf(...this.#names, this.#drawn++);
  }

  /** One of them; throws where there is none. */
  pick<T>(all: readonly T[]): T {
    const chosen = all[Math.floor(this.next() * all.length)];
    if (chosen === undefined) throw new Error("there is nothing to pick from");
    return chosen;
  }
}
