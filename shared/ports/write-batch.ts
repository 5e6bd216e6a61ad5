import type { Write } from "./ports.ts";

/** A transaction allows 100 writes, two of which store the progress, and 4 MB, part of which is left for keys and names. */
export const MAX_WRITES = 98;
const MAX_BYTES = 3_000_000;

/** Collects writes for the transaction that also stores the progress. */
export class WriteBatch {
  #writes: Write[] = [];
  #bytes = 0;

  get writes(): readonly Write[] {
    return this.#writes;
  }

  /** `bytes`: the size of the long values. */
  hasRoomFor(writes: readonly Write[], bytes: number): boolean {
    return this.#writes.length + writes.length <= MAX_WRITES && this.#bytes + bytes <= MAX_BYTES;
  }

  add(writes: readonly Write[], bytes: number): void {
    this.#writes.push(...writes);
    this.#bytes += bytes;
  }

  clear(): void {
    this.#writes = [];
    this.#bytes = 0;
  }
}
