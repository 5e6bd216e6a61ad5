import { type FoldCost, fold } from "../fold.ts";
import { type Algorithm, type Encoded, type Source, unchanged } from "./algorithm.ts";

/** Shorter gains in characters are losses in tokens: a frequent word is one token, and so is its marker. */
const LEAST_CHARACTERS_GAINED = 16;
const CHARACTERS: FoldCost = { of: (text) => text.length, leastGain: LEAST_CHARACTERS_GAINED };

/** Folds phrases that save characters, whatever their tokens. Lossless; kept only if tokens are saved on the whole. */
export const radix: Algorithm = {
  lossless: true,
  encode: (source) => foldIfShorter(source, CHARACTERS),
};

/** The folded text if it has fewer tokens and no more bytes, else the text. */
export function foldIfShorter(source: Source, cost: FoldCost): Encoded {
  const content = fold(source.text, cost);
  if (content === undefined) return unchanged(source);
  const tokenCount = source.tokens.count(content);
  const shorter = tokenCount < source.tokenCount && Buffer.byteLength(content) <= Buffer.byteLength(source.text);
  return shorter ? { content, tokenCount, folded: true, retention: 1 } : unchanged(source);
}
