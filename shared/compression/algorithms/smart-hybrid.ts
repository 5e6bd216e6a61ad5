import { readCondensable } from "../condense.ts";
import { retentionOf } from "../salience.ts";
import { type Algorithm, type Encoded, type Source, unchanged } from "./algorithm.ts";
import { foldForTokens } from "./smart-radix.ts";

/**
 * Drops what adds least, as far as the salience of all mentions allows, and folds the rest. Lossy. The retention it
 * reaches lies above `minRetention`, since a term that is still said once counts as retained.
 */
export const smartHybrid: Algorithm = {
  lossless: false,
  encode(source, minRetention) {
    const { weights, condense } = readCondensable(source.text, source.tokens);
    const condensed = condense(minRetention);
    return foldCondensed(source, condensed, retentionOf(weights, condensed));
  },
};

/** The condensed text, folded where that pays; the source's text if that is no shorter. */
export function foldCondensed(source: Source, condensed: string, retention: number): Encoded {
  const { tokens } = source;
  const tokenCount = condensed === source.text ? source.tokenCount : tokens.count(condensed);
  const encoded = foldForTokens({ text: condensed, tokenCount, tokens });
  return encoded.tokenCount < source.tokenCount ? { ...encoded, retention } : unchanged(source);
}
