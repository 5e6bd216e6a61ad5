/** The probability that natural logarithms of odds stand for, 0..1. */
export function logistic(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** Probabilities nearer to 0 or 1 count as this far from it, so that their odds are finite. */
const MARGIN = 1e-6;

/** The natural logarithm of the odds of a probability. */
export function logit(probability: number): number {
  const inside = Math.min(1 - MARGIN, Math.max(MARGIN, probability));
  return Math.log(inside / (1 - inside));
}
