import type { Write } from "./record-store.ts";

/** A transaction allows 100 writes, of which two store the progress, and 4 MB, including keys and names. */
export const MAX_WRITES = 98;
const MAX_BYTES = 3_000_000;

/** Collects writes for the transaction that also stores the progress. */
export class WriteBatch {
  #writes: Write[] = [];
  #bytes = 0;

  get writes(): readonly Write[] {
    return this.#writes;
  }

  /** Whether the writes fit into the transaction. `bytes`: the size of their long values. */
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
