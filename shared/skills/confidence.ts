/** What the confidence of a skill rests on. */
export interface Evidence {
  /** 0..1: what people, or what extracted it, said at first. */
  stated_confidence: number;
  /** Reported outcomes of this version, and those of them that went well. */
  outcomes: number;
  successes: number;
}

/** So many uses weigh as much as the confidence that was stated. */
const PRIOR_WEIGHT = 10;

/** Digits of a stated confidence; JSON allows smaller numbers than every store keeps. */
const DIGITS = 6;

/** The evidence of a confidence that somebody states, before any use. */
export function stated(confidence: number): Evidence & { confidence: number } {
  const rounded = Number(confidence.toFixed(DIGITS));
  return { confidence: rounded, stated_confidence: rounded, outcomes: 0, successes: 0 };
}

/**
 * The mean of the Beta posterior of the chance that a use goes well: the stated confidence counts as PRIOR_WEIGHT uses, each
 * known outcome as one (Gelman et al., Bayesian Data Analysis, 3rd ed., section 2.4). Stays in 0..1.
 */
export function confidenceOf({ stated_confidence, outcomes, successes }: Evidence): number {
  // Of no outcome exactly what was stated, to the last digit.
  return stated_confidence + (successes - stated_confidence * outcomes) / (PRIOR_WEIGHT + outcomes);
}

/** Quantile of the standard normal distribution that 90 % of it lies below. */
const Z = 1.2816;

/**
 * What the chance that a use goes well exceeds with 90 % probability: the lower limit of the Wilson score interval (E. B.
 * Wilson, Journal of the American Statistical Association 22, 1927, pages 209-212), of the stated confidence as
 * PRIOR_WEIGHT uses and the known outcomes. In 0..1, and never above the confidence.
 */
export function lowerBound(evidence: Evidence): number {
  const uses = PRIOR_WEIGHT + evidence.outcomes;
  const mean = confidenceOf(evidence);
  const spread = Z * Math.sqrt((mean * (1 - mean)) / uses + (Z / (2 * uses)) ** 2);
  const limit = (mean + Z ** 2 / (2 * uses) - spread) / (1 + Z ** 2 / uses);
  return Math.min(mean, Math.max(0, limit));
}

/** The evidence of several skills taken together: each counts by how much stands behind it. */
export function pooledConfidence(skills: Evidence[]): number {
  const weights = skills.map(({ outcomes }) => PRIOR_WEIGHT + outcomes);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return skills.reduce((sum, skill, place) => sum + confidenceOf(skill) * (weights[place] ?? 0), 0) / total;
}
