import { ALGORITHMS, type AlgorithmName } from "../../shared/domain/compression/algorithms/index.ts";
import {
  BENCHMARK_CATALOGUE,
  type BenchmarkReport,
  type BenchmarkRequest,
  type MeasuredOptions,
  samplesOf,
  summarize,
} from "../../shared/domain/compression/benchmarks.ts";
import { type CompressionMode, MODE_PROFILES } from "../../shared/domain/compression/engine.ts";
import { type CompressionConfig, profileOf } from "../../shared/domain/compression/settings.ts";
import { compressionConfig } from "../../shared/domain/compression/stored-settings.ts";
import { benchmarkTask, measureTask } from "../../shared/domain/compression/text-tasks.ts";
import { invalid } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context, OrgRuntime } from "../../shared/runtime/context.ts";
import { runTextTask } from "../../shared/runtime/text-work/run.ts";
import type * as schemas from "./schemas.ts";

/** Maximum characters to compress per request: half of a request's time on a slow processor. */
const MAX_CHARACTERS = 8_000_000;
/** Work is aborted after this time, before the gateway aborts it: hostile text takes longer than its length implies. */
const MAX_MS = 15_000;

/** Number of compressions for this many timed iterations; the first one is a warm-up. */
function passesOf(iterations: number): number {
  return iterations + 1;
}

/** Runs work that compresses this many characters. Throws VALIDATION_ERROR if a request has no time for it. */
async function withinBounds<T>(characters: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (characters > MAX_CHARACTERS) {
    throw tooMuch(`this would compress ${characters} characters in all, and a request may compress ${MAX_CHARACTERS}`);
  }
  const signal = AbortSignal.timeout(MAX_MS);
  try {
    return await work(signal);
  } catch (error) {
    if (signal.aborted) throw tooMuch(`this took longer than the ${MAX_MS} ms that a request may take`);
    throw error;
  }
}

function tooMuch(why: string) {
  return invalid({ field: "iterations", problem: `${why}; request fewer iterations or algorithms, or send less text` });
}

type Comparison = Input<typeof schemas.TestCompression>;
type Attempt = Awaited<ReturnType<typeof attempt>>;

/** Compares algorithms and modes on one text; nothing is stored. */
export async function testCompression(ctx: Context, { content, test_parameters }: Comparison) {
  const { iterations, min_retention, include_content } = test_parameters;
  const config = await ctx.settings.read(compressionConfig);
  const algorithms = new Set(test_parameters.algorithms);
  const modes = new Set(test_parameters.modes);
  const characters = content.length * (algorithms.size + modes.size) * passesOf(iterations);
  return withinBounds(characters, async (signal) => {
    const trial = { org: ctx.org, content, iterations, include_content, signal };
    const byAlgorithm: Partial<Record<AlgorithmName, Attempt>> = {};
    for (const algorithm of algorithms) byAlgorithm[algorithm] = await attempt(trial, { algorithm, min_retention });
    const byMode: Partial<Record<CompressionMode, Attempt>> = {};
    for (const mode of modes) byMode[mode] = await attempt(trial, optionsOf(mode, config));
    const best = bestOf(byAlgorithm, min_retention);
    return { iterations, min_retention, algorithms: byAlgorithm, modes: byMode, best };
  });
}

function optionsOf(mode: CompressionMode, config: CompressionConfig): MeasuredOptions {
  const defaults = MODE_PROFILES[mode];
  const { algorithm = defaults.algorithm, min_retention = defaults.min_retention } = profileOf(mode, config);
  return { algorithm, min_retention };
}

interface Trial extends Pick<Comparison["test_parameters"], "iterations" | "include_content"> {
  org: string;
  content: string;
  signal: AbortSignal;
}

async function attempt({ org, signal, content: text, iterations, ...trial }: Trial, options: MeasuredOptions) {
  const run = await runTextTask(measureTask, { text, options, iterations }, { org, signal });
  const { avg_latency_ms, p95_latency_ms } = summarize([run], options.min_retention);
  return {
    ...run.compression,
    lossless: ALGORITHMS[options.algorithm].lossless,
    avg_latency_ms,
    p95_latency_ms,
    content: trial.include_content ? run.compression.content : undefined,
  };
}

/** The algorithm that saves most tokens and retains at least `minRetention`; null if none does. */
function bestOf(attempts: Partial<Record<AlgorithmName, Attempt>>, minRetention: number): AlgorithmName | null {
  const names = Object.keys(attempts) as AlgorithmName[];
  const keeping = names.filter((name) => (attempts[name]?.retention ?? 0) >= minRetention);
  const tokensOf = (name: AlgorithmName) => attempts[name]?.compressed_tokens ?? Number.POSITIVE_INFINITY;
  return keeping.toSorted((one, other) => tokensOf(one) - tokensOf(other))[0] ?? null;
}

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
