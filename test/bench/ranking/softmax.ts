const STEPS = 300;

/**
 * Fits a softmax regression by accelerated gradient descent, with weights regularized towards 0. Returns a row of weights
 * for each class, the last one its intercept.
 */
export function fitSoftmax(inputs: Float64Array[], classes: number[], ridge: number): Float64Array[] {
  const count = Math.max(...classes) + 1;
  const x = inputs.map((input) => Float64Array.from([...input, 1]));
  const size = x[0]?.length ?? 0;
  const zeros = () => Array.from({ length: count }, () => new Float64Array(size));
  const rate = 1 / (0.5 * largestEigenvalue(x) + ridge);
  let [weights, ahead, momentum] = [zeros(), zeros(), 1];
  for (let step = 0; step < STEPS; step++) {
    const gradient = zeros();
    for (const [position, input] of x.entries()) {
      const errors = softmax(ahead.map((row) => dot(row, input)));
      errors[classes[position] ?? 0] = (errors[classes[position] ?? 0] ?? 0) - 1;
      for (const [each, row] of gradient.entries()) addTimes(row, input, (errors[each] ?? 0) / x.length);
    }
    const next = ahead.map((row, each) =>
      row.map((value, i) => value - rate * ((gradient[each]?.[i] ?? 0) + (i < size - 1 ? ridge * value : 0))),
    );
    const grown = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    const share = (momentum - 1) / grown;
    ahead = next.map((row, each) => row.map((value, i) => value + share * (value - (weights[each]?.[i] ?? 0))));
    [weights, momentum] = [next, grown];
  }
  return weights;
}

/** The largest eigenvalue of the mean of the inputs' outer products, which bounds the curvature. */
function largestEigenvalue(x: Float64Array[]): number {
  let vector = new Float64Array(x[0]?.length ?? 0).fill(1);
  let length = Math.hypot(...vector);
  for (let step = 0; step < 30; step++) {
    const next = new Float64Array(vector.length);
    for (const input of x) addTimes(next, input, dot(input, vector) / (length * x.length));
    [vector, length] = [next, Math.hypot(...next)];
  }
  return length;
}

function softmax(values: number[]): number[] {
  const max = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - max));
  const sum = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / sum);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function addTimes(to: Float64Array, other: Float64Array, factor: number): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] ?? 0) + (other[i] ?? 0) * factor;
}
