import { logistic } from "../kernel/logistic.ts";
import type { Calibrated } from "../platform/ports.ts";
import type { Candidate } from "../retrieval/ranking/features.ts";
import calibration from "./fit.json" with { type: "json" };

/** What tells whether a skill fits a request: how near it is in meaning, and the share of the request that its words carry. */
export const FIT_SIGNS = ["meaning", "keywordScore"] as const;

/**
 * How well a skill fits a request, 0..1, by itself: the logistic model of fit.json, which `node test/bench/skills.ts --fit` fits on one half of the requests in test/bench/skills.
 */
export function fitOf(
  { isLexical }: Pick<Calibrated, "isLexical">,
  candidate: Pick<Candidate, (typeof FIT_SIGNS)[number]>,
): number {
  const { weights, intercept } = isLexical ? calibration.lexical : calibration.dense;
  return logistic(FIT_SIGNS.reduce((sum, sign) => sum + weights[sign] * candidate[sign], intercept));
}
