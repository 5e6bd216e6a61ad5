import type { AlgorithmName } from "../../shared/domain/compression/algorithms/index.ts";
import {
  BENCHMARK_CATALOGUE,
  type BenchmarkReport,
  type BenchmarkRequest,
  samplesOf,
} from "../../shared/domain/compression/benchmarks.ts";
import { benchmarkTask } from "../../shared/domain/compression/text-tasks.ts";
import type { OrgRuntime } from "../../shared/runtime/context.ts";
import { runTextTask } from "../../shared/runtime/text-work/run.ts";
import { passesOf, withinBounds } from "./bounds.ts";

export function listBenchmarks() {
  const { corpora, algorithms, defaults } = BENCHMARK_CATALOGUE;
  return { corpora: [...corpora], algorithms: [...algorithms], defaults };
}

/** Benchmarks algorithms on a corpus. Throws VALIDATION_ERROR for more work than a request has time for. */
export async function runBenchmark({ org }: OrgRuntime, request: BenchmarkRequest): Promise<BenchmarkReport> {
  const { samples } = await samplesOf(request);
  const characters = samples.reduce((sum, { length }) => sum + length, 0);
  const passes = new Set<AlgorithmName>(request.algorithms).size * passesOf(request.iterations);
  return withinBounds(characters * passes, (signal) => runTextTask(benchmarkTask, request, { org, signal }));
}
