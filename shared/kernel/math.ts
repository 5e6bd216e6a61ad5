/** Returns the number rounded to `decimals` decimals. */
export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}

/** Returns the probability, 0..1, for natural log odds. */
export function logistic(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** Minimum distance of a probability from 0 and 1, so that its log odds are finite. */
const MARGIN = 1e-6;

/** Returns the natural log odds of a probability. */
export function logit(probability: number): number {
  const bounded = Math.min(1 - MARGIN, Math.max(MARGIN, probability));
  return Math.log(bounded / (1 - bounded));
}
