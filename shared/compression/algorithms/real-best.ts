import { readCondensable } from "../condense.ts";
import { retentionOf } from "../salience.ts";
import type { Algorithm, Encoded, Source } from "./algorithm.ts";
import { radix } from "./radix.ts";
import { foldCondensed } from "./smart-hybrid.ts";
import { smartRadix } from "./smart-radix.ts";

/** Halvings of the interval in which the strongest allowed condensation is sought. */
const SEARCH_STEPS = 4;

/** The shortest of all ways that keeps `minRetention`, measured: both folds, and the strongest condensation allowed. */
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
 * How much further the salience of all mentions may fall than retention may: without a bound, a long text that uses
 * each word often would be cut down to a word list.
 */
const MENTION_SLACK = 2;

/** Bisects for the condensation that says least while its measured retention is still high enough. */
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
