import { readCondensable } from "../condense.ts";
import { retentionOf } from "../salience.ts";
import type { TokenCounter } from "../tokens.ts";
import { type Algorithm, type Encoded, unchanged } from "./algorithm.ts";
import { foldForTokens } from "./smart-radix.ts";

/**
 * Drops what adds least, as far as the salience of all occurrences allows, and folds the rest. Lossy. The retention it
 * reaches lies above `minRetention`, since a term that is still said once counts as retained.
 */
export const smartHybrid: Algorithm = {
  lossless: false,
  encode(text, { tokens, minRetention }) {
    const { weights, condense } = readCondensable(text, tokens);
    const condensed = condense(minRetention);
    return foldCondensed(text, condensed, retentionOf(weights, condensed), tokens);
  },
};

/** The condensed text, folded where that pays; the text itself if that is no shorter. */
export function foldCondensed(text: string, condensed: string, retention: number, tokens: TokenCounter): Encoded {
  const encoded = { ...foldForTokens(condensed, tokens), retention };
  return tokens.count(encoded.content) < tokens.count(text) ? encoded : unchanged(text);
}
