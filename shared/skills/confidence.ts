/** What the confidence of a skill rests on. */
export interface Evidence {
  /** 0..1: what people, or what extracted it, said at first. */
  stated_confidence: number;
  /** Uses since then whose outcome is known, and those of them that went well. */
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
  return (stated_confidence * PRIOR_WEIGHT + successes) / (PRIOR_WEIGHT + outcomes);
}

/** The evidence of several skills taken together: each counts by how much stands behind it. */
export function pooledConfidence(skills: Evidence[]): number {
  const weights = skills.map(({ outcomes }) => PRIOR_WEIGHT + outcomes);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return skills.reduce((sum, skill, place) => sum + confidenceOf(skill) * (weights[place] ?? 0), 0) / total;
}
