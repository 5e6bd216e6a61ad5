import { createSlices } from "../../../kernel/slices.ts";
import { type BlockHolder, ROWS_PER_BLOCK, type VectorPool } from "./pool.ts";

/** A vector with its key. */
export interface MatrixRow {
  key: number;
  vector: Float32Array;
}

/** Keys of rows with their approximate dot products with a query, by position. */
export interface ScoredRows {
  keys: ArrayLike<number>;
  scores: Float32Array;
}

/** The vectors of one organization under numeric keys, packed densely into blocks of the pool. */
export class VectorMatrix implements BlockHolder {
  readonly #pool: VectorPool;
  readonly #blocks: number[] = [];
  /** Key by position, and position by key. */
  #keys: number[] = [];
  #positions = new Map<number, number>();
  /** Address by position; longer than the matrix. */
  #addresses = new Uint32Array(0);
  /** Identifies the current filling; a new symbol for each one. */
  #filling: symbol | undefined;
  #loaded = false;

  constructor(pool: VectorPool) {
    this.#pool = pool;
  }

  /** False at first and after the pool has cleared it. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Whether it is loaded or loading, so that writes must be added. */
  get isFilling(): boolean {
    return this.#filling !== undefined;
  }

  get size(): number {
    return this.#keys.length;
  }

  /**
   * Fills an empty matrix and yields between pages; returns whether it is loaded, because it may have been cleared.
   * Concurrent writes must be set and deleted too, and appear in pages that are read later.
   */
  async load(pages: Iterable<MatrixRow[]>, nextStep = createSlices({ org: undefined })): Promise<boolean> {
    const filling = Symbol("filling");
    this.#filling = filling;
    for (const page of pages) {
      for (const { key, vector } of page) this.set(key, vector);
      await nextStep();
      if (this.#filling !== filling) return false;
    }
    this.#loaded = true;
    return true;
  }

  /** Stores a vector under the key. */
  set(key: number, vector: Float32Array): void {
    const position = this.#positions.get(key) ?? this.#append(key);
    this.#pool.write(this.#addressAt(position), vector);
  }

  /** Removes the key's row, if any; the last row moves into its place. */
  delete(key: number): void {
    const position = this.#positions.get(key);
    if (position === undefined) return;
    const last = this.#keys.length - 1;
    const lastKey = this.#keys[last] ?? key;
    this.#pool.copy(this.#addressAt(last), this.#addressAt(position));
    this.#keys[position] = lastKey;
    this.#positions.set(lastKey, position);
    this.#positions.delete(key);
    this.#keys.pop();
  }

  clear(): void {
    this.#pool.release(this, this.#blocks.splice(0));
    this.#keys = [];
    this.#positions = new Map();
    this.#addresses = new Uint32Array(0);
    this.#filling = undefined;
    this.#loaded = false;
  }

  /** Scores every row. The keys are the matrix's own array: read them before it changes. */
  scoreAll(query: Float32Array): ScoredRows {
    this.#pool.touch(this);
    return { keys: this.#keys, scores: this.#pool.score(query, this.#addresses.subarray(0, this.size)) };
  }

  /** Scores the rows of the given keys that exist. */
  scoreSome(query: Float32Array, keys: number[]): ScoredRows {
    this.#pool.touch(this);
    const known = keys.filter((key) => this.#positions.has(key));
    const addresses = Uint32Array.from(known, (key) => this.#addressAt(this.#positions.get(key) ?? 0));
    return { keys: known, scores: this.#pool.score(query, addresses) };
  }

  #append(key: number): number {
    const position = this.#keys.length;
    if (position === this.#blocks.length * ROWS_PER_BLOCK) this.#addBlock();
    this.#keys.push(key);
    this.#positions.set(key, position);
    return position;
  }

  #addBlock(): void {
    const block = this.#takeBlock();
    const start = this.#blocks.length * ROWS_PER_BLOCK;
    this.#blocks.push(block);
    this.#reserve(start + ROWS_PER_BLOCK);
    for (let row = 0; row < ROWS_PER_BLOCK; row++) this.#addresses[start + row] = block + row * this.#pool.rowBytes;
  }

  /** A partial matrix would give wrong results, so it is emptied if no memory is left. */
  #takeBlock(): number {
    try {
      return this.#pool.takeBlock(this);
    } catch (error) {
      this.clear();
      throw error;
    }
  }

  /** Doubles the address array when it is too small, so that growth by single rows stays cheap. */
  #reserve(rows: number): void {
    if (rows <= this.#addresses.length) return;
    const larger = new Uint32Array(Math.max(rows, 2 * this.#addresses.length));
    larger.set(this.#addresses);
    this.#addresses = larger;
  }

  #addressAt(position: number): number {
    const address = this.#addresses[position];
    if (address === undefined) throw new RangeError(`no row ${position} in a matrix of ${this.size}`);
    return address;
  }
}
