/** The evidence for a skill's confidence. */
export interface Evidence {
  /** 0..1: the initial confidence from people or from extraction. */
  stated_confidence: number;
  /** Reported outcomes of this version, and the successful ones. */
  outcomes: number;
  successes: number;
}

/** The stated confidence weighs as much as this many uses. */
const PRIOR_WEIGHT = 10;

/** Digits of a stated confidence; JSON allows smaller numbers than every store can keep. */
const DIGITS = 6;

/** The evidence of a stated confidence before any use. */
export function stated(confidence: number): Evidence & { confidence: number } {
  const rounded = Number(confidence.toFixed(DIGITS));
  return { confidence: rounded, stated_confidence: rounded, outcomes: 0, successes: 0 };
}

/**
 * The mean of the Beta posterior of a use's success: the stated confidence counts as PRIOR_WEIGHT uses, each known
 * outcome as one (Gelman et al., Bayesian Data Analysis, 3rd ed., section 2.4). Stays in 0..1.
 */
export function confidenceOf({ stated_confidence, outcomes, successes }: Evidence): number {
  // Without outcomes exactly the stated value, to the last digit.
  return stated_confidence + (successes - stated_confidence * outcomes) / (PRIOR_WEIGHT + outcomes);
}

/** 90 % quantile of the standard normal distribution. */
const Z = 1.2816;

/**
 * The success probability that is exceeded with 90 % probability: the lower limit of the Wilson score interval (E. B.
 * Wilson, Journal of the American Statistical Association 22, 1927, pages 209-212), with the stated confidence as
 * PRIOR_WEIGHT uses. In 0..1, and never above the confidence.
 */
export function lowerBound(evidence: Evidence): number {
  const uses = PRIOR_WEIGHT + evidence.outcomes;
  const mean = confidenceOf(evidence);
  const spread = Z * Math.sqrt((mean * (1 - mean)) / uses + (Z / (2 * uses)) ** 2);
  const limit = (mean + Z ** 2 / (2 * uses) - spread) / (1 + Z ** 2 / uses);
  return Math.min(mean, Math.max(0, limit));
}

/** The combined evidence of several skills, weighted by their outcomes. */
export function pooledConfidence(skills: Evidence[]): number {
  const weights = skills.map(({ outcomes }) => PRIOR_WEIGHT + outcomes);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return skills.reduce((sum, skill, index) => sum + confidenceOf(skill) * (weights[index] ?? 0), 0) / total;
}
