import { createSlices } from "../../../kernel/slices.ts";
import { type BlockHolder, ROWS_PER_BLOCK, type VectorPool } from "./pool.ts";

/** A vector's bytes (float32, little endian) and what it is found by. */
export interface MatrixRow {
  key: number;
  vector: Uint8Array;
}

/** Keys of rows and their approximate dot products with a query, position by position. */
export interface ScoredRows {
  keys: ArrayLike<number>;
  scores: Float32Array;
}

/** The vectors of one organization under numeric keys, densely packed into blocks of the pool. */
export class VectorMatrix implements BlockHolder {
  readonly #pool: VectorPool;
  readonly #blocks: number[] = [];
  /** Key by position, and position by key. */
  #keys: number[] = [];
  #positions = new Map<number, number>();
  /** Address by position; longer than the matrix. */
  #addresses = new Uint32Array(0);
  /** Of what the matrix holds now: another one for each time that it is filled. */
  #filling: symbol | undefined;
  #loaded = false;

  constructor(pool: VectorPool) {
    this.#pool = pool;
  }

  /** False at first and after the pool has cleared it. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Whether it is loaded or being so, and writes are to be put into it. */
  get isFilling(): boolean {
    return this.#filling !== undefined;
  }

  get size(): number {
    return this.#keys.length;
  }

  /**
   * Fills an empty matrix, and lets others in between two pages; answers whether it is loaded then, as it may have been
   * cleared. What is written meanwhile must be set and deleted too, and be in the pages that are read later.
   */
  async load(pages: Iterable<MatrixRow[]>, nextStep = createSlices()): Promise<boolean> {
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

  /** Stores a vector's bytes (float32, little endian) under the key. */
  set(key: number, vector: Uint8Array): void {
    const position = this.#positions.get(key) ?? this.#append(key);
    this.#pool.write(this.#addressAt(position), vector);
  }

  /** Takes the key's row out, if it has one; the last row moves into its place. */
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

  /** Scores every row. The keys are the matrix's own: read them before it changes. */
  scoreAll(query: Float32Array): ScoredRows {
    this.#pool.touch(this);
    return { keys: this.#keys, scores: this.#pool.score(query, this.#addresses.subarray(0, this.size)) };
  }

  /** Scores the rows of those keys that it has. */
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

  /** Half a matrix would answer wrongly, so one that finds no room is emptied. */
  #takeBlock(): number {
    try {
      return this.#pool.takeBlock(this);
    } catch (error) {
      this.clear();
      throw error;
    }
  }

  /** Doubles the room for addresses when it is too small, so that growing row by row stays cheap. */
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
