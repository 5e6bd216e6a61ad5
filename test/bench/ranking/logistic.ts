import { logistic } from "../../../shared/kernel/math.ts";

const STEPS = 30;
const RIDGE = 0.003;

/** The inputs of one case, its outcome, and its weight. */
export interface Row {
  x: number[];
  y: boolean;
  weight: number;
}

/** Fits a logistic regression by Newton's method, with weights regularized towards 0. */
export function fitLogistic(rows: Row[]): { weights: number[]; intercept: number } {
  const features = rows[0]?.x.length ?? 0;
  let values = new Array<number>(features + 1).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = values.map((value, i) => (i < features ? RIDGE * value : 0));
    const curvature = values.map((_, i): number[] => values.map((__, k) => (i === k && i < features ? RIDGE : 0)));
    for (const { x: own, y, weight } of rows) {
      const x = [...own, 1];
      const p = logistic(dot(x, values));
      for (const [i, value] of x.entries()) {
        gradient[i] = (gradient[i] ?? 0) + weight * (p - (y ? 1 : 0)) * value;
        const row = curvature[i] ?? [];
        for (const [k, other] of x.entries()) row[k] = (row[k] ?? 0) + weight * p * (1 - p) * value * other;
      }
    }
    const change = solve(curvature, gradient);
    values = values.map((value, i) => value - (change[i] ?? 0));
  }
  return { weights: values.slice(0, features), intercept: values[features] ?? 0 };
}

/** The same, leaving out each input that would lower the odds, so that more of any input never counts less. */
export function fitGrowing(rows: Row[]): { weights: number[]; intercept: number } {
  const fitted = fitLogistic(rows);
  const lowering = fitted.weights.findIndex((weight) => weight < 0);
  return lowering === -1 ? fitted : fitGrowing(rows.map((row) => ({ ...row, x: row.x.with(lowering, 0) })));
}

/** Solves linear equations by Gaussian elimination with pivoting. */
function solve(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  for (let i = 0; i < rows.length; i++) {
    const rest = rows.slice(i).sort((a, b) => Math.abs(b[i] ?? 0) - Math.abs(a[i] ?? 0));
    rows.splice(i, rest.length, ...rest);
    const pivot = rows[i] ?? [];
    for (const [k, row] of rows.entries()) {
      if (k === i) continue;
      const factor = (row[i] ?? 0) / (pivot[i] ?? 1);
      for (let column = i; column < row.length; column++)
        row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0);
    }
  }
  return rows.map((row, i) => (row.at(-1) ?? 0) / (row[i] ?? 1));
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
