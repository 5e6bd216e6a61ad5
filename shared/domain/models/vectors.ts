import { inPieces } from "../../kernel/strings.ts";

/** Characters of a piece: at most about 8,000 tokens in any script, the smallest limit of common embedding models. */
const PIECE_LENGTH = 6_000;

/** Scales to unit length in place; a zero vector becomes the first axis. */
export function normalize(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (length === 0) vector[0] = 1;
  else for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}

/** Returns the direction of the vectors' sum; without vectors, the first axis. */
export function meanVector(vectors: Float32Array[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const vector of vectors) addScaled(sum, vector, 1);
  return normalize(sum);
}

/** Adds a vector, multiplied by a factor, to `sum`. */
export function addScaled(sum: Float32Array, vector: ArrayLike<number>, factor: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0) * factor;
}

/** Splits a text into pieces that embedding models accept. Returns none for a blank text. */
export function piecesOf(text: string): string[] {
  return [...inPieces(text, PIECE_LENGTH)].filter((piece) => piece.trim() !== "");
}
