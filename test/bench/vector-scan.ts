import { VectorMatrix } from "../../shared/platform/local/vectors/matrix.ts";
import { VectorPool } from "../../shared/platform/local/vectors/pool.ts";

const ROWS = 100_000;
const DIMENSIONS = 384;
const CAPACITY = 512 * 1024 * 1024;
/** The first scans compile the code; the median of the rest is what it costs. */
const SCANS = 11;
const WARM_UPS = 2;

export interface ScanCost {
  kernelMs: number;
  loopMs: number;
  ratio: number;
}

/** What the SIMD kernel takes for a scan of 100,000 x 384, beside a plain loop over the same numbers. */
export function measureScan(): ScanCost {
  const numbers = Float32Array.from({ length: ROWS * DIMENSIONS }, (_, i) => Math.sin(i));
  const query = Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.cos(i));
  const matrix = new VectorMatrix(new VectorPool(DIMENSIONS, CAPACITY));
  matrix.load(rowsOf(numbers));
  const kernelMs = medianMs(() => matrix.scoreAll(query));
  const loopMs = medianMs(() => scoreByLoop(numbers, query));
  return { kernelMs, loopMs, ratio: kernelMs / loopMs };
}

function* rowsOf(numbers: Float32Array) {
  const rowBytes = DIMENSIONS * numbers.BYTES_PER_ELEMENT;
  for (let key = 0; key < ROWS; key++) yield { key, vector: new Uint8Array(numbers.buffer, key * rowBytes, rowBytes) };
}

function scoreByLoop(numbers: Float32Array, query: Float32Array): Float32Array {
  const scores = new Float32Array(ROWS);
  for (let row = 0; row < ROWS; row++) {
    let score = 0;
    for (let i = 0; i < DIMENSIONS; i++) score += (numbers[row * DIMENSIONS + i] ?? 0) * (query[i] ?? 0);
    scores[row] = score;
  }
  return scores;
}

function medianMs(work: () => unknown): number {
  const durations: number[] = [];
  for (let scan = 0; scan < SCANS; scan++) {
    const startedAt = performance.now();
    work();
    if (scan >= WARM_UPS) durations.push(performance.now() - startedAt);
  }
  return durations.sort((a, b) => a - b)[Math.floor(durations.length / 2)] ?? Number.NaN;
}

if (import.meta.main) {
  const { kernelMs, loopMs, ratio } = measureScan();
  console.log(`scan of ${ROWS} x ${DIMENSIONS}: ${kernelMs.toFixed(1)} ms, plain loop ${loopMs.toFixed(1)} ms`);
  console.log(`ratio ${ratio.toFixed(2)}`);
}
