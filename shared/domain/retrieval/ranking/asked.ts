import { logistic } from "../../../kernel/math.ts";
import fitted from "./asked.json" with { type: "json" };

/** What a question asks for. */
export interface Asked {
  /** The probability of each slot; what is missing to 1 is `none`. */
  slots: ReadonlyMap<string, number>;
  /** The probability that it asks for no value of a slot. */
  none: number;
  /** The probability that it asks about the user, not about somebody or something else. */
  ofUser: number;
}

/** Weights over the vectors of an embedder: rows of bytes for none, for each slot, and for "about somebody else". */
export interface Head {
  embedder: string;
  slots: string[];
  biases: number[];
  scales: number[];
  /** In base64. */
  weights: string;
}

/** Returns what a question asks for, by its vector; undefined for an embedder whose vectors have no weights. */
export function askedOf(embedder: string, vector: Float32Array | undefined): Asked | undefined {
  return vector === undefined || embedder !== fitted.embedder ? undefined : askedBy(fitted, vector);
}

/** Returns what a question asks for by its vector, judged by these weights. */
export function askedBy(head: Head, vector: Float32Array): Asked {
  const weights = weightsOf(head);
  const sums = head.biases.map((bias, row) => {
    const start = row * vector.length;
    let sum = 0;
    for (let i = 0; i < vector.length; i++) sum += (weights[start + i] ?? 0) * (vector[i] ?? 0);
    return bias + (head.scales[row] ?? 0) * sum;
  });
  const ofOthers = logistic(sums.pop() ?? 0);
  const max = Math.max(...sums);
  const [none = 0, ...powers] = sums.map((sum) => Math.exp(sum - max));
  const total = powers.reduce((all, power) => all + power, none);
  const slots = new Map(head.slots.map((slot, index) => [slot, (powers[index] ?? 0) / total]));
  return { slots, none: none / total, ofUser: 1 - ofOthers };
}

const decoded = new WeakMap<Head, Int8Array>();

function weightsOf(head: Head): Int8Array {
  const known = decoded.get(head) ?? new Int8Array(Buffer.from(head.weights, "base64"));
  decoded.set(head, known);
  return known;
}
