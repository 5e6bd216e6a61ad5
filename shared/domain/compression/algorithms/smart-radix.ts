import type { Algorithm, Encoded, Source } from "./algorithm.ts";
import { foldIfShorter } from "./radix.ts";

/** Tokens at the ends of a phrase can merge differently once it is folded, so an entry has to save more than that. */
const MIN_TOKENS_GAINED = 2;

/** Folds only phrases that save tokens after the cost of their dictionary entry. Lossless. */
export const smartRadix: Algorithm = { lossless: true, encode: foldForTokens };

export function foldForTokens(source: Source): Encoded {
  return foldIfShorter(source, { of: source.tokens.count, leastGain: MIN_TOKENS_GAINED });
}
