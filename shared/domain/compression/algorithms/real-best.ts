import { readCondensable } from "../condensing/condense.ts";
import { retentionOf } from "../condensing/salience.ts";
import { type Algorithm, type Encoded, type Source, unchanged } from "./algorithm.ts";
import { foldForTokens, radix, smartRadix } from "./radix.ts";

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
function foldCondensed(source: Source, condensed: string, retention: number): Encoded {
  const { tokens } = source;
  const tokenCount = condensed === source.text ? source.tokenCount : tokens.count(condensed);
  const encoded = foldForTokens({ text: condensed, tokenCount, tokens });
  return encoded.tokenCount < source.tokenCount ? { ...encoded, retention } : unchanged(source);
}

/** Number of bisection steps in the search for the strongest condensation allowed. */
const SEARCH_STEPS = 4;

/** The result with the fewest tokens that retains `minRetention`: one of the folds, or the strongest condensation. */
export const realBest: Algorithm = {
  lossless: false,
  encode(source, minRetention) {
    const candidates = [
      radix.encode(source, minRetention),
      smartRadix.encode(source, minRetention),
      strongest(source, minRetention),
    ];
    return candidates.reduce((best, candidate) => (candidate.tokenCount < best.tokenCount ? candidate : best));
  },
};

/**
 * The salience of all mentions may fall by this factor more than retention may. Without a bound, a long text that
 * repeats its words would be reduced to a word list.
 */
const MENTION_SLACK = 2;

/** Bisects for the strongest condensation whose measured retention is at least `minRetention`. */
function strongest(source: Source, minRetention: number): Encoded {
  const { weights, condense } = readCondensable(source.text, source.tokens);
  let allowed = { condensed: source.text, retention: 1 };
  let low = Math.max(0, 1 - MENTION_SLACK * (1 - minRetention));
  let keep = minRetention;
  let high = 1;
  for (let step = 0; step <= SEARCH_STEPS; step++) {
    const condensed = condense(keep);
    const retention = retentionOf(weights, condensed);
    if (retention >= minRetention) {
      allowed = { condensed, retention };
      high = keep;
    } else {
      low = keep;
    }
    keep = (low + high) / 2;
  }
  return foldCondensed(source, allowed.condensed, allowed.retention);
}
