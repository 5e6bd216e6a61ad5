import type { Write } from "./ports.ts";

/** A transaction takes 100 writes, of which two note the progress, and 4 MB; the rest of that is for keys and names. */
export const MAX_WRITES = 98;
const MAX_BYTES = 3_000_000;

/** Writes that are to be one transaction, together with those that note how far the work has come by them. */
export class WriteBatch {
  #writes: Write[] = [];
  #bytes = 0;

  get writes(): readonly Write[] {
    return this.#writes;
  }

  /** `bytes`: of what is long in them. */
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
