import type { AlgorithmName } from "../../shared/compression/algorithms/index.ts";
import {
  BENCHMARK_CATALOGUE,
  type BenchmarkReport,
  type BenchmarkRequest,
  runBenchmark as run,
  samplesOf,
} from "../../shared/compression/benchmarks.ts";
import { passesOf, withinBounds } from "./bounds.ts";

export function listBenchmarks() {
  const { corpora, algorithms, defaults } = BENCHMARK_CATALOGUE;
  return { corpora: [...corpora], algorithms: [...algorithms], defaults };
}

/** Measures algorithms on a corpus. Throws VALIDATION_ERROR for more work than a request has time for. */
export async function runBenchmark(request: BenchmarkRequest): Promise<BenchmarkReport> {
  const { samples } = await samplesOf(request);
  const characters = samples.reduce((sum, { length }) => sum + length, 0);
  const passes = new Set<AlgorithmName>(request.algorithms).size * passesOf(request.iterations);
  return withinBounds(characters * passes, (signal) => run(request, signal));
}
