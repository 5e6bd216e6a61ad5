import { readCondensable } from "../condensing/condense.ts";
import { retentionOf } from "../condensing/salience.ts";
import { type Algorithm, type Encoded, type Source, unchanged } from "./algorithm.ts";
import { foldForTokens } from "./radix.ts";

/**
 * Drops the sentences and words that add least, within the loss of salience allowed for all mentions, and folds the
 * rest. Lossy. The measured retention is above `minRetention` because a term counts as retained while one mention is
 * left.
 */
export const smartHybrid: Algorithm = {
  lossless: false,
  encode(source, minRetention) {
    const { weights, condense } = readCondensable(source.text, source.tokens);
    const condensed = condense(minRetention);
    return foldCondensed(source, condensed, retentionOf(weights, condensed));
  },
};

/** Returns the condensed text, folded if that saves tokens, or the source's text if the result has no fewer tokens. */
export function foldCondensed(source: Source, condensed: string, retention: number): Encoded {
  const { tokens } = source;
  const tokenCount = condensed === source.text ? source.tokenCount : tokens.count(condensed);
  const encoded = foldForTokens({ text: condensed, tokenCount, tokens });
  return encoded.tokenCount < source.tokenCount ? { ...encoded, retention } : unchanged(source);
}
