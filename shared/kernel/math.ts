/** A number with at most `decimals` decimals. */
export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}

/** The probability for natural log odds, 0..1. */
export function logistic(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** Probabilities closer to 0 or 1 count as this far away, so that their odds are finite. */
const MARGIN = 1e-6;

/** The natural log odds of a probability. */
export function logit(probability: number): number {
  const inside = Math.min(1 - MARGIN, Math.max(MARGIN, probability));
  return Math.log(inside / (1 - inside));
}
