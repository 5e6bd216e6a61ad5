/** FNV-1a over UTF-16 code units. */
const HASH_START = 0x811c9dc5;
const hashed = (hash: number, unit: number) => Math.imul(hash ^ unit, 0x01000193);

/** The index of each piece in a vocabulary, in typed arrays: a Map of 250,000 strings takes three times the memory. */
export class PieceTable {
  /** The text of all pieces, and where each of them ends. */
  readonly #units: Uint16Array;
  readonly #ends: Uint32Array;
  /** Of each slot: 0 if it is empty, or 1 + the id of a piece; pieces with the same slot use the next empty one. */
  readonly #slots: Uint32Array;
  readonly #longest: number;

  constructor(pieces: string[]) {
    this.#units = new Uint16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    this.#ends = new Uint32Array(pieces.length);
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * pieces.length + 1)));
    this.#longest = pieces.reduce((max, piece) => Math.max(max, piece.length), 1);
    let end = 0;
    for (const [id, piece] of pieces.entries()) {
      let hash = HASH_START;
      for (let index = 0; index < piece.length; index++) {
        const unit = piece.charCodeAt(index);
        this.#units[end++] = unit;
        hash = hashed(hash, unit);
      }
      this.#ends[id] = end;
      this.#slots[this.#slotOf(hash, piece, 0, piece.length)] = id + 1;
    }
  }

  /** Calls `onPiece` for each piece that begins at position `start` of a word. */
  forEachAt(word: string, start: number, onPiece: (id: number, end: number) => void): void {
    const last = Math.min(word.length, start + this.#longest);
    let hash = HASH_START;
    for (let end = start + 1; end <= last; end++) {
      hash = hashed(hash, word.charCodeAt(end - 1));
      const entry = this.#slots[this.#slotOf(hash, word, start, end)];
      if (entry) onPiece(entry - 1, end);
    }
  }

  /** Returns the slot of a part of a text: the slot with its piece, or an empty slot. */
  #slotOf(hash: number, text: string, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot];
      if (!entry || this.#isPiece(entry - 1, text, start, end)) return slot;
    }
  }

  #isPiece(id: number, text: string, start: number, end: number): boolean {
    const first = this.#ends[id - 1] ?? 0;
    if ((this.#ends[id] ?? 0) - first !== end - start) return false;
    for (let index = start; index < end; index++)
      if (this.#units[first + index - start] !== text.charCodeAt(index)) return false;
    return true;
  }
}
