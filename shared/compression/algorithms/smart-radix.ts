import type { FoldCost } from "../fold.ts";
import type { TokenCounter } from "../tokens.ts";
import type { Algorithm, Encoded } from "./algorithm.ts";
import { foldIfShorter } from "./radix.ts";

/** Tokens at a phrase's ends can join differently once it is folded: an entry has to be worth more than that. */
const LEAST_TOKENS_GAINED = 2;

/** Folds only phrases that save tokens, their dictionary entry counted. Lossless. */
export const smartRadix: Algorithm = {
  lossless: true,
  encode: (text, { tokens }) => foldForTokens(text, tokens),
};

export function foldForTokens(text: string, tokens: TokenCounter): Encoded {
  const cost: FoldCost = { of: tokens.count, leastGain: LEAST_TOKENS_GAINED };
  return foldIfShorter(text, cost, tokens.count);
}
