import { FEATURES, type Feature } from "../../../shared/domain/retrieval/ranking/features.ts";

/** A question's candidates: their features, and which of them answer it. */
export interface Example {
  group: string;
  /** Weight in the fit. */
  weight: number;
  candidates: Candidate[];
  /** Number of evidence items of the question, whether among the candidates or not. */
  evidence: number;
}

export interface Candidate {
  /** In the order of FEATURES. */
  features: Float64Array;
  isEvidence: boolean;
}

export type Weights = Record<Feature, number>;

const STEPS = 250;
const RATE = 0.1;
const [MOMENTUM, SCALE_MEMORY, TINY] = [0.9, 0.99, 1e-8];

/**
 * Fits weights that maximize the likelihood of the evidence under a softmax over the candidates (ListNet, Cao et al.
 * 2007), by Adam (Kingma & Ba 2015), with an L2 penalty of strength `pull` towards `prior`.
 */
export function fit(examples: Example[], prior: Weights, pull: number): Weights {
  const useful = examples.filter(({ candidates }) => candidates.some(({ isEvidence }) => isEvidence));
  const start = toVector(prior);
  const weights = start.slice();
  const [momentum, scale] = [new Float64Array(weights.length), new Float64Array(weights.length)];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight, i) => pull * (weight - at(start, i)));
    for (const example of useful) addGradient(gradient, example, weights);
    for (const [i, slope] of gradient.entries()) {
      momentum[i] = MOMENTUM * at(momentum, i) + (1 - MOMENTUM) * slope;
      scale[i] = SCALE_MEMORY * at(scale, i) + (1 - SCALE_MEMORY) * slope ** 2;
      const direction = at(momentum, i) / (1 - MOMENTUM ** step);
      weights[i] = at(weights, i) - (RATE * direction) / (Math.sqrt(at(scale, i) / (1 - SCALE_MEMORY ** step)) + TINY);
    }
  }
  return Object.fromEntries(FEATURES.map((name, i) => [name, at(weights, i)])) as Weights;
}

/** Adds the gradient of -log of the probability that the softmax gives to the evidence. */
function addGradient(gradient: Float64Array, { candidates, weight }: Example, weights: Float64Array): void {
  const sums = candidates.map(({ features }) => product(features, weights));
  const best = Math.max(...sums);
  const shares = sums.map((sum) => Math.exp(sum - best));
  const all = shares.reduce((sum, share) => sum + share, 0);
  const right = candidates.reduce((sum, { isEvidence }, i) => sum + (isEvidence ? (shares[i] ?? 0) : 0), 0);
  for (const [i, { features, isEvidence }] of candidates.entries()) {
    const share = shares[i] ?? 0;
    const difference = weight * (share / all - (isEvidence ? share / right : 0));
    for (let k = 0; k < gradient.length; k++) gradient[k] = at(gradient, k) + difference * at(features, k);
  }
}

const at = (vector: Float64Array, place: number): number => vector[place] ?? 0;

export const toVector = (values: Weights): Float64Array => Float64Array.from(FEATURES, (name) => values[name]);

/** Returns the dot product of features and weights. */
export function product(features: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < features.length; i++) sum += at(features, i) * at(weights, i);
  return sum;
}

export interface Quality {
  /** Share of questions with evidence at the first position; among the first five. */
  hit1: number;
  hit5: number;
  /** Share of the evidence among the first five; among the first ten. */
  recall5: number;
  recall10: number;
}

/** Returns means over the questions that have evidence. `weightsOf` returns the weights for judging an example. */
export function judge(examples: Example[], weightsOf: (example: Example) => Weights): Quality {
  const answerable = examples.filter(({ evidence }) => evidence > 0);
  const ranked = answerable.map((example) => {
    const weights = toVector(weightsOf(example));
    const sum = ({ features }: Candidate) => product(features, weights);
    return { ...example, ranked: example.candidates.toSorted((a, b) => sum(b) - sum(a)) };
  });
  const hits = (depth: number) =>
    ranked.map(({ ranked: best, evidence }) => {
      return best.slice(0, depth).filter(({ isEvidence }) => isEvidence).length / evidence;
    });
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const isHit = (share: number) => (share > 0 ? 1 : 0);
  return {
    hit1: mean(hits(1).map(isHit)),
    hit5: mean(hits(5).map(isHit)),
    recall5: mean(hits(5)),
    recall10: mean(hits(10)),
  };
}
