import type { Algorithm, Encoded, Source } from "./algorithm.ts";
import { foldIfShorter } from "./radix.ts";

/** Tokens at a phrase's ends can join differently once it is folded: an entry has to be worth more than that. */
const LEAST_TOKENS_GAINED = 2;

/** Folds only phrases that save tokens, their dictionary entry counted. Lossless. */
export const smartRadix: Algorithm = {
  lossless: true,
  encode: foldForTokens,
};

export function foldForTokens(source: Source): Encoded {
  return foldIfShorter(source, { of: source.tokens.count, leastGain: LEAST_TOKENS_GAINED });
}
