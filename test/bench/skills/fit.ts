import { DEFAULT_THRESHOLD } from "../../../shared/domain/agents/skills/finding.ts";
import { FIT_SIGNALS } from "../../../shared/domain/agents/skills/fit.ts";
import { logistic, logit } from "../../../shared/kernel/math.ts";
import type { Observed } from "./measure.ts";

/** The logistic model of how well a skill fits. */
export interface FitModel {
  weights: Record<(typeof FIT_SIGNALS)[number], number>;
  intercept: number;
}

const STEPS = 4_000;
const RATE = 0.5;
const RIDGE = 1e-3;
/** The 90 % quantile of the standard normal distribution: one unrelated request in ten is a false alarm. */
const Z = 1.2816;
const DIGITS = 3;

interface Example {
  signals: number[];
  fits: 0 | 1;
  weight: number;
}

/**
 * Fits the model by gradient descent on the candidates of some requests; matching and other candidates have the same
 * total weight. Then shifts the intercept so that one unrelated request in ten reaches the usual threshold, which keeps
 * the order of the candidates.
 */
export function fitModel(observed: Observed[]): FitModel {
  const examples = observed.flatMap(({ skill, candidates }) =>
    candidates.map((candidate): Example => {
      return {
        signals: [...FIT_SIGNALS.map((signal) => candidate[signal]), 1],
        fits: candidate.name === skill ? 1 : 0,
        weight: 1,
      };
    }),
  );
  const fitting = examples.filter(({ fits }) => fits === 1).length;
  const balanced = examples.map((example) => ({
    ...example,
    weight: 0.5 / (example.fits ? fitting : examples.length - fitting),
  }));
  const coefficients = descend(balanced);
  const odds = (candidate: Observed["candidates"][number]) =>
    FIT_SIGNALS.reduce((sum, signal, index) => sum + (coefficients[index] ?? 0) * candidate[signal], 0);
  const nearest = observed
    .filter(({ skill }) => skill === undefined)
    .map(({ candidates }) => Math.max(...candidates.map(odds)));
  const least = quantileOf(nearest);
  const rounded = (value: number | undefined) => Number((value ?? 0).toFixed(DIGITS));
  return {
    weights: { meaning: rounded(coefficients[0]), keywordScore: rounded(coefficients[1]) },
    intercept: rounded(logit(DEFAULT_THRESHOLD) - least),
  };
}

function descend(examples: Example[]): number[] {
  const coefficients = Array.from({ length: FIT_SIGNALS.length + 1 }, () => 0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = coefficients.map((value, index) => (index < FIT_SIGNALS.length ? RIDGE * value : 0));
    for (const { signals, fits, weight } of examples) {
      const error =
        logistic(signals.reduce((sum, signal, index) => sum + signal * (coefficients[index] ?? 0), 0)) - fits;
      for (const [index, signal] of signals.entries())
        gradient[index] = (gradient[index] ?? 0) + weight * error * signal;
    }
    for (const [index, slope] of gradient.entries()) coefficients[index] = (coefficients[index] ?? 0) - RATE * slope;
  }
  return coefficients;
}

/**
 * Returns the 90 % quantile of values under a normal distribution, because there are too few values for an empirical
 * quantile.
 */
function quantileOf(values: number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return mean + Z * Math.sqrt(variance);
}
