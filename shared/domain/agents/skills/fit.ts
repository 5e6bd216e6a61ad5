import { logistic } from "../../../kernel/math.ts";
import type { Calibrated } from "../../../ports/embedder.ts";
import type { Candidate } from "../../retrieval/ranking/features.ts";
import calibration from "./fit.json" with { type: "json" };

/** The features of a skill's fit: semantic similarity, and the share of the request that its words cover. */
export const FIT_SIGNALS = ["meaning", "keywordScore"] as const;

/** How well a skill fits a request, 0..1: the logistic model of fit.json, fitted by `test/bench/skills.ts --fit`. */
export function fitOf(
  { isLexical }: Pick<Calibrated, "isLexical">,
  candidate: Pick<Candidate, (typeof FIT_SIGNALS)[number]>,
): number {
  const { weights, intercept } = isLexical ? calibration.lexical : calibration.dense;
  return logistic(FIT_SIGNALS.reduce((sum, signal) => sum + weights[signal] * candidate[signal], intercept));
}
