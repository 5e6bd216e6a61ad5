/** Characters of a piece: at most about 8,000 tokens, the least that common embedding models take, in any script. */
const PIECE_LENGTH = 6_000;

/** To unit length in place; a vector without direction points along the first dimension. */
export function normalize(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (length === 0) vector[0] = 1;
  else for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}

/** The direction of the vectors' sum; without vectors, the first dimension. */
export function meanVector(vectors: Float32Array[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const vector of vectors) for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  return normalize(sum);
}

/** A text cut into pieces that embedding models take, never between the halves of a character; none for a blank text. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE_LENGTH;
    const cut = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
    pieces.push(text.slice(start, cut));
    start = cut;
  }
  return pieces.filter((piece) => piece.trim() !== "");
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
