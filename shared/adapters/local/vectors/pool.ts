import { type DotProducts, instantiateKernel, KERNEL_STEP, ROW_HEADER_BYTES } from "./kernel.ts";
import { quantizeQuery, quantizeRow } from "./quantized.ts";

const PAGE_BYTES = 65_536;
/** Rows per allocated block: small, so that many small organizations waste little. */
export const ROWS_PER_BLOCK = 128;
/** Rows per call of the kernel. */
const ROWS_PER_CALL = 4096;

/** Minimum growth of the memory, because each growth is expensive; untouched memory is not resident. */
const GROWTH_BYTES = 16 * 1024 * 1024;

/** An owner of blocks of a pool. */
export interface BlockHolder {
  /** Returns all its blocks; called when the pool needs memory. */
  clear(): void;
}

/**
 * The vectors of all organizations in one WebAssembly memory, on which the SIMD kernel works in place. Holders allocate
 * blocks; when `capacityBytes` are in use, the least recently used holders are cleared. Only a single remaining holder
 * may use more, up to WebAssembly's 4 GiB. Memory is reused, never returned to the system. Each number is one byte, so
 * products are approximate: within about 0.0005 for unit vectors of the default model.
 */
export class VectorPool {
  readonly rowBytes: number;
  readonly #dimensions: number;
  readonly #queryBytes: number;
  readonly #memory: WebAssembly.Memory;
  readonly #dotProducts: DotProducts;
  readonly #maxBlocks: number;
  readonly #freeBlocks: number[] = [];
  /** Least recently used first. */
  readonly #holders = new Set<BlockHolder>();
  #blocks = 0;
  #end: number;

  constructor(dimensions: number, capacityBytes: number) {
    const padded = Math.ceil(dimensions / KERNEL_STEP) * KERNEL_STEP;
    this.#dimensions = dimensions;
    this.#queryBytes = padded * Int16Array.BYTES_PER_ELEMENT;
    this.rowBytes = ROW_HEADER_BYTES + padded;
    this.#maxBlocks = Math.floor(capacityBytes / this.#blockBytes);
    this.#end = this.#scoresAddress + ROWS_PER_CALL * Float32Array.BYTES_PER_ELEMENT;
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(this.#end / PAGE_BYTES), maximum: PAGE_BYTES });
    this.#dotProducts = instantiateKernel(this.#memory);
  }

  /** Marks the holder as the most recently used. */
  touch(holder: BlockHolder): void {
    this.#holders.delete(holder);
    this.#holders.add(holder);
  }

  /** Address of an uninitialized block of rows. May clear other holders. Throws RangeError if no memory is left. */
  takeBlock(holder: BlockHolder): number {
    this.touch(holder);
    while (this.#freeBlocks.length === 0 && this.#blocks >= this.#maxBlocks) {
      const [oldest] = this.#holders;
      if (oldest === undefined || oldest === holder) break;
      oldest.clear();
    }
    return this.#freeBlocks.pop() ?? this.#makeBlock();
  }

  /** Frees all blocks of a holder. */
  release(holder: BlockHolder, blocks: number[]): void {
    this.#holders.delete(holder);
    this.#freeBlocks.push(...blocks);
  }

  /** Stores a vector as the row at an address. */
  write(address: number, vector: Float32Array): void {
    const scale = quantizeRow(vector, new Int8Array(this.#memory.buffer, address + ROW_HEADER_BYTES, this.#dimensions));
    new Float32Array(this.#memory.buffer, address, 1)[0] = scale;
  }

  /** Copies one row over another. */
  copy(from: number, to: number): void {
    new Uint8Array(this.#memory.buffer).copyWithin(to, from, from + this.rowBytes);
  }

  /** Approximate dot products of the query with the rows at `addresses`, in order. */
  score(query: Float32Array, addresses: Uint32Array): Float32Array {
    const scores = new Float32Array(addresses.length);
    const { numbers, scale } = quantizeQuery(query);
    new Int16Array(this.#memory.buffer, 0, numbers.length).set(numbers);
    const addressesOfCall = new Uint32Array(this.#memory.buffer, this.#queryBytes, ROWS_PER_CALL);
    const scoresOfCall = new Float32Array(this.#memory.buffer, this.#scoresAddress, ROWS_PER_CALL);
    for (let start = 0; start < addresses.length; start += ROWS_PER_CALL) {
      const part = addresses.subarray(start, start + ROWS_PER_CALL);
      addressesOfCall.set(part);
      this.#dotProducts(0, this.#queryBytes, scale, this.#queryBytes, part.length, this.#scoresAddress);
      scores.set(scoresOfCall.subarray(0, part.length), start);
    }
    return scores;
  }

  /** The memory starts with the query, the addresses and the scores of a call; blocks follow. */
  get #scoresAddress(): number {
    return this.#queryBytes + ROWS_PER_CALL * Uint32Array.BYTES_PER_ELEMENT;
  }

  get #blockBytes(): number {
    return ROWS_PER_BLOCK * this.rowBytes;
  }

  #makeBlock(): number {
    const address = this.#end;
    this.#end += this.#blockBytes;
    const missing = this.#end - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(Math.max(missing, GROWTH_BYTES) / PAGE_BYTES));
    this.#blocks++;
    return address;
  }
}
