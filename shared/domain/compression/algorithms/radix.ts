import { type FoldCost, fold } from "../condensing/fold.ts";
import { type Algorithm, type Encoded, type Source, unchanged } from "./algorithm.ts";

/** Smaller gains in characters cost tokens: a frequent word is one token, and so is its marker. */
const MIN_CHARACTERS_GAINED = 16;
const CHARACTERS: FoldCost = { of: (text) => text.length, minGain: MIN_CHARACTERS_GAINED };

/** Folds phrases that save characters, regardless of tokens. Lossless. Used only if the result saves tokens overall. */
export const radix: Algorithm = { lossless: true, encode: (source) => foldIfShorter(source, CHARACTERS) };

/** Returns the folded text if it has fewer tokens and no more bytes, otherwise the text. */
function foldIfShorter(source: Source, cost: FoldCost): Encoded {
  const content = fold(source.text, cost);
  if (content === undefined) return unchanged(source);
  const tokenCount = source.tokens.count(content);
  const shorter = tokenCount < source.tokenCount && Buffer.byteLength(content) <= Buffer.byteLength(source.text);
  return shorter ? { content, tokenCount, folded: true, retention: 1 } : unchanged(source);
}

/** Tokens at the ends of a phrase can merge differently once it is folded, so an entry has to save more than that. */
const MIN_TOKENS_GAINED = 2;

/** Folds only phrases that save tokens after the cost of their dictionary entry. Lossless. */
export const smartRadix: Algorithm = { lossless: true, encode: foldForTokens };

export function foldForTokens(source: Source): Encoded {
  return foldIfShorter(source, { of: source.tokens.count, minGain: MIN_TOKENS_GAINED });
}
