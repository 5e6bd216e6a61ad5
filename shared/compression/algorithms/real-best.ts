import { readCondensable } from "../condense.ts";
import { retentionOf } from "../salience.ts";
import type { TokenCounter } from "../tokens.ts";
import type { Algorithm, AlgorithmOptions, Encoded } from "./algorithm.ts";
import { radix } from "./radix.ts";
import { foldCondensed } from "./smart-hybrid.ts";
import { smartRadix } from "./smart-radix.ts";

/** Halvings of the interval in which the strongest allowed condensation is sought. */
const SEARCH_STEPS = 4;

/** The shortest of all ways that keeps `minRetention`, measured: both folds, and the strongest condensation allowed. */
export const realBest: Algorithm = {
  lossless: false,
  encode(text, options) {
    const candidates = [radix.encode(text, options), smartRadix.encode(text, options), strongest(text, options)];
    return shortest(candidates, options.tokens);
  },
};

/** Bisects for the condensation that says least while its measured retention is still high enough. */
function strongest(text: string, { tokens, minRetention }: AlgorithmOptions): Encoded {
  const { weights, condense } = readCondensable(text, tokens);
  let allowed = { condensed: text, retention: 1 };
  let low = 0;
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
  return foldCondensed(text, allowed.condensed, allowed.retention, tokens);
}

function shortest(candidates: Encoded[], tokens: TokenCounter): Encoded {
  const sized = candidates.map((encoded) => ({ encoded, size: tokens.count(encoded.content) }));
  return sized.reduce((best, candidate) => (candidate.size < best.size ? candidate : best)).encoded;
}
